//! Providers and the names of their models. The needs and formats of each are a profile, which is data and a few lines.

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

pub(super) use fault::scrubbed;

/// Every provider with a server. A new provider needs a file with its profile and a line here.
pub(crate) const PROVIDERS: &[&Profile] = &[&openai::OPENAI, &anthropic::ANTHROPIC, &gemini::GEMINI, &ollama::OLLAMA];

/// The profile of a provider.
pub(super) fn profile(provider: Provider) -> &'static Profile {
    let all = PROVIDERS.iter().copied();
    all.chain([&agent::AGENT]).find(|profile| profile.name == provider.word()).unwrap_or(&agent::AGENT)
}

/// The wire format of a provider. Places in a body are JSON pointers.
pub(super) struct Profile {
    /// The word before the slash in the name of a model.
    pub name: &'static str,
    /// The name in the conventions of OpenTelemetry.
    pub(crate) trace_name: &'static str,
    /// Environment variables that may contain the key; the first that is set wins.
    pub(crate) key_variables: &'static [&'static str],
    /// The provider's own service requires a key.
    pub(crate) needs_key: bool,
    /// The profile to use instead for other servers with the same format.
    pub compatible: Option<&'static Profile>,
    /// The address of the provider; empty for programs.
    pub base_url: &'static str,
    /// The path of the operation below the base URL, with `{model}` for the name of the model.
    pub path: &'static str,
    /// The header of the key, and the text before the key in it.
    pub key: (&'static str, &'static str),
    /// The headers of every request.
    pub headers: &'static [(&'static str, &'static str)],
    /// The place of the limit of tokens, and the place to use if the server refuses the first.
    pub(crate) token_limit: [&'static str; 2],
    /// The place of the temperature, and its default value.
    pub(crate) temperature: (&'static str, Option<f32>),
    /// Switches with one fixed value, e.g. that the provider does not store requests.
    pub switches: &'static [(&'static str, bool)],
    /// The supported forms of requesting the shape of an answer, best first.
    pub shapes: &'static [Structured],
    /// The server may enforce a schema without showing it to the model.
    pub(crate) schema_in_prompt: bool,
    /// A schema may limit the number of items in a list.
    pub(crate) list_bounds: bool,
    /// Writes the two messages, and other fields that only this format needs, into the body.
    pub messages: fn(&mut Value, &Prompt),
    /// Requests the shape; never called with [`Structured::Prompt`].
    pub shape: fn(&mut Value, &ChatRequest),
    /// Reads the body of a reply with status 200; `Err` contains its fault.
    pub read: fn(&Value) -> Result<ChatReply, String>,
}

/// The text that the model reads.
pub(super) struct Prompt<'a> {
    /// The name of the model.
    pub model: &'a str,
    /// The task of the model.
    pub system: String,
    /// The text that the task is about.
    pub user: String,
    /// The largest answer, in tokens.
    pub max_output_tokens: u32,
}

/// A request as it is sent.
pub(super) struct Wire {
    /// The complete URL of the request.
    pub url: String,
    /// The headers without the key.
    pub headers: Vec<(&'static str, &'static str)>,
    pub body: Value,
}

/// Fields that this server was found to refuse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Refused {
    /// The server refuses the temperature.
    pub(crate) temperature: bool,
    /// The server refuses the usual place of the limit of tokens.
    pub(crate) token_limit: bool,
    /// The server refuses limits of lists in the schema.
    pub(crate) list_bounds: bool,
}

impl Profile {
    /// The profile for these settings. OpenAI's own service accepts fields that other servers with its format refuse.
    pub(super) fn of(settings: &ModelSettings) -> &'static Self {
        let profile = profile(settings.model.provider());
        let host = profile.base_url.split('/').nth(2).unwrap_or_default();
        let own = settings.base_url.as_deref().is_none_or(|url| url.contains(&format!("//{host}/")));
        profile.compatible.filter(|_| !own).unwrap_or(profile)
    }

    /// Builds the request to be sent.
    pub(super) fn request(&self, settings: &ModelSettings, request: &ChatRequest, refused: Refused) -> Wire {
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

    /// The text that the model reads for a request.
    pub(super) fn prompt<'a>(&self, request: &'a ChatRequest) -> Prompt<'a> {
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

    /// The next form in which to request the shape if the server does not accept `shape`.
    pub(super) fn below(&self, shape: Structured) -> Option<Structured> {
        self.shapes.iter().copied().find(|other| *other > shape)
    }

    /// Reads the reply. `secret` is removed from every message.
    ///
    /// # Errors
    /// Returns the fault of an error reply.
    pub(super) fn reply(&self, reply: &Reply, secret: Option<&str>) -> Result<ChatReply, ChatError> {
        let parsed: Result<Value, _> = serde_json::from_slice(&reply.body);
        let said = parsed.as_ref().unwrap_or(&Value::Null);
        // Gateways answer 200 with an error inside, with its code as a number.
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

/// Writes `value` at a JSON pointer, e.g. `/generationConfig/temperature`; values on the way are replaced by objects if
/// necessary.
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
