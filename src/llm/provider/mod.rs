//! Providers and the names of their models: what each wants and sends is a profile, which is data and a few lines.

mod agent;
mod anthropic;
mod fault;
mod gemini;
mod ollama;
mod openai;

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::schema::without_list_bounds;
use super::{ChatError, ChatReply, ChatRequest, Fault, ModelSettings, Structured};
use crate::clean::short_line;
use crate::net::Reply;

pub use fault::scrubbed;

/// Every provider with a server. A new one is a file with its profile, and a line here.
pub const PROVIDERS: &[&Profile] = &[&openai::OPENAI, &anthropic::ANTHROPIC, &gemini::GEMINI, &ollama::OLLAMA];

/// Whose wire format a model speaks: one of the profiles here.
#[derive(Clone, Copy)]
pub struct Provider(&'static Profile);

impl Provider {
    /// Every provider, and last the coding agents.
    pub fn all() -> impl Iterator<Item = Self> {
        PROVIDERS.iter().copied().chain([&agent::AGENT]).map(Self)
    }

    /// The provider of this name, e.g. `ollama`.
    pub fn named(name: &str) -> Option<Self> {
        Self::all().find(|provider| provider.word() == name)
    }

    /// The word before the slash.
    pub fn word(self) -> &'static str {
        self.0.name
    }

    /// True for programs on this machine that are called instead of a server.
    pub fn is_program(self) -> bool {
        self.0.base_url.is_empty()
    }

    /// Everything that is known of it.
    pub fn profile(self) -> &'static Profile {
        self.0
    }
}

impl fmt::Debug for Provider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl PartialEq for Provider {
    fn eq(&self, other: &Self) -> bool {
        self.word() == other.word()
    }
}

impl Eq for Provider {}

impl Hash for Provider {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.word().hash(state);
    }
}

impl PartialOrd for Provider {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Provider {
    fn cmp(&self, other: &Self) -> Ordering {
        self.word().cmp(other.word())
    }
}

/// A provider and the name of one of its models, e.g. `ollama/qwen2.5:7b`. There is no default: models come and go.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelName {
    provider: Provider,
    name: String,
}

/// Why a text is no name of a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a model: write {forms}", forms = forms())]
pub struct InvalidModelName(String);

impl ModelName {
    /// The name of a model of `provider`: 1 to 200 characters, no white space, no control characters.
    ///
    /// # Errors
    /// Fails if the name cannot be one.
    pub fn new(provider: Provider, name: &str) -> Result<Self, InvalidModelName> {
        let fits = !name.is_empty()
            && name.len() <= 200
            && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_.:/@+".contains(c))
            && !name.split('/').any(|part| part.is_empty() || part == "." || part == "..");
        match fits {
            true => Ok(Self { provider, name: name.to_string() }),
            false => Err(InvalidModelName(format!("{}/{}", provider.word(), shown(name)))),
        }
    }

    /// Whose wire format it speaks.
    pub fn provider(&self) -> Provider {
        self.provider
    }

    /// The name without the provider, as it is sent.
    pub fn name(&self) -> &str {
        &self.name
    }
}

/// How the name of a model is written, for each provider.
fn forms() -> String {
    let forms: Vec<String> = Provider::all().map(|provider| format!("{}/NAME", provider.word())).collect();
    match forms.split_last() {
        Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => forms.concat(),
    }
}

/// What an error repeats of a wrong name.
fn shown(name: &str) -> String {
    short_line(name, 80)
}

impl FromStr for ModelName {
    type Err = InvalidModelName;

    fn from_str(text: &str) -> Result<Self, InvalidModelName> {
        let invalid = || InvalidModelName(shown(text));
        let (word, name) = text.trim().split_once('/').ok_or_else(invalid)?;
        let provider = Provider::named(word).ok_or_else(invalid)?;
        Self::new(provider, name)
    }
}

impl TryFrom<String> for ModelName {
    type Error = InvalidModelName;

    fn try_from(text: String) -> Result<Self, InvalidModelName> {
        text.parse()
    }
}

impl From<ModelName> for String {
    fn from(name: ModelName) -> Self {
        name.to_string()
    }
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.provider.word(), self.name)
    }
}

/// What one wire format takes and gives. Places in a body are JSON pointers.
pub struct Profile {
    /// The word before the slash in the name of a model.
    pub name: &'static str,
    /// The name that the conventions of OpenTelemetry give it.
    pub trace_name: &'static str,
    /// Environment variables that may hold the key; the first that is set wins.
    pub key_variables: &'static [&'static str],
    /// True if its own service answers nobody without a key.
    pub needs_key: bool,
    /// What holds instead for servers elsewhere that speak the same format.
    pub compatible: Option<&'static Profile>,
    /// Where the provider is; empty for programs.
    pub base_url: &'static str,
    /// Path of the operation below the base URL; `{model}` stands for the name of the model.
    pub path: &'static str,
    /// The header of the key, and what stands before the key in it.
    pub key: (&'static str, &'static str),
    /// Headers that every request has.
    pub headers: &'static [(&'static str, &'static str)],
    /// Where the limit of tokens goes, and where it goes if the server refuses that.
    pub token_limit: [&'static str; 2],
    /// Where the temperature goes, and the one that is sent if nobody says otherwise.
    pub temperature: (&'static str, Option<f32>),
    /// Switches with one fixed position, e.g. that the provider stores nothing.
    pub switches: &'static [(&'static str, bool)],
    /// How the shape of an answer can be asked for, best first.
    pub shapes: &'static [Structured],
    /// True if the server may enforce a schema without showing it to the model.
    pub schema_in_prompt: bool,
    /// True if a schema may say how many items a list has.
    pub list_bounds: bool,
    /// Writes the two messages, and whatever else this format alone needs, into the body.
    pub messages: fn(&mut Value, &Prompt),
    /// Asks for the shape; never called with [`Structured::Prompt`].
    pub shape: fn(&mut Value, &ChatRequest),
    /// Reads the body of a reply with status 200; `Err` says what is wrong with it.
    pub read: fn(&Value) -> Result<ChatReply, String>,
}

