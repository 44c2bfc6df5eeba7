//! Carries requests to a provider over HTTP.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;

use super::provider;
use super::{AskError, Chat, ChatError, ChatReply, ChatRequest, Fault, ModelSettings};

/// A provider over HTTP. Client and runtime are made when the first request is sent.
pub struct HttpChat {
    settings: ModelSettings,
    line: OnceLock<Result<Line, String>>,
}

struct Line {
    runtime: Runtime,
    client: reqwest::Client,
}

impl HttpChat {
    /// Remembers the settings; opens nothing.
    pub fn new(settings: &ModelSettings) -> Result<Self, AskError> {
        Ok(Self { settings: settings.clone(), line: OnceLock::new() })
    }

    fn line(&self) -> Result<&Line, ChatError> {
        let made = self.line.get_or_init(|| Line::new(&self.settings).map_err(|error| error.to_string()));
        made.as_ref().map_err(|error| ChatError::new(Fault::Rejected, format!("preparing the connection: {error}")))
    }
}

impl Line {
    fn new(settings: &ModelSettings) -> Result<Self, Box<dyn std::error::Error>> {
        // A second model of the process finds the provider installed; that is no error.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let client = reqwest::Client::builder()
            .connect_timeout(settings.connect_timeout)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("reqgate/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { runtime, client })
    }
}

impl Chat for HttpChat {
    fn exchange(&self, request: &ChatRequest, until: Instant) -> Result<ChatReply, ChatError> {
        let line = self.line()?;
        let wire = provider::request(&self.settings, request);
        let left = until.saturating_duration_since(Instant::now()).max(Duration::from_millis(1));
        line.runtime.block_on(async {
            let mut builder = line.client.post(wire.url).timeout(left).body(wire.body.to_string());
            for (name, value) in wire.headers {
                builder = builder.header(name, value);
            }
            let unreachable =
                |error: reqwest::Error| ChatError::new(Fault::Unreachable, error.without_url().to_string());
            let response = builder.send().await.map_err(unreachable)?;
            let status = response.status().as_u16();
            let body = response.bytes().await.map_err(unreachable)?;
            provider::reply(status, &body)
        })
    }
}
