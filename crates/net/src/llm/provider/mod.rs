//! Providers and the names of their models: what each wants and sends is a profile, which is data and a few lines.

mod agent;
mod anthropic;
mod fault;
mod gemini;
mod ollama;
mod openai;

use serde_json::{Map, Value, json};

use super::schema::without_list_bounds;
use super::{ChatError, ChatReply, ChatRequest, Fault, ModelSettings, Structured};
use crate::Reply;
use reqgate_base::model::Provider;

pub use fault::scrubbed;

/// Every provider with a server. A new one is a file with its profile, and a line here.
pub const PROVIDERS: &[&Profile] = &[&openai::OPENAI, &anthropic::ANTHROPIC, &gemini::GEMINI, &ollama::OLLAMA];

/// Everything that is known of a provider.
pub fn profile(provider: Provider) -> &'static Profile {
    let all = PROVIDERS.iter().copied();
    all.chain([&agent::AGENT]).find(|profile| profile.name == provider.word()).unwrap_or(&agent::AGENT)
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
        let profile = profile(settings.model.provider());
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
