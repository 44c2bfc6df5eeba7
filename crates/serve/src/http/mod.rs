//! The gate and the workflow over HTTP: REST under `/v1`, the Model Context Protocol, webhooks, a page.
//!
//! | module | purpose |
//! |---|---|
//! | `state` | the shared state; blocking work runs outside the threads that serve requests |
//! | `person`, `authentication`, `tokens` | the sender of a request and their rights |
//! | `admission`, `rate` | checks of every request, headers of every response |
//! | `error` | problem details |
//! | `bodies` | the memory budget for bodies of requests |
//! | `body` | reading JSON |
//! | `gate`, `threads`, `asks`, `workflows`, `about` | the handlers under `/v1` |
//! | `mcp` | the Model Context Protocol, for coding agents |
//! | `events` | the events of a thread, as server-sent events |
//! | `webhooks`, `deliveries` | deliveries of GitHub and Jira |
//! | `openapi` | the OpenAPI description |

mod about;
mod admission;
mod asks;
mod authentication;
mod bodies;
mod body;
mod deliveries;
mod door;
mod error;
mod events;
mod gate;
mod mcp;
mod openapi;
mod person;
mod rate;
mod state;
mod threads;
mod tokens;
mod webhooks;
mod workflows;

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::limit::RequestBodyLimitLayer;
use tower_http::timeout::TimeoutLayer;

use deliveries::{Deliveries, Job};

pub use asks::{AskEntry, UNREADABLE, open_asks};
pub use authentication::{TOKEN, cookie};
pub use error::ProblemDetails;
pub(crate) use events::events;
pub use openapi::description;
pub use person::Person;
pub use state::{HttpSettings, Service, Shared};
pub(crate) use state::{blocking, working};
pub use threads::{document_of, documents_of};
pub use tokens::{Role, Tokens};

use super::Installation;
use door::{Door, Peer};

/// The largest body, in bytes.
const LARGEST_BODY: usize = 4 * 1024 * 1024;
/// The maximum duration of a request.
const DEADLINE: Duration = Duration::from_secs(60);
/// The time for which connections are still served when the service ends, so that clients learn of it by `Connection:
/// close`.
const FAREWELL: Duration = Duration::from_millis(500);
/// The time that the last accepted connections have for their request, before idle ones are closed.
const LAST_WORD: Duration = Duration::from_millis(250);
/// The maximum duration of requests that were accepted before the end.
const PATIENCE: Duration = Duration::from_secs(70);

/// All routes of the service; `pages` are those for people.
pub(crate) fn router(state: Shared, pages: Router<Shared>) -> Router {
    let programs = Router::new()
        .route("/v1/judge", post(gate::judge))
        .route("/v1/review", post(gate::review))
        .route("/v1/rules", get(about::rules))
        .route("/v1/rules/{rule}", get(about::explain))
        .route("/v1/health", get(about::health))
        .route("/v1/threads", get(threads::list).post(threads::start))
        .route("/v1/threads/{thread}", get(threads::status))
        .route("/v1/threads/{thread}/order", get(threads::order))
        .route("/v1/threads/{thread}/results", post(threads::submit))
        .route("/v1/threads/{thread}/cancel", post(threads::cancel))
        .route("/v1/threads/{thread}/documents", get(threads::documents))
        .route("/v1/threads/{thread}/documents/{name}", get(threads::document_text))
        .route("/v1/threads/{thread}/history", get(threads::history))
        .route("/v1/threads/{thread}/events", get(events::events))
        .route("/v1/workflows", get(workflows::list))
        .route("/v1/asks", get(asks::list))
        .route("/v1/asks/{ask}", get(asks::show))
        .route("/v1/asks/{ask}/answer", post(asks::answer))
        .route("/mcp", post(mcp::post))
        .route_layer(from_fn_with_state(Arc::clone(&state), admission::hold))
        .route_layer(from_fn_with_state(Arc::clone(&state), authentication::required));
    let pages = pages.route_layer(from_fn_with_state(Arc::clone(&state), admission::hold));
    Router::new()
        .merge(programs)
        .merge(pages)
        .route("/webhooks/github", post(webhooks::github))
        .route("/webhooks/jira", post(webhooks::jira))
        .route("/openapi.json", get(openapi::show))
        .route("/healthz", get(about::alive))
        .layer(DefaultBodyLimit::disable())
        .layer(RequestBodyLimitLayer::new(LARGEST_BODY))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, DEADLINE))
        .layer(CatchPanicLayer::custom(admission::panicked))
        .layer(from_fn_with_state(Arc::clone(&state), admission::admit))
        .layer(from_fn_with_state(Arc::clone(&state), admission::finish))
        .with_state(state)
}

