//! The port: whoever has reached it before it closes is let in, and those inside are served on.

use std::future::pending;
use std::io;
use std::net::SocketAddr;

use axum::extract::connect_info::Connected;
use axum::serve::{IncomingStream, Listener};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// Who is at the other end of a connection.
#[derive(Debug, Clone, Copy)]
pub struct Peer(pub SocketAddr);

impl Connected<IncomingStream<'_, Door>> for Peer {
    fn connect_info(stream: IncomingStream<'_, Door>) -> Self {
        Self(*stream.remote_addr())
    }
}

/// A listener that can be closed while its connections live.
pub struct Door {
    listener: Option<TcpListener>,
    /// Connections that were waiting when it closed.
    waiting: Vec<(TcpStream, SocketAddr)>,
    address: SocketAddr,
    closing: watch::Receiver<bool>,
}

impl Door {
    /// Closes once `closing` is true.
    ///
    /// # Errors
    /// Fails if the system does not say the address.
    pub fn new(listener: TcpListener, closing: watch::Receiver<bool>) -> io::Result<Self> {
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
                // An error means that the sender is gone, which is also the end.
                _ = self.closing.wait_for(|closing| *closing) => {}
            }
            self.waiting = self.listener.take().map(last_in).unwrap_or_default();
        }
    }

    fn local_addr(&self) -> io::Result<SocketAddr> {
        Ok(self.address)
    }
}

/// Closes a listener. Without a last look the system would reset whoever has connected and not yet been met.
fn last_in(listener: TcpListener) -> Vec<(TcpStream, SocketAddr)> {
    let Ok(listener) = listener.into_std() else { return Vec::new() };
    let met = std::iter::from_fn(|| listener.accept().ok());
    met.filter_map(|(stream, peer)| {
        stream.set_nonblocking(true).ok()?;
        Some((TcpStream::from_std(stream).ok()?, peer))
    })
    .collect()
}
