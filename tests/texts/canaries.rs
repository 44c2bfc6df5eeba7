//! Invented values that must never be shown, with neighbours and spellings that must not unmask them.

use reqgate::model::Span;

/// Values with a recognisable shape: a name, and a pattern in which `{36a}` means 36 random characters.
pub const VALUES: [(&str, &str); 27] = [
    ("mail", "petra.holzer@brunnwerk.at"),
    ("mail of digits", "li.wei@163.com"),
    ("international phone", "+49 176 53231948"),
    ("phone in one run", "+447927601895"),
    ("North American phone", "628-451-8625"),
    ("Chinese mobile", "139-5597-9711"),
    ("IBAN", "DE11423667127684268465"),
    ("IBAN in groups", "DE95 6321 2233 0792 4402 68"),
    ("card", "4556301661318602"),
    ("card in groups", "4716 5901 0928 1599"),
    ("card with dashes", "5234-9139-0996-0305"),
    ("social security", "518-34-4139"),
    ("Chinese identity", "440305198804124591"),
    ("CPF", "571.177.774-27"),
    ("Aadhaar", "7260 1815 9082"),
    ("NRIC", "S4148525F"),
    ("GitHub token", "ghp_{36a}"),
    ("AWS key", "AKIA{16U}"),
    ("Stripe key", "sk_live_{24a}"),
    ("npm token", "npm_{36a}"),
    ("GitLab token", "glpat-{20a}"),
    ("Anthropic key", "sk-ant-api03-{95a}"),
    ("Slack token", "xoxb-{12d}-{13d}-{24a}"),
    ("SendGrid key", "SG.{22a}.{43a}"),
    ("Twilio key", "SK{32h}"),
    ("DigitalOcean token", "dop_v1_{64h}"),
    ("Linear key", "lin_api_{40a}"),
];

/// Text that may be directly before and after a value.
pub const NEIGHBOURS: [&str; 19] =
    ["", " ", ",", ";", "|", "\t", "\n", "\"", "'", "(", ")", ": ", ", ", "<br>", "**", "`", "，", "：", "。"];

/// Contexts for a value; `{}` is the value with its neighbours.
pub const PLACES: [&str; 9] = [
    "{}",
    "Please look at {} before Friday.",
    "4711,Meier,{},open,2026-03-04",
    "4711;Meier;{};open",
    "| customer | {} |",
    "- Meier: {}",
    "> {}",
    "```\n{}\n```",
    "<!-- {} -->",
];

/// Writes a value in another way.
pub type Spelling = fn(&str) -> String;

/// Spellings that a reader recognises, by name.
pub const SPELLINGS: [(&str, Spelling); 9] = [
    ("as it is", str::to_owned),
    ("a character without width in its middle", |value| inserted(value, "\u{200b}")),
    ("a soft hyphen in its middle", |value| inserted(value, "\u{ad}")),
    ("a word joiner in its middle", |value| inserted(value, "\u{2060}")),
    ("full width", |value| value.chars().map(full_width).collect()),
    ("blanks that do not break", |value| value.replace(' ', "\u{a0}")),
    ("blanks as entities", |value| value.replace(' ', "&nbsp;")),
    ("@ as an entity", |value| value.replace('@', "&#64;")),
    ("@ and _ escaped", |value| value.replace('@', "%40").replace('_', "\\_")),
];

fn inserted(value: &str, hidden: &str) -> String {
    let middle = value.len() / 2;
    format!("{}{hidden}{}", &value[..middle], &value[middle..])
}

fn full_width(c: char) -> char {
    match c {
        '!'..='~' => char::from_u32(u32::from(c) + 0xfee0).unwrap_or(c),
        _ => c,
    }
}

/// Inserts random characters for `{n}` with the letter of an alphabet: a letters and digits, l letters, U capitals and
/// digits, h hexadecimal, d digits, u base64url, s base64, b capitals and digits without B, I, O and 1.
pub fn filled(pattern: &str, seed: u64) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    let mut state = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    while let Some((head, tail)) = rest.split_once('{') {
        let Some((count, tail)) = tail.split_once('}') else { break };
        let (count, alphabet) = count.split_at(count.len() - 1);
        let letters: Vec<char> = (b'!'..=b'z').map(char::from).filter(|c| is_of(alphabet, *c)).collect();
        text.push_str(head);
        for _ in 0..count.parse::<usize>().expect("the pattern has a number") {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            text.push(letters[(state >> 33) as usize % letters.len()]);
        }
        rest = tail;
    }
    text + rest
}

fn is_of(alphabet: &str, c: char) -> bool {
    match alphabet {
        "l" => c.is_ascii_alphabetic(),
        "U" => c.is_ascii_uppercase() || c.is_ascii_digit(),
        "h" => c.is_ascii_digit() || matches!(c, 'a'..='f'),
        "d" => c.is_ascii_digit(),
        "u" => c.is_ascii_alphanumeric() || matches!(c, '-' | '_'),
        "s" => c.is_ascii_alphanumeric() || matches!(c, '+' | '/'),
        "b" => (c.is_ascii_uppercase() || c.is_ascii_digit()) && !matches!(c, 'B' | 'I' | 'O' | '1'),
        _ => c.is_ascii_alphanumeric(),
    }
}

/// Returns true if at most three characters, or an eighth, of the value are left unmasked.
pub fn is_masked(text: &str, value: Span, screened: &str) -> bool {
    let written = &text.as_bytes()[value.start..value.end];
    let shown = &screened.as_bytes()[value.start..value.end];
    let counts = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let left = written.iter().zip(shown).filter(|(before, after)| before == after && counts(**before)).count();
    left <= 3.max(written.len() / 8)
}

/// A text with the value in a context between two neighbours, and the span of the value.
pub fn placed(value: &str, place: &str, left: &str, right: &str) -> (String, Span) {
    let (head, tail) = place.split_once("{}").expect("the place has a hole");
    let start = head.len() + left.len();
    (format!("{head}{left}{value}{right}{tail}"), Span::new(start, start + value.len()))
}
