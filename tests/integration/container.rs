//! The container of the service, checked as text: its addresses, ports and health checks are those of the program.

use std::fs;

use serde_json::Value;

fn read(name: &str) -> String {
    let path = format!("{}/{name}", env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The paths of the description of the service.
fn paths() -> Vec<String> {
    reqgate::serve::http::description()["paths"].as_object().expect("paths").keys().cloned().collect()
}

/// The last argument of a health check.
fn checked(check: &Value) -> String {
    check["test"].as_array().and_then(|words| words.last()?.as_str()).expect("a command").to_owned()
}

#[test]
fn the_service_and_its_store_are_started_and_watched_as_the_documents_say() {
    let compose: Value = reqgate::yaml::read(&read("examples/service/docker-compose.yml")).expect("YAML");
    let (service, redis) = (&compose["services"]["service"], &compose["services"]["redis"]);
    let dockerfile = read("examples/service/Dockerfile");
    assert_eq!(service["build"]["dockerfile"], "examples/service/Dockerfile");
    assert_eq!(service["environment"]["REDIS_URL"], "redis://redis:6379");
    assert_eq!(service["depends_on"]["redis"]["condition"], "service_healthy");
    let command: Vec<&str> = redis["command"].as_array().expect("a command").iter().filter_map(Value::as_str).collect();
    // The store refuses a server without these.
    for setting in [["--appendonly", "yes"], ["--appendfsync", "always"], ["--maxmemory-policy", "noeviction"]] {
        assert!(command.windows(2).any(|two| two == setting), "{setting:?}: {command:?}");
    }
    assert!(redis["image"].as_str().is_some_and(|image| image.starts_with("redis:7")));
    assert_eq!(checked(&redis["healthcheck"]), "ping");

    // Only this machine reaches the port, and both health checks ask an operation that needs no token.
    assert_eq!(service["ports"][0], "127.0.0.1:8787:8787");
    let asked = checked(&service["healthcheck"]);
    let path = asked.strip_prefix("http://127.0.0.1:8787").expect("its own address");
    assert!(paths().iter().any(|known| known == path), "{path}");
    assert!(dockerfile.contains(&asked) && dockerfile.contains("EXPOSE 8787"), "{asked}");
    for line in ["USER reqgate", "WORKDIR /project", "ENTRYPOINT [\"reqgate\"]", "--features otel", "FROM rust:1.95"] {
        assert!(dockerfile.contains(line), "{line}");
    }
    // The image holds no thread and no token of this machine.
    let ignored = read("examples/service/Dockerfile.dockerignore");
    for line in ["**/.reqgate", "examples/service/project"] {
        assert!(ignored.lines().any(|ignored| ignored == line), "{line}");
    }
    let version = read("Cargo.toml");
    assert!(version.contains("rust-version = \"1.95\""), "the image has the compiler of the workspace");
}
