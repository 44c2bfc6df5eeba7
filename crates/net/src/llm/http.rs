//! Carries requests to a provider over HTTP.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use http::HeaderValue;
use serde_json::Value;

use super::provider::{Profile, Refused, scrubbed};
use super::{ApiKey, Chat, ChatError, ChatReply, ChatRequest, Fault, ModelSettings, Preview, Structured};
use crate::{ClientSettings, Method, NetError, NetFault, Transport};

/// A provider over HTTP. The connection is opened by the first request.
pub(crate) struct HttpChat {
    settings: ModelSettings,
    profile: &'static Profile,
    client: crate::Client,
    refuses_temperature: AtomicBool,
    refuses_token_limit: AtomicBool,
    refuses_list_bounds: AtomicBool,
}

impl HttpChat {
    /// Creates the chat without opening a connection.
    pub(super) fn new(settings: &ModelSettings) -> Self {
        let profile = Profile::of(settings);
        let client = crate::Client::new(ClientSettings {
            connect_timeout: settings.connect_timeout,
            timeout: settings.timeout,
            most_bytes: settings.max_reply_bytes,
            ..ClientSettings::new(settings.base_url.as_deref().unwrap_or(profile.base_url))
        });
        Self {
            profile,
            settings: settings.clone(),
            client,
            refuses_temperature: AtomicBool::new(false),
            refuses_token_limit: AtomicBool::new(false),
            refuses_list_bounds: AtomicBool::new(false),
        }
    }

    fn refused(&self) -> Refused {
        Refused {
            temperature: self.refuses_temperature.load(Ordering::Relaxed),
            token_limit: self.refuses_token_limit.load(Ordering::Relaxed),
            list_bounds: self.refuses_list_bounds.load(Ordering::Relaxed),
        }
    }

    /// Learns from a refusal which field to leave out or to rename; returns true if the request should be sent again.
    fn learns(&self, error: &ChatError, sent: Refused) -> bool {
        if !matches!(error.status, 400 | 422) {
            return false;
        }
        // The message also mentions the schema, but the form of the request was not refused.
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
            // The provider would refuse a request without a key, so the text is not sent.
            let variable = ApiKey::variables(provider)[0];
            let message = format!("no key found; set {variable} or name a file with --key-file; nothing was sent");
            return Err(ChatError::new(Fault::NoKey, message));
        }
        let wire = self.profile.request(&self.settings, request, refused);
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(ChatError::new(Fault::Timeout, "no time was left"));
        }
        let mut sent = crate::Request::new(Method::Post, wire.url, Some(wire.body));
        sent.timeout = Some(left);
        for (name, value) in wire.headers {
            sent.headers.insert(name, HeaderValue::from_static(value));
        }
        if let Some(key) = &self.settings.api_key {
            let (name, before) = self.profile.key;
            let mut value = HeaderValue::try_from(format!("{before}{}", key.reveal()))
                .map_err(|_| ChatError::new(Fault::NoKey, "the key contains characters that a header cannot hold"))?;
            value.set_sensitive(true);
            sent.headers.insert(name, value);
        }
        let reply = self.client.send(&sent).map_err(|error| self.lost(&error))?;
        self.profile.reply(&reply, self.secret())
    }

    /// Converts a network error, without the key.
    fn lost(&self, error: &NetError) -> ChatError {
        let (fault, status) = match error.fault {
            NetFault::Setup => (Fault::Rejected, 0),
            NetFault::Timeout => (Fault::Timeout, 0),
            NetFault::Unreachable => (Fault::Unreachable, 0),
            NetFault::TooLarge(status) => (Fault::TooLarge, status),
        };
        ChatError { status, ..ChatError::new(fault, scrubbed(&error.message, self.secret())) }
    }

    fn secret(&self) -> Option<&str> {
        self.settings.api_key.as_ref().map(ApiKey::reveal)
    }
}

impl Chat for HttpChat {
    fn exchange(&self, request: &ChatRequest, until: Instant) -> Result<ChatReply, ChatError> {
        // Three fields can be refused, each once.
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
