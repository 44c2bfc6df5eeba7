//! A proxy between a client and a server that loses answers when a test requests it.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::thread;

/// The treatment of the next answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Next {
    /// The answer is delivered.
    Arrives = 0,
    /// The connection is closed instead.
    Cut = 1,
    /// The answer is lost, and the connection stays half open without further data.
    Lost = 2,
}

/// A proxy between clients and a server.
pub struct Proxy {
    pub port: u16,
    next: Arc<AtomicU8>,
}

impl Proxy {
    /// Starts a proxy to the server at this port.
    pub fn to(server: u16) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        let next = Arc::new(AtomicU8::new(Next::Arrives as u8));
        let shared = Arc::clone(&next);
        thread::spawn(move || {
            for client in listener.incoming() {
                let (client, next) = (client.expect("a client"), Arc::clone(&shared));
                // The server is down, so the client sees its connection closed.
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else { continue };
                let (from, to) = (client.try_clone().expect("a socket"), server.try_clone().expect("a socket"));
                thread::spawn(move || pass(from, to));
                thread::spawn(move || answers(server, client, &next));
            }
        });
        Self { port, next }
    }

    /// Sets the treatment of the next answer on any connection.
    pub fn next(&self, next: Next) {
        self.next.store(next as u8, Ordering::SeqCst);
    }

    /// Returns true if an answer was treated since the last call of `next`.
    pub fn is_done(&self) -> bool {
        self.next.load(Ordering::SeqCst) == Next::Arrives as u8
    }
}

fn pass(mut from: TcpStream, mut to: TcpStream) {
    let mut bytes = [0; 4096];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        if to.write_all(&bytes[..length]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

fn answers(mut from: TcpStream, mut to: TcpStream, next: &AtomicU8) {
    let mut bytes = [0; 65_536];
    while let Ok(length @ 1..) = from.read(&mut bytes) {
        match next.swap(Next::Arrives as u8, Ordering::SeqCst) {
            1 => break,
            // All further data of the server is dropped too.
            2 => while let Ok(1..) = from.read(&mut bytes) {},
            _ if to.write_all(&bytes[..length]).is_ok() => continue,
            _ => break,
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}