/// A service that is bound to its address and is run by [`Listening::serve`].
pub struct Listening {
    runtime: tokio::runtime::Runtime,
    listener: TcpListener,
    state: Shared,
    pages: Router<Shared>,
    jobs: mpsc::Receiver<(String, Job)>,
    end: watch::Sender<bool>,
}

/// Binds the address. `pages` are the routes for people.
///
/// # Errors
/// Fails if the address cannot be used.
pub fn listen(
    installation: Box<dyn Installation>,
    settings: HttpSettings,
    pages: Router<Shared>,
) -> io::Result<Listening> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let listener = runtime.block_on(TcpListener::bind(settings.listen))?;
    let (end, ending) = watch::channel(false);
    let (queue, jobs) = mpsc::channel(deliveries::MOST_WAITING);
    let state = Service::new(installation, settings, Deliveries::new(queue), ending);
    Ok(Listening { runtime, listener, state: Arc::new(state), pages, jobs, end })
}

impl Listening {
    /// The address, with the port that the system chose if it was 0.
    ///
    /// # Errors
    /// Fails if the system does not report it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until SIGTERM or SIGINT; every accepted request is answered.
    ///
    /// # Errors
    /// Fails if the system cannot deliver signals.
    pub fn serve(self) -> io::Result<()> {
        let Self { runtime, listener, state, pages, jobs, end } = self;
        let app = router(Arc::clone(&state), pages).into_make_service_with_connect_info::<Peer>();
        let served = runtime.block_on(async move {
            let mut signals = Signals::new()?;
            let (ended, has_ended) = watch::channel(false);
            let worker = tokio::spawn(webhooks::work(state, jobs, has_ended));
            let (shut, shutting) = watch::channel(false);
            let (close, mut closing) = watch::channel(false);
            let served = axum::serve(Door::new(listener, shutting)?, app).with_graceful_shutdown(async move {
                // An error means that the sender was dropped, which also ends the wait.
                let _ = closing.wait_for(|close| *close).await;
            });
            let mut served = tokio::spawn(served.into_future());
            tokio::select! {
                () = signals.next() => {}
                ended = &mut served => return ended?,
            }
            end.send_replace(true);
            tokio::time::sleep(FAREWELL).await;
            shut.send_replace(true);
            tokio::time::sleep(LAST_WORD).await;
            close.send_replace(true);
            // The deadline has ended longer requests; the rest are clients that do not read.
            let served = tokio::time::timeout(PATIENCE, served).await.unwrap_or(Ok(Ok(())));
            ended.send_replace(true);
            worker.await?;
            served?
        });
        // A delivery that is still in work is dropped.
        runtime.shutdown_timeout(Duration::from_secs(1));
        served
    }
}

/// The signals that end the service.
#[cfg(unix)]
struct Signals {
    terminate: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self { terminate: signal(SignalKind::terminate())?, interrupt: signal(SignalKind::interrupt())? })
    }

    async fn next(&mut self) {
        tokio::select! {
            _ = self.terminate.recv() => {}
            _ = self.interrupt.recv() => {}
        }
    }
}

/// The signal that ends the service.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) {
        // Without the signal the service does not end.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