/// What the model reads.
pub struct Prompt<'a> {
    /// The model.
    pub model: &'a str,
    /// What it is to do.
    pub system: String,
    /// The text it is about.
    pub user: String,
    /// Largest answer, in tokens.
    pub max_output_tokens: u32,
}

/// A request as it goes over the wire.
pub struct Wire {
    /// The whole URL.
    pub url: String,
    /// Headers without the key.
    pub headers: Vec<(&'static str, &'static str)>,
    /// The body.
    pub body: Value,
}

/// Fields that this server was found to refuse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Refused {
    /// The temperature.
    pub temperature: bool,
    /// The usual place of the limit of tokens.
    pub token_limit: bool,
    /// Bounds of lists in the schema.
    pub list_bounds: bool,
}

impl Profile {
    /// The profile for these settings: OpenAI's own service takes fields that servers which only speak like it refuse.
    pub fn of(settings: &ModelSettings) -> &'static Self {
        let profile = settings.model.provider().profile();
        let host = profile.base_url.split('/').nth(2).unwrap_or_default();
        let own = settings.base_url.as_deref().is_none_or(|url| url.contains(&format!("//{host}/")));
        profile.compatible.filter(|_| !own).unwrap_or(profile)
    }

    /// Builds the request.
    pub fn request(&self, settings: &ModelSettings, request: &ChatRequest, refused: Refused) -> Wire {
        let base = settings.base_url.as_deref().unwrap_or(self.base_url).trim_end_matches('/');
        let bare = (!self.list_bounds || refused.list_bounds)
            .then(|| ChatRequest { schema: without_list_bounds(&request.schema), ..request.clone() });
        let request = bare.as_ref().unwrap_or(request);
        let prompt = self.prompt(request);
        let mut body = json!({});
        (self.messages)(&mut body, &prompt);
        if request.structured != Structured::Prompt {
            (self.shape)(&mut body, request);
        }
        let [usual, other] = self.token_limit;
        put(&mut body, if refused.token_limit { other } else { usual }, json!(request.max_output_tokens));
        let (place, usual) = self.temperature;
        if let Some(temperature) = settings.temperature.or(usual).filter(|_| !refused.temperature) {
            put(&mut body, place, json!((f64::from(temperature) * 1000.0).round() / 1000.0));
        }
        for (place, position) in self.switches {
            put(&mut body, place, json!(position));
        }
        let path = self.path.replace("{model}", request.model.name());
        Wire { url: format!("{base}{path}"), headers: self.headers.to_vec(), body }
    }

    /// What the model reads for a request.
    pub fn prompt<'a>(&self, request: &'a ChatRequest) -> Prompt<'a> {
        let mut system = request.instructions.clone();
        if self.schema_in_prompt || request.structured != Structured::Schema {
            system.push_str("\n\nAnswer with one JSON object and nothing else. It must match this JSON Schema:\n");
            system.push_str(&request.schema.to_string());
        }
        let mut user = request.data.clone();
        if !request.feedback.is_empty() {
            user.push_str("\n\nYour last answer was not valid. Give the whole answer again, with this corrected:\n- ");
            user.push_str(&request.feedback.join("\n- "));
        }
        Prompt { model: request.model.name(), system, user, max_output_tokens: request.max_output_tokens }
    }

    /// The next way to ask for the shape if the server does not take `shape`.
    pub fn below(&self, shape: Structured) -> Option<Structured> {
        self.shapes.iter().copied().find(|other| *other > shape)
    }

    /// Reads what came back. `secret` is taken out of every message.
    ///
    /// # Errors
    /// What happened, if it is no reply.
    pub fn reply(&self, reply: &Reply, secret: Option<&str>) -> Result<ChatReply, ChatError> {
        let parsed: Result<Value, _> = serde_json::from_slice(&reply.body);
        let said = parsed.as_ref().unwrap_or(&Value::Null);
        // Gateways answer 200 with an error inside, its code as a number.
        let status = match (reply.status, fault::status_inside(said)) {
            (200..=299, Some(inside)) => inside,
            (status, _) => status,
        };
        if !(200..=299).contains(&status) {
            return Err(ChatError {
                fault: fault::fault(status, reply, said),
                status,
                message: fault::message(said, &reply.body, secret),
                retry_after: fault::asked_to_wait(reply, said),
            });
        }
        let malformed =
            |what: String| ChatError { status, ..ChatError::new(Fault::Malformed, scrubbed(&what, secret)) };
        let body = parsed.map_err(|error| malformed(format!("no JSON: {error}")))?;
        (self.read)(&body).map_err(malformed)
    }
}

/// Writes `value` at a JSON pointer, e.g. `/generationConfig/temperature`; whatever is no object on the way becomes one.
fn put(body: &mut Value, pointer: &str, value: Value) {
    let mut here = body;
    for name in pointer.split('/').skip(1) {
        if !here.is_object() {
            *here = Value::Object(Map::new());
        }
        let Value::Object(object) = here else { return };
        here = object.entry(name).or_insert(Value::Null);
    }
    *here = value;
}

#[cfg(test)]
mod tests;
