//! Carries requests to a provider over HTTP.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use reqwest::header::HeaderValue;
use serde_json::Value;
use tokio::runtime::Runtime;

use super::provider::{Headers, Profile, Refused, Wire, scrubbed};
use super::{ApiKey, Chat, ChatError, ChatReply, ChatRequest, Fault, ModelSettings, Preview, Structured};
use crate::tls;

/// A provider over HTTP. Client and runtime are made when the first request is sent.
pub struct HttpChat {
    settings: ModelSettings,
    profile: &'static Profile,
    client: OnceLock<Result<Client, String>>,
    refuses_temperature: AtomicBool,
    refuses_token_limit: AtomicBool,
    refuses_list_bounds: AtomicBool,
}

struct Client {
    runtime: Runtime,
    http: reqwest::Client,
}

impl HttpChat {
    /// Remembers the settings; opens nothing.
    pub fn new(settings: &ModelSettings) -> Self {
        Self {
            profile: Profile::of(settings),
            settings: settings.clone(),
            client: OnceLock::new(),
            refuses_temperature: AtomicBool::new(false),
            refuses_token_limit: AtomicBool::new(false),
            refuses_list_bounds: AtomicBool::new(false),
        }
    }

    fn client(&self) -> Result<&Client, ChatError> {
        let made = self.client.get_or_init(|| Client::new(&self.settings).map_err(|error| told(&*error)));
        made.as_ref().map_err(|error| ChatError::new(Fault::Rejected, format!("preparing the connection: {error}")))
    }

    fn refused(&self) -> Refused {
        Refused {
            temperature: self.refuses_temperature.load(Ordering::Relaxed),
            token_limit: self.refuses_token_limit.load(Ordering::Relaxed),
            list_bounds: self.refuses_list_bounds.load(Ordering::Relaxed),
        }
    }

    /// Learns from a refusal which field to leave out or to rename; true if there was something to learn.
    fn learns(&self, error: &ChatError, sent: Refused) -> bool {
        if !matches!(error.status, 400 | 422) {
            return false;
        }
        // The message speaks of the schema too, but the shape as such was not refused.
        if matches!(error.fault, Fault::ShapeRefused | Fault::Rejected) && error.message.contains("maxItems") {
            self.refuses_list_bounds.store(true, Ordering::Relaxed);
            return !sent.list_bounds && self.profile.list_bounds;
        }
        if error.fault != Fault::Rejected {
            return false;
        }
        if error.message.contains("max_tokens") || error.message.contains("max_completion_tokens") {
            self.refuses_token_limit.store(true, Ordering::Relaxed);
            return !sent.token_limit && self.profile.token_limit[0] != self.profile.token_limit[1];
        }
        if error.message.contains("temperature") {
            self.refuses_temperature.store(true, Ordering::Relaxed);
            return !sent.temperature;
        }
        false
    }

