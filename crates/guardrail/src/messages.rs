//! Masks secrets in messages about something that was sent or typed wrongly: they repeat its words, and can end up in a log.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Guardrail;
use reqgate_base::clean::short_masks;
use reqgate_base::model::{GuardrailAction, GuardrailKind, SourceType};
use reqgate_rules::config::guardrail::{GuardrailPatterns, GuardrailSettings, PERSONAL_KINDS};

/// The shipped patterns of secrets. Without them, which a test rules out, no message is shown.
static SECRETS: LazyLock<Option<Guardrail>> = LazyLock::new(|| {
    let mut settings = GuardrailSettings::default();
    let others = PERSONAL_KINDS.into_iter().chain([GuardrailKind::PromptInjection]);
    settings.actions = others.map(|kind| (kind, GuardrailAction::Off)).collect();
    Guardrail::new(&settings, &GuardrailPatterns::shipped().ok()?).ok()
});

/// A message without the secrets that it repeats; masks do not show how long they were.
pub fn without_secrets(message: &str) -> Cow<'_, str> {
    let Some(screen) = SECRETS.as_ref() else { return Cow::Borrowed("") };
    let masked = screen.screen(message, &[], SourceType::PlainText).text;
    if masked == message { Cow::Borrowed(message) } else { Cow::Owned(short_masks(&masked).into_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_repeats_no_secret() {
        let token = ["rqg_", "aZ3_kL9-Qw7xRt2Yv5Nb8", "MfPd1Gh6JcKs4TeUoIpHqE"].concat();
        for secret in ["AKIAIOSFODNN7EXAMPL9", &token] {
            let message = format!("there is no thread `{secret}`: see /v1/threads");
            assert_eq!(without_secrets(&message), "there is no thread `[secret]`: see /v1/threads");
        }
        for plain in
            ["unknown key `rulez`: did you mean `rules`?", "write to ann@shop.example", "there is no policy `ready-v2`"]
        {
            assert_eq!(without_secrets(plain), plain);
        }
    }
}
