//! A Redis server for one test, on a free port of this machine, in a temporary folder.

use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A running `redis-server` process.
pub struct Server {
    folder: tempfile::TempDir,
    pub port: u16,
    encrypted: Option<u16>,
    settings: Vec<String>,
    child: Mutex<Child>,
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port").port()
}

impl Server {
    /// A server configured as documented, with further settings.
    pub fn start(settings: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        Self::begin(folder, None, settings.iter().map(|&setting| setting.to_owned()).collect())
    }

    /// A server that also accepts encrypted connections, under the name `localhost`.
    pub fn start_encrypted() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("ext"), "subjectAltName=DNS:localhost\nbasicConstraints=CA:FALSE\n")
            .expect("a file");
        let openssl = "set -e
            openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.crt -days 2 -subj /CN=test-authority
            openssl req -newkey rsa:2048 -nodes -keyout server.key -out server.csr -subj /CN=localhost
            openssl x509 -req -in server.csr -CA ca.crt -CAkey ca.key -CAcreateserial -out server.crt -days 2 -extfile ext";
        let made = Command::new("sh").args(["-c", openssl]).current_dir(folder.path()).output().expect("openssl");
        assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
        let port = free_port();
        let file = |name: &str| folder.path().join(name).display().to_string();
        let settings = [
            ("--tls-port", port.to_string()),
            ("--tls-cert-file", file("server.crt")),
            ("--tls-key-file", file("server.key")),
            ("--tls-ca-cert-file", file("ca.crt")),
            ("--tls-auth-clients", "no".to_owned()),
        ];
        let settings = settings.into_iter().flat_map(|(name, value)| [name.to_owned(), value]).collect();
        Self::begin(folder, Some(port), settings)
    }

    fn begin(folder: tempfile::TempDir, encrypted: Option<u16>, settings: Vec<String>) -> Self {
        let port = free_port();
        let child = Mutex::new(spawn(&folder, port, &settings));
        let server = Self { folder, port, encrypted, settings, child };
        server.wait();
        server
    }

    /// The address of a store with a separate key prefix, whose claims outlive their process by a second.
    pub fn address(&self, prefix: &str) -> String {
        format!("redis://127.0.0.1:{}/0?prefix={prefix}&lease_seconds=1", self.port)
    }

    pub fn encrypted_address(&self, host: &str) -> String {
        format!("rediss://{host}:{}/0", self.encrypted.expect("it takes encrypted connections"))
    }

    /// The certificate of the authority that signed the server's certificate.
    pub fn authority(&self) -> PathBuf {
        self.folder.path().join("ca.crt")
    }

    fn connection(&self) -> redis::RedisResult<redis::Connection> {
        redis::Client::open(("127.0.0.1", self.port))?.get_connection_with_timeout(Duration::from_secs(5))
    }

    /// Sends a command to the server directly.
    pub fn ask(&self, command: &[&str]) -> redis::Value {
        let mut connection = self.connection().expect("a connection");
        redis::cmd(command[0])
            .arg(&command[1..])
            .query(&mut connection)
            .unwrap_or_else(|error| panic!("{command:?}: {error}"))
    }

    /// The answer to a command as a number.
    pub fn number(&self, command: &[&str]) -> i64 {
        match self.ask(command) {
            redis::Value::Int(number) => number,
            other => panic!("{command:?}: {other:?}"),
        }
    }

    /// Kills the server with SIGKILL.
    pub fn kill(&self) {
        let mut child = self.child.lock().expect("nobody panicked");
        child.kill().expect("it runs");
        child.wait().expect("it ended");
    }

    /// Starts the server again on its files.
    pub fn start_again(&self) {
        *self.child.lock().expect("nobody panicked") = spawn(&self.folder, self.port, &self.settings);
        self.wait();
    }

    fn wait(&self) {
        let begun = Instant::now();
        while self.connection().is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "redis-server does not start");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if let Ok(child) = self.child.get_mut() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn spawn(folder: &tempfile::TempDir, port: u16, settings: &[String]) -> Child {
    let mut command = Command::new("redis-server");
    command.args(["--port", &port.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "yes"]);
    command.args(["--maxmemory-policy", "noeviction", "--enable-debug-command", "yes"]).args(settings);
    command.arg("--dir").arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().expect("redis-server is not installed: apt-get install redis-server")
}

/// Sends a signal to a process that this test started.
pub fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill").args([&format!("-{name}"), &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}