    fn once(&self, request: &ChatRequest, refused: Refused, until: Instant) -> Result<ChatReply, ChatError> {
        let provider = self.settings.model.provider();
        if self.settings.api_key.is_none() && self.settings.base_url.is_none() && self.profile.needs_key {
            // The provider would refuse it; the text need not go there for that.
            let variable = ApiKey::variables(provider)[0];
            let message = format!("no key found; set {variable} or name a file with --key-file; nothing was sent");
            return Err(ChatError::new(Fault::Unauthorized, message));
        }
        let client = self.client()?;
        let wire = self.profile.request(&self.settings, request, refused);
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ChatError::new(Fault::Timeout, "no time was left"));
        }
        let (status, headers, body) = client.runtime.block_on(self.carry(&client.http, wire, left))?;
        self.profile.reply(status, &headers, &body, self.secret())
    }

    async fn carry(
        &self,
        http: &reqwest::Client,
        wire: Wire,
        left: Duration,
    ) -> Result<(u16, Headers, Vec<u8>), ChatError> {
        let mut builder = http.post(wire.url).timeout(left).header("content-type", "application/json");
        for (name, value) in wire.headers {
            builder = builder.header(name, value);
        }
        if let Some(key) = &self.settings.api_key {
            let (name, before) = self.profile.key;
            let mut value = HeaderValue::try_from(format!("{before}{}", key.reveal())).map_err(|_| {
                ChatError::new(Fault::Unauthorized, "the key contains characters that a header cannot hold")
            })?;
            value.set_sensitive(true);
            builder = builder.header(name, value);
        }
        let lost = |error: reqwest::Error| self.lost(error);
        let mut response = builder.body(wire.body.to_string()).send().await.map_err(lost)?;
        let status = response.status().as_u16();
        let read = Headers::READ.iter().filter_map(|name| {
            let value = response.headers().get(*name)?.to_str().ok()?;
            Some((*name, value.to_string()))
        });
        let headers = Headers(read.collect());
        let most = self.settings.max_reply_bytes;
        let too_large = || ChatError { status, ..ChatError::new(Fault::TooLarge, "the reply is too large") };
        if response.content_length().is_some_and(|length| length > most) {
            return Err(too_large());
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(lost)? {
            if (body.len() + chunk.len()) as u64 > most {
                return Err(too_large());
            }
            body.extend_from_slice(&chunk);
        }
        Ok((status, headers, body))
    }

    /// What the network says, without the URL and without the key.
    fn lost(&self, error: reqwest::Error) -> ChatError {
        let fault = if error.is_timeout() { Fault::Timeout } else { Fault::Unreachable };
        ChatError::new(fault, scrubbed(&told(&error.without_url()), self.secret()))
    }

    fn secret(&self) -> Option<&str> {
        self.settings.api_key.as_ref().map(ApiKey::reveal)
    }
}

/// An error with its causes.
fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(deeper) = cause {
        text.push_str(": ");
        text.push_str(&deeper.to_string());
        cause = deeper.source();
    }
    text
}

impl Client {
    fn new(settings: &ModelSettings) -> Result<Self, Box<dyn std::error::Error>> {
        tls::ready();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let mut builder = reqwest::Client::builder()
            .connect_timeout(settings.connect_timeout)
            // A key goes to the host that was named and to no other.
            .redirect(reqwest::redirect::Policy::none())
            // Retries are ours: the client would hide them from budget, breaker and trace.
            .retry(reqwest::retry::never())
            .user_agent(concat!("reqgate/", env!("CARGO_PKG_VERSION")));
        if settings.is_on_this_machine() {
            builder = builder.no_proxy();
        }
        if settings.is_unencrypted() {
            // The roots of this machine take milliseconds to read and may be missing in a container.
            builder = builder.tls_certs_only([]);
        }
        Ok(Self { runtime, http: builder.build()? })
    }
}

impl Chat for HttpChat {
    fn exchange(&self, request: &ChatRequest, until: Instant) -> Result<ChatReply, ChatError> {
        // Three things can be refused, each once.
        for _ in 0..3 {
            let sent = self.refused();
            match self.once(request, sent, until) {
                Err(error) if self.learns(&error, sent) => {}
                came => return came,
            }
        }
        self.once(request, self.refused(), until)
    }

    fn preview(&self, request: &ChatRequest) -> Option<Preview> {
        let wire = self.profile.request(&self.settings, request, self.refused());
        let mut headers = vec![("content-type".to_string(), "application/json".to_string())];
        headers.extend(wire.headers.iter().map(|(name, value)| (name.to_string(), value.to_string())));
        if self.settings.api_key.is_some() {
            let (name, before) = self.profile.key;
            headers.push((name.to_string(), format!("{before}[key]")));
        }
        let body: Value = wire.body;
        Some(Preview { url: wire.url, headers, body })
    }

    fn below(&self, shape: Structured) -> Option<Structured> {
        self.profile.below(shape)
    }
}

#[cfg(test)]
mod tests;
