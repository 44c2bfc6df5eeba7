//! Finds keys, tokens and passwords: one search for known beginnings and names, then a closer look at each hit.

mod address;
mod assigned;
mod bare;
mod calls;
mod commands;
mod entropy;
mod joined;
mod login;
mod pairs;
mod private_key;
mod shaped;
mod sign;
mod value;

use reqgate_base::model::{GuardrailKind, Span};
use reqgate_rules::config::guardrail::{GuardrailPatterns, Placeholders};
use reqgate_text::words::told_values::{CONNECTION_CALLS, CREDENTIAL_CALLS, LOGIN_CALLS, LOGINS};

use super::lexicon::{Key, Lexicon};
use super::{Find, GuardrailError};
use commands::Commands;
use joined::Joined;
use shaped::Shape;

#[derive(Debug)]
pub(super) struct SecretScreen {
    /// The literals that may lead to a secret, each with the way to read it there.
    literals: Lexicon<Trigger>,
    shapes: Vec<Shape>,
    commands: Vec<Commands>,
    placeholders: Placeholders,
}

/// The way to read the secret at a literal.
#[derive(Debug, Clone, Copy)]
enum Trigger {
    /// The literal begins the token of a shape.
    Shape(usize),
    /// The literal is a command that takes a password as an argument.
    Command(usize),
    /// The literal is one of the words of a reader.
    Reader(usize),
}

/// Reads the secret at a literal, from its place in the text.
type Reader = fn(&str, (usize, usize), &Placeholders) -> Option<Span>;

/// Secrets that no shape describes: the id, the reader, and true if the secret may be far from the literal, so that others between
/// the two count.
const READERS: [(&str, Reader, bool); 7] = [
    ("private-key-block", |text, hit, _| private_key::find(text, hit.0), false),
    ("address-password", address::address_password, false),
    ("authorization-header", address::authorization, false),
    ("curl-password", address::curl_user, false),
    ("call-password", calls::password, true),
    ("assigned-secret", login::find, true),
    ("assigned-secret", assigned::find, false),
];

/// The literals that lead to each reader.
fn words_of_readers(placeholders: &Placeholders) -> [Vec<&str>; READERS.len()] {
    let calls = CREDENTIAL_CALLS.iter().chain(LOGIN_CALLS.iter()).chain(CONNECTION_CALLS.iter());
    [
        vec!["-----BEGIN", "---- BEGIN", "Private-Lines"],
        vec!["://"],
        vec!["authorization"],
        vec!["-u ", "--user "],
        calls.collect(),
        LOGINS.iter().collect(),
        placeholders.secret_names.iter().map(String::as_str).collect(),
    ]
}

impl SecretScreen {
    pub(super) fn new(patterns: &GuardrailPatterns) -> Result<Self, GuardrailError> {
        // The first of several literals at one place wins: secrets with a typical form go before the names of settings.
        let mut literals: Vec<(&str, Trigger)> = Vec::new();
        for (index, pattern) in patterns.secrets.iter().enumerate() {
            literals.extend(pattern.prefixes.iter().map(|word| (word.as_str(), Trigger::Shape(index))));
        }
        for (index, pattern) in patterns.command_passwords.iter().enumerate() {
            literals.extend(pattern.commands.iter().map(|word| (word.as_str(), Trigger::Command(index))));
        }
        for (index, words) in words_of_readers(&patterns.placeholders).into_iter().enumerate() {
            literals.extend(words.into_iter().map(|word| (word, Trigger::Reader(index))));
        }
        Ok(Self {
            literals: Lexicon::new(Key::Pair, literals.into_iter()),
            shapes: patterns.secrets.iter().map(Shape::new).collect::<Result<_, _>>()?,
            commands: patterns.command_passwords.iter().map(Commands::new).collect(),
            placeholders: patterns.placeholders.clone(),
        })
    }

    /// Every find, without overlaps; a string that is written in several parts is read as one, too.
    pub(super) fn find(&self, text: &str) -> Vec<Find> {
        let finds = self.find_written(text);
        let Some(joined) = Joined::new(text) else { return finds };
        let across = self.find_written(&joined.text).into_iter().filter_map(|find| {
            let span = joined.original(find.span)?;
            Some(Find { span, ..find })
        });
        super::without_overlaps(across.collect(), finds)
    }

