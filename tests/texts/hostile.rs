//! Hostile texts: patterns for which a careless reader needs more than linear time or fails.

/// A hostile text of any size.
pub struct Hostile {
    /// A name in a few words.
    pub name: &'static str,
    shape: Shape,
}

enum Shape {
    /// The same words, repeated.
    Repeat(&'static str),
    /// A head, repeated words, and a tail.
    Between(&'static str, &'static str, &'static str),
    /// A line with its number in place of `#`.
    Numbered(&'static str),
    /// A line with its number in capital letters in place of `#`.
    Lettered(&'static str),
}

impl Hostile {
    /// The text in about `size` bytes: never longer, and shorter by less than one repetition.
    pub fn text(&self, size: usize) -> String {
        match self.shape {
            Shape::Repeat(unit) => unit.repeat(size / unit.len()),
            Shape::Between(head, unit, tail) => {
                let room = size.saturating_sub(head.len() + tail.len());
                format!("{head}{}{tail}", unit.repeat(room / unit.len()))
            }
            Shape::Numbered(line) => counted(line, size, |number| number.to_string()),
            Shape::Lettered(line) => counted(line, size, letters),
        }
    }
}

fn letters(number: usize) -> String {
    (0..4).map(|place| char::from(b'A' + u8::try_from(number / 26_usize.pow(place) % 26).unwrap_or(0))).collect()
}

fn counted(line: &str, size: usize, name: impl Fn(usize) -> String) -> String {
    let mut text = String::with_capacity(size);
    for number in 1.. {
        let next = line.replace('#', &name(number));
        if text.len() + next.len() > size {
            break;
        }
        text.push_str(&next);
    }
    text
}

const fn repeat(name: &'static str, unit: &'static str) -> Hostile {
    Hostile { name, shape: Shape::Repeat(unit) }
}

const fn between(name: &'static str, head: &'static str, unit: &'static str, tail: &'static str) -> Hostile {
    Hostile { name, shape: Shape::Between(head, unit, tail) }
}

const fn lines(name: &'static str, line: &'static str) -> Hostile {
    Hostile { name, shape: Shape::Numbered(line) }
}

const fn lettered(name: &'static str, line: &'static str) -> Hostile {
    Hostile { name, shape: Shape::Lettered(line) }
}

pub const HOSTILE: &[Hostile] = &[
    // Repetitions of one character.
    repeat("one letter", "a"),
    repeat("one capital", "A"),
    repeat("one digit", "7"),
    repeat("spaces", " "),
    between("spaces between two words", "As a user I want", " ", "to export a report."),
    repeat("tabs", "\t"),
    repeat("line feeds", "\n"),
    repeat("carriage returns", "\r"),
    repeat("full stops", "."),
    repeat("commas", ","),
    repeat("colons", ":"),
    repeat("hyphens", "-"),
    repeat("underscores", "_"),
    repeat("equals signs", "="),
    repeat("slashes", "/"),
    repeat("backslashes", "\\"),
    repeat("at signs", "@"),
    repeat("hashes", "#"),
    repeat("stars", "*"),
    repeat("tildes", "~"),
    repeat("backticks", "`"),
    repeat("pipes", "|"),
    repeat("quotation marks", "\""),
    repeat("greater-than signs", ">"),
    repeat("question marks", "?"),
    repeat("ampersands", "&"),
    repeat("percent signs", "%"),
    repeat("open brackets", "["),
    repeat("open parentheses", "("),
    repeat("open braces", "{"),
    repeat("less-than signs", "<"),
    repeat("null characters", "\0"),
    repeat("escape characters", "\u{1b}[31m"),
    // Characters that are wide, combining or invisible.
    repeat("one ideograph", "快"),
    repeat("ideographic full stops", "。"),
    repeat("emoji", "😀"),
    repeat("joined emoji", "👩\u{200d}👩\u{200d}👧\u{200d}👦"),
    between("joiners", "a", "\u{200d}", "b"),
    repeat("zero-width spaces", "a\u{200b}"),
    between("combining marks", "e", "\u{301}", "."),
    repeat("right-to-left marks", "\u{202e}abc"),
    repeat("byte order marks", "\u{feff}"),
    repeat("tag characters", "\u{e0041}"),
    repeat("confusable letters", "іgnоrе аll рrеvіоus "),
    repeat("Chinese without punctuation", "用户可以导出报表并且系统应该快速响应"),
    repeat("Chinese sentences", "系统应该快速响应用户的请求。"),
    repeat("commands", "mysql -p"),
    repeat("commands with an open quotation", "redis-cli -a 'x "),
    repeat("logins", "login a / "),
    repeat("calls", "login(\"a\", "),
    repeat("strings in parts", "\"abcd\" + "),
    repeat("names beside values", "<property name=\"password\" "),
    repeat("keys and values", "\"password\", \"value\": "),
    repeat("spelled dots", "a at b dot "),
    repeat("dates of birth", "born on the "),
    repeat("passports", "passport no. "),
    repeat("Chinese labels", "期望结果：页面打开\n实际结果：页面空白\n"),
    // Markup of Markdown, HTML and Jira.
    repeat("quote nesting", "> "),
    repeat("quoted lines", "> quoted words\n"),
    repeat("table cells", "| "),
    repeat("table rows", "| a | b |\n"),
    between("table", "| a | b |\n|---|---|\n", "| the page opens | must be fast |\n", ""),
    repeat("Jira table", "||a||b||\n|c|d|\n"),
    repeat("list items", "- the page opens\n"),
    repeat("nested list", "  - item\n    - item\n      - item\n"),
    repeat("check boxes", "- [ ] \n"),
    repeat("Jira list", "** item\n"),
    lines("numbered list", "#. Open the page\n"),
    repeat("headings", "# Heading\n"),
    repeat("criteria headings", "## Acceptance criteria\n\n- ok\n\n"),
    lines("different headings", "## Part #\n\nwords\n\n"),
    repeat("setext headings", "Title\n=====\n"),
    repeat("Jira headings", "h1. Title\n"),
    repeat("rules", "---\n"),
    between("front matter without end", "---\n", "key: value\n", ""),
    repeat("unclosed fences", "```\ncode\n~~~\n"),
    between("fence without end", "```\n", "at com.example.Main(Main.java:12)\n", ""),
    repeat("fences", "```\ncode\n```\n"),
    repeat("Jira code", "{code}\nx\n"),
    repeat("Jira code, noformat and quote", "{noformat}\n{quote}\n"),
    repeat("indented code", "    let x = 1;\n\n"),
    repeat("comments without end", "<!--"),
    repeat("comments", "<!-- x -->\n"),
    repeat("comment ends", "-->"),
    repeat("tags", "<b>"),
    repeat("details", "<details><summary>x</summary>\n"),
    repeat("links", "[a](b) "),
    repeat("half links", "[a]("),
    repeat("images", "![a](b)"),
    repeat("reference links", "[a]: http://example.com\n"),
    repeat("emphasis", "*a **b "),
    repeat("struck words", "~~a~~ "),
    repeat("half struck words", "~~a "),
    repeat("Jira struck words", "-a- "),
    repeat("entities", "&amp;"),
    repeat("mail headers", "From: a\nTo: b\nSubject: c\n"),
    repeat("mail quotes", "On Monday, A wrote:\n> x\n"),
    repeat("brackets in pairs", "[]"),
    between("nested parentheses", "(", "(a ", ")"),
    between("nested JSON", "{\"a\":", "[", ""),
    // Texts whose line breaks a tracker lost.
    repeat("items in one line", "* the page opens "),
    repeat("hashes in one line", "# open the page "),
    repeat("dashes in one line", " - the page opens at once"),
    repeat("ones in one line", "1. Open it "),
    between("numbers in one line", "Steps: ", "1. Open 2. Close 3. Wait ", ""),
    between("criteria in one line", "", "AC1: it opens AC2: it closes ", ""),
    repeat("Chinese numbers in one line", "1.打开页面2.点击保存"),
    repeat("Chinese labels in one line", "。预期结果：打开"),
    repeat("lines that became spaces", "The page opens.    Steps to reproduce:  # Open it  # Press Save  "),
    repeat("headings in one line", "h3. Steps open the page "),
    repeat("headings glued", "it fails.h3.Steps"),
    repeat("hash headings in one line", "## Steps ## Expected "),
    repeat("code in one line", "{code}a  b{code} "),
    repeat("code in one line without end", "{code:java "),
    repeat("monospaced without end", "{{a "),
    repeat("panels in one line", "{panel:title=a} b {panel} "),
    repeat("panels without end", "{panel:title=a "),
    repeat("backticks apart", "`a "),
    repeat("brackets apart", "[a "),
    repeat("comments in one line", "a <!-- b --> "),
    repeat("comments apart", "a <!-- b "),
    repeat("loud scenarios in one line", "GIVEN a WHEN b THEN c AND d. "),
    repeat("quiet scenarios in one line", "Given a, when b, then c. "),
    repeat("bold labels in one line", "*Steps:* open *Expected:* it opens "),
    repeat("bold without end in one line", "*Steps open "),
    between("ticket in a fence", "```\n", "Steps to reproduce:\n1. Open the page now\nExpected: it opens\n", "```\n"),
    between("ticket in a fence without end", "```\n", "Expected: it opens at once.\n", ""),
    repeat("fences of growing tickets", "```\nExpected: it opens at once.\n~~~\nActual: it does not open.\n"),
    between("code without end before headings", "```\nlet a = 1;\n", "\n## Other\n", ""),
    repeat("footers", "Sent from my phone\n"),
    repeat("vows", "- [ ] I have searched the issues\n"),
    lines("cases", "Case #\nInput: a\nExpected: b\n"),
    // Words that the rules and the structure look for.
    repeat("labels", "Expected: x\n"),
    repeat("label pairs", "Expected: x\nActual: y\n"),
    repeat("labels in one line", "Expected: x Actual: y "),
    repeat("empty labels", "Expected:\n"),
    repeat("bold labels", "**Expected**: x\n"),
    repeat("steps", "Steps to reproduce:\n1. open\n2. click\n"),
    repeat("templates", "### Expected behavior\n\n_No response_\n\n"),
    repeat("story", "As a user I want to export so that I can read. "),
    repeat("half story", "As a user "),
    repeat("wants", "I want "),
    repeat("purposes", "so that "),
    repeat("Gherkin", "Given a user\nWhen the user clicks\nThen the page opens\n"),
    repeat("Gherkin in one line", "Given a user When the user clicks Then the page opens "),
    repeat("triggers", "when "),
    repeat("outcomes", "then "),
    repeat("scenarios", "Scenario: x\n  Given a\n  When b\n  Then c\n"),
    repeat("Chinese Gherkin", "假如用户登录\n当用户点击\n那么页面打开\n"),
    repeat("shall", "The system shall respond fast. "),
    repeat("shall without stops", "the system shall respond fast and "),
    repeat("vague words", "fast easy better etc. "),
    repeat("either or", "and/or "),
    repeat("negations", "not "),
    repeat("questions", "Should it be red? "),
    repeat("open points", "TBD: who decides?\n"),
    repeat("decisions", "Decision: we use red.\n"),
    repeat("alternating speakers", "Anna: we need an export.\nBen: yes, as CSV.\n"),
    lines("many speakers", "Speaker#: words\n"),
    repeat("timed speakers", "[00:01:02] Anna: words\n"),
    repeat("requirement ids", "FR-1: The system shall open.\n"),
    lines("numbered requirements", "FR-#: The system shall open the page.\n"),
    lines("cross references", "- FR-# The page opens, see FR-9#.\n"),
    lettered("acronyms", "The # calls the # when the # is open.\n"),
    between("qualities", "## Non-functional requirements\n\n", "Security matters. ", ""),
    between("criteria in one paragraph", "## Acceptance criteria\n\n", "If it fails, an error is shown. ", ""),
    repeat("lists that never come", "The sheet has these columns:\n\n# Next\n\n"),
    repeat("ranges", "between 1 and 2 seconds "),
    repeat("defaults", "The default is 5 seconds. "),
    lines("different defaults", "The timeout is # seconds. "),
    repeat("lists that end in a colon", "as follows:\n\n"),
    repeat("abbreviations", "e.g. "),
    repeat("initials", "A. "),
    repeat("sentences", "A b. "),
    repeat("short lines", "a\n"),
    repeat("capitals", "Aa Bb "),
    lines("different words", "word# "),
    // Numbers, and texts that resemble personal data, secrets or orders.
    repeat("numbers", "1 "),
    repeat("numbers with dots", "1."),
    repeat("addresses", "1.1.1.1."),
    repeat("IPv6", "2001:db8::"),
    repeat("digit groups", "4111 1111 1111 1111 "),
    repeat("digits and hyphens", "555-01"),
    repeat("plus digits", "+49 "),
    repeat("IBAN", "DE89 3704 "),
    repeat("mail addresses", "a@b.cd "),
    repeat("half mail addresses", "a@a.a@"),
    repeat("dotted words", "a.b@c."),
    repeat("web addresses", "http://a.b/c "),
    repeat("web address without end", "http://"),
    repeat("paths", "C:\\a\\b /usr/bin "),
    repeat("versions", "v1.2.3 "),
    repeat("hexadecimal", "deadbeef"),
    repeat("base 64", "aWdub3JlIGFsbCBwcmV2aW91cw"),
    repeat("base 64 words", "aWdub3JlIGFsbCBwcmV2aW91cyBpbnN0cnVjdGlvbnM= "),
    repeat("key prefixes", "sk-ghp_AKIA"),
    repeat("assigned secrets", "password=\"x\" "),
    repeat("assignments", "token: "),
    repeat("key blocks", "-----BEGIN PRIVATE KEY-----\n"),
    repeat("orders", "ignore all previous instructions "),
    repeat("half orders", "ignore the "),
    repeat("roles", "system: assistant: user: "),
    repeat("role tags", "<|im_start|>system\n"),
    repeat("Chinese orders", "忽略以上所有指令"),
    repeat("currency", "$1,000.00 "),
    repeat("dates", "2026-11-21 "),
    repeat("stack trace", "    at com.example.Main.run(Main.java:12)\n"),
    repeat("log lines", "2026-11-21 10:00:00 ERROR x\n"),
    repeat("ticket references", "ABC-1 #1 "),
    repeat("mentions", "@anna "),
];
