//! TLS for every door to the network: rustls with the cryptography of ring, installed once a process.

/// Makes sure that a client can be built; whoever comes first installs it, and for the others it is there.
pub fn ready() {
    // An error means that it is installed already.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