    /// Every find in the text as it is written.
    fn find_written(&self, text: &str) -> Vec<Find> {
        let mut finds: Vec<Find> = Vec::new();
        let mut apart: Vec<Find> = Vec::new();
        self.literals.scan(text, |start, end, trigger| {
            let is_covered = finds.last().is_some_and(|find| find.span.start <= start && end <= find.span.end);
            // A token may go on where the value of a setting seems to end.
            if is_covered && !matches!(trigger, Trigger::Shape(_)) {
                return;
            }
            let is_apart = match trigger {
                Trigger::Shape(_) => false,
                Trigger::Command(_) => true,
                Trigger::Reader(index) => READERS[index].2,
            };
            match self.read(text, (start, end), trigger) {
                Some(find) if is_apart => apart.push(find),
                Some(find) => push(&mut finds, find),
                None => {}
            }
        });
        // The value of a field next to its name was found after the values between them.
        finds.sort_by_key(|find| find.span);
        let mut apart_from_each_other = Vec::with_capacity(finds.len());
        finds.into_iter().for_each(|find| push(&mut apart_from_each_other, find));
        let ids = apart_from_each_other.iter().filter(|find| find.pattern == "aws-access-key");
        let beside = bare::beside(text, ids.map(|id| id.span));
        let access_keys = |spans: Vec<Span>| spans.into_iter().map(|span| secret("secret-access-key", span)).collect();
        let finds = super::without_overlaps(apart_from_each_other, access_keys(beside));
        let finds = super::without_overlaps(finds, access_keys(bare::find(text)));
        apart.sort_by_key(|find| find.span);
        apart.dedup_by(|later, earlier| later.span.overlaps(earlier.span));
        super::without_overlaps(finds, apart)
    }

    fn read(&self, text: &str, hit: (usize, usize), trigger: Trigger) -> Option<Find> {
        let (id, span) = match trigger {
            Trigger::Shape(index) => {
                let shape = &self.shapes[index];
                let span = shape.find(text, hit).filter(|span| !entropy::is_masked(span.slice(text)));
                (shape.id(), span)
            }
            Trigger::Command(index) => ("command-password", self.commands[index].find(text, hit, &self.placeholders)),
            Trigger::Reader(index) => (READERS[index].0, READERS[index].1(text, hit, &self.placeholders)),
        };
        span.map(|span| secret(id, span))
    }
}

fn secret(pattern: &str, span: Span) -> Find {
    Find { kind: GuardrailKind::Secret, pattern: pattern.to_owned(), span }
}

