//! The listener of the service. It accepts every connection that arrives before it closes, and then serves the open
//! ones.

use std::future::pending;
use std::io;
use std::net::SocketAddr;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// The address of the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub(super) struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// A listener that can be closed while its connections stay open.
pub(super) struct Door {
    listener: Option<TcpListener>,
    /// Connections that were waiting when it closed.
    waiting: Vec<(TcpStream, SocketAddr)>,
    address: SocketAddr,
    closing: watch::Receiver<bool>,
}

impl Door {
    /// Creates a listener that closes once `closing` is true.
    ///
    /// # Errors
    /// Fails if the system does not report the address.
    pub(super) fn new(listener: TcpListener, closing: watch::Receiver<bool>) -> io::Result<Self> {
        let address = listener.local_addr()?;
        Ok(Self { listener: Some(listener), waiting: Vec::new(), address, closing })
    }
}

impl Listener for Door {
    type Io = TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (TcpStream, SocketAddr) {
        loop {
            if let Some(connection) = self.waiting.pop() {
                return connection;
            }
            let Some(listener) = &mut self.listener else { return pending().await };
            tokio::select! {
                connection = Listener::accept(listener) => return connection,
                // An error means that the sender was dropped, which also ends the wait.
                _ = self.closing.wait_for(|closing| *closing) => {}
            }
            self.waiting = self.listener.take().map(last_in).unwrap_or_default();
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// Closes a listener. Without a last look the system would reset connections that were not accepted yet.
fn last_in(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let met = std::iter::from_fn(|| listener.accept().ok());
    met.filter_map(|(stream, peer)| {
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    })
    .collect()
}
