//! Carries requests to GitHub through octocrab, over the client that all modules share.

use std::cell::OnceCell;

use http::{HeaderMap, header};
use octocrab::ReqwestClientConfig;

use super::Token;
use crate::{Client, ClientSettings, Method, NetError, Reply, Request, Transport};

/// The real transport, which is set up by the first request.
pub struct Octocrab {
    api: String,
    token: Option<Token>,
    net: Client,
    started: OnceCell<octocrab::Octocrab>,
}

impl Octocrab {
    /// Creates a transport to the API at `api` without connecting.
    pub(crate) fn new(api: &str, token: Option<Token>) -> Self {
        Self { api: api.to_owned(), token, net: Client::new(ClientSettings::new(api)), started: OnceCell::new() }
    }

    fn started(&self) -> Result<&octocrab::Octocrab, NetError> {
        if let Some(started) = self.started.get() {
            return Ok(started);
        }
        let client = self.net.http()?.clone();
        let broken = |error: octocrab::Error| NetError::setup(NetError::of(&error).message);
        let mut builder = octocrab::Octocrab::builder()
            .base_uri(self.api.as_str())
            .map_err(|error| NetError::setup(NetError::of(&error).message))?
            .add_header(header::USER_AGENT, concat!("reqgate/", env!("CARGO_PKG_VERSION")).to_owned())
            .add_header(header::ACCEPT, "application/vnd.github+json".to_owned());
        if let Some(token) = &self.token {
            builder = builder.personal_token(token.expose().to_owned());
        }
        // octocrab spawns a task while it is built.
        let built = self.net.within(|| builder.build_with_reqwest(ReqwestClientConfig::Custom(client)))?;
        let built = built.map_err(broken)?;
        Ok(self.started.get_or_init(|| built))
    }
}

impl Transport for Octocrab {
    fn send(&self, request: &Request) -> Result<Reply, NetError> {
        let octocrab = self.started()?;
        let (address, body) = (request.address.as_str(), request.body.as_ref());
        self.net.carry(async {
            match request.method {
                Method::Get => {
                    let headers = Some(request.headers.clone()).filter(|headers: &HeaderMap| !headers.is_empty());
                    octocrab._get_with_headers(address, headers).await
                }
                Method::Post => octocrab._post(address, body).await,
                Method::Put => octocrab._put(address, body).await,
                Method::Patch => octocrab._patch(address, body).await,
                Method::Delete => octocrab._delete(address, body).await,
            }
        })
    }
}