/// Adds a find. If it overlaps the last one, it replaces it and covers both, unless it is narrower; then it is dropped.
fn push(finds: &mut Vec<Find>, find: Find) {
    match finds.last_mut() {
        Some(last) if last.span.overlaps(find.span) => {
            if find.span.len() >= last.span.len() {
                let span = last.span.join(find.span);
                *last = Find { span, ..find };
            }
        }
        _ => finds.push(find),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reqgate_rules::config::guardrail::{Alphabet, SecretPattern};

    /// Puts made-up characters of the pattern's alphabet where an example says `{n}`.
    fn filled(example: &str, alphabet: Alphabet) -> String {
        let letters: Vec<char> = (b'0'..=b'z')
            .rev()
            .filter(|byte| byte.is_ascii_alphanumeric())
            .filter(|byte| alphabet.contains(*byte))
            .map(char::from)
            .collect();
        let mut text = String::new();
        let mut rest = example;
        let mut state = 17_usize;
        while let Some((head, tail)) = rest.split_once('{') {
            let Some((count, tail)) = tail.split_once('}') else { break };
            text.push_str(head);
            for _ in 0..count.parse().unwrap() {
                state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
                text.push(letters[(state >> 8) % letters.len()]);
            }
            rest = tail;
        }
        text + rest
    }

    #[test]
    fn every_example_of_a_command_behaves_as_stated() {
        let patterns = GuardrailPatterns::shipped().unwrap();
        let examples = GuardrailPatterns::shipped_examples().unwrap();
        let screen = SecretScreen::new(&patterns).unwrap();
        let hits = |text: &&String| screen.find(text).iter().any(|find| find.pattern == "command-password");
        for pattern in &patterns.command_passwords {
            let own = &examples[&pattern.id];
            let missed: Vec<&String> = own.fires.iter().filter(|text| !hits(text)).collect();
            let hit: Vec<&String> = own.silent.iter().filter(hits).collect();
            assert_eq!((missed, hit), (Vec::new(), Vec::new()), "{}", pattern.id);
        }
    }

    #[test]
    fn every_example_of_a_secret_behaves_as_stated() {
        let patterns = GuardrailPatterns::shipped().unwrap();
        let examples = GuardrailPatterns::shipped_examples().unwrap();
        let screen = SecretScreen::new(&patterns).unwrap();
        let mut wrong = Vec::new();
        let hits =
            |pattern: &SecretPattern, text: &str| screen.find(text).iter().any(|find| find.pattern == pattern.id);
        for pattern in &patterns.secrets {
            let fires = examples[&pattern.id].fires.iter().map(|text| filled(text, pattern.alphabet));
            wrong.extend(fires.filter(|text| !hits(pattern, text)).map(|text| format!("{} misses {text}", pattern.id)));
            let silent = examples[&pattern.id].silent.iter().map(|text| filled(text, pattern.alphabet));
            let silent = silent.filter(|text| hits(pattern, text));
            wrong.extend(silent.map(|text| format!("{} hits {text}", pattern.id)));
        }
        assert_eq!(wrong, Vec::<String>::new());
    }

    fn check(text: &str, expected: Option<(&str, &str)>) {
        let screen = SecretScreen::new(&GuardrailPatterns::shipped().unwrap()).unwrap();
        let finds = screen.find(text);
        let found = finds.first().map(|find| (find.pattern.as_str(), find.span.slice(text)));
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn values_of_settings_named_like_a_secret_are_found() {
        check("api_key = \"q8Zr2LmN5tVx9KwB\"", Some(("assigned-secret", "q8Zr2LmN5tVx9KwB")));
        check("DB_PASSWORD=s4l!mAndern", Some(("assigned-secret", "s4l!mAndern")));
        check("curl -u anna:q8Zr2LmN https://shop.se", Some(("curl-password", "q8Zr2LmN")));
        check("Authorization: Bearer 9f8e7d6c5b4a39281706", Some(("authorization-header", "9f8e7d6c5b4a39281706")));
        check("postgres://shop:q8Zr2LmN5t@db.shop.se/main", Some(("address-password", "q8Zr2LmN5t")));
        check("sshpass -p s4l!mAndern ssh shop", Some(("command-password", "s4l!mAndern")));
    }

    #[test]
    fn passwords_are_found_as_people_write_them_down() {
        for text in [
            "password: **s4l!mAndern**",
            "**Password:** s4l!mAndern",
            "- **Password**: `s4l!mAndern`",
            "| admin | password | s4l!mAndern |",
            "PGPASSWORD=s4l!mAndern psql",
            "密码：s4l!mAndern",
            "初始密码为 s4l!mAndern。",
            "the password is s4l!mAndern",
            "--password s4l!mAndern",
            "Passwort: s4l!mAndern",
            "db_pass: s4l!mAndern",
            "<password>s4l!mAndern</password>",
            "s4l!mAndern is the password",
            "the entry `s4l!mAndern` was her old_password",
            "“s4l!mAndern”是数据库密码",
        ] {
            check(text, Some(("assigned-secret", "s4l!mAndern")));
        }
        for value in [
            "#tR4kk9Q",
            "$9kLm2xQ",
            "%k2Lm9!x",
            "@7hTq2Wx",
            "&zX81kQp",
            "/aB3kQ9z!",
            "[k9]Lm2xQ",
            "{k9Lm2xQ!",
            "myTest#82mQz",
            "HereIsX91kQ",
        ] {
            check(&format!("password: {value}"), Some(("assigned-secret", value)));
        }
    }

    #[test]
    fn stand_ins_and_code_are_not_secrets() {
        for text in [
            "password: required",
            "token: ${TOKEN}",
            "api_key = os.environ['KEY']",
            "password = get_password(user)",
            "secret: <your secret here>",
            "The password must have 8 characters.",
            "Authorization: Bearer <token>",
            "curl -u user:password https://a.se",
            "postgres://postgres:postgres@localhost/db",
            "max_tokens: 20482048",
            "token = tokenizer.convert_ids_to_tokens(5)",
            "https://shop.se:8080/a@b",
            "password: $DB_PASSWORD1",
            "password = @passwordField",
            "password: #ff8800",
            "password = /etc/shop/password2",
            "password: %PASSWORD1%",
            "password: test1234",
            "the password is too short for 8 characters",
            "| password | string8 | required |",
            "the token is JWT2024",
            "the password is reset to version2",
            "password == s4l!mAndern",
            "HTTP2 is the token protocol",
            "the value of Version12.4 is the token limit",
        ] {
            check(text, None);
        }
    }

    #[test]
    fn words_in_bold_and_prose_about_passwords_are_not_secrets() {
        for text in [
            "- **Authorization**: Role-based access with an audit log",
            "**Authorization:** Owner-Only (`canEdit`)",
            "Authorization: permission-based checks",
            "Open **Account** → **Password Rules**",
            "See **AC-3: Password Reset**\nand the next one",
            "Nobody enters **with PIN or password authorisation**, as agreed",
            "* *Password Recovery*",
            "**Bug: Reset password ignored**",
            "Password: `autocomplete=\"new-password\"`",
            "Choose a new password today!",
            "**Password Policy**: at least 12 characters",
            "- **Token lifetime**: short-lived tokens only",
        ] {
            check(text, None);
        }
        check("**Authorization**: Bearer 9f8e7d6c5b4a39281706", Some(("authorization-header", "9f8e7d6c5b4a39281706")));
        check("Authorization: Basic YWRtaW46c2VjcmV0", Some(("authorization-header", "YWRtaW46c2VjcmV0")));
        check("**The password is s4l!mAndern**", Some(("assigned-secret", "s4l!mAndern")));
        check("the password is sAlmAnder!", Some(("assigned-secret", "sAlmAnder!")));
    }

    /// A head or foot of a key block, put together here so that no scanner takes this file for a leak.
    fn marker(words: &str) -> String {
        format!("-----{words} PRIVATE {}-----", "KEY")
    }

    const BODY: &str = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw";

    #[test]
    fn a_private_key_block_is_found_whole() {
        let text = format!("{}\n{BODY}\n{}", marker("BEGIN"), marker("END"));
        check(&text, Some(("private-key-block", text.as_str())));
        check(&format!("{}\nanything\n{}", marker("BEGIN"), marker("END")), None);
        check(&format!("{}\n{}\n{}", marker("BEGIN"), "x".repeat(64), marker("END")), None);
    }

    #[test]
    fn every_line_of_a_key_is_found_whatever_stands_around_it() {
        let long: String = (0..120).map(|line| format!("{BODY}{line:03}{}\n", &BODY[..20])).collect();
        let lower = marker("BEGIN RSA").to_lowercase();
        let putty = format!("Private-Lines: 2\n{BODY}\n{BODY}\nPrivate-MAC: 0a1b");
        let texts = [
            format!("{}\n{long}{}", marker("BEGIN RSA"), marker("END RSA")),
            format!("{}\n{long}", marker("BEGIN OPENSSH")),
            format!("{lower}\n{BODY}\nthat was an example, xxxx ....", lower = lower),
            format!("{}\n{BODY}\nthis example ends here", marker("BEGIN")),
            format!("> {}\n> {BODY}\n> {BODY}\n> {}", marker("BEGIN EC"), marker("END EC")),
            format!("key = \"{}\\n{BODY}\\n{BODY}\\n{}\\n\"", marker("BEGIN"), marker("END")),
            format!("{}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n{BODY}\n{BODY}Q==", marker("BEGIN RSA")),
            format!("{} {BODY} {BODY} {}", marker("BEGIN"), marker("END")),
            putty,
        ];
        let screen = SecretScreen::new(&GuardrailPatterns::shipped().unwrap()).unwrap();
        for text in texts {
            let finds = screen.find(&text);
            let last = text.rfind(BODY).unwrap() + BODY.len();
            assert_eq!(finds.len(), 1, "{text}");
            let span = finds[0].span;
            assert!(span.start <= text.find(BODY).unwrap() && last <= span.end, "{span:?} {last} {text}");
        }
    }

    #[test]
    fn hostile_runs_are_read_without_panic() {
        let screen = SecretScreen::new(&GuardrailPatterns::shipped().unwrap()).unwrap();
        for unit in [
            "-----BEGIN ",
            "://",
            "token=",
            "sk-",
            "eyJ",
            "authorization: ",
            "-u é:",
            "密码=",
            "xoxb-1-",
            "-----BEGIN PRIVATE KEY-----",
        ] {
            screen.find(&unit.repeat(20_000));
        }
    }
}
