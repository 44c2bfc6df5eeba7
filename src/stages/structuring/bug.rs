//! Finds the elements of a bug report: steps, expected and actual behaviour, environment (Chaparro et al.; catalogue §7).

use crate::model::{Genre, SectionRole, Span};
use crate::text::lexicon::is_cjk;
use crate::text::{Block, BlockKind, Cue, Reading, Sentence};

use super::pointers::{names_file, refers};
use super::statement;
use super::story::has_words;

/// The elements of a bug report.
#[derive(Debug, Clone, Default)]
pub struct BugElements {
    /// Steps that somebody can follow.
    pub steps: Vec<Span>,
    /// What should have happened.
    pub expected: Vec<Span>,
    /// What happened.
    pub actual: Vec<Span>,
    /// Where it happened.
    pub environment: Vec<Span>,
}

/// Reads the elements of a bug report.
pub fn elements(text: &str, reading: &Reading) -> BugElements {
    BugElements {
        steps: steps(text, reading),
        expected: expected(text, reading),
        actual: actual(text, reading),
        environment: environment(text, reading),
    }
}

fn prose<'r>(reading: &'r Reading) -> impl Iterator<Item = &'r Sentence> + 'r {
    reading.sentences.iter().filter(|s| !s.struck && !matches!(s.genre, Genre::Heading | Genre::Code))
}

fn is_filled(text: &str, sentence: &Sentence) -> bool {
    !sentence.is_placeholder && !is_nothing(sentence.span.slice(text))
}

/// "None", "n/a", "-", 无: an answer that is no answer.
pub fn is_nothing(words: &str) -> bool {
    let bare: String = words.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect();
    matches!(
        bare.as_str(),
        "" | "none"
            | "na"
            | "no"
            | "nil"
            | "无"
            | "没有"
            | "暂无"
            | "tbd"
            | "todo"
            | "unknown"
            | "不详"
            | "noresponse"
            | "same"
            | "同上"
            | "dito"
            | "ditto"
    )
}

fn steps(text: &str, reading: &Reading) -> Vec<Span> {
    let labelled: Vec<&Sentence> =
        prose(reading).filter(|s| s.role == SectionRole::Steps && is_filled(text, s)).collect();
    let code_under = reading.blocks.iter().zip(&reading.section_of).filter(|(block, section)| {
        block.kind == BlockKind::Code
            && reading.sections[**section].role == SectionRole::Steps
            && has_words(block.text.slice(text), 3)
    });
    let code: Vec<Span> = code_under.map(|(block, _)| block.span).collect();
    let mut found: Vec<Span> = Vec::new();
    if labelled.iter().take(2).any(|s| denies(s.span.slice(text))) {
        // Who says under "Steps" that there are none is to be believed.
        return Vec::new();
    }
    if is_followable(text, reading, &labelled) {
        found.extend(labelled.iter().map(|s| s.span));
    }
    found.extend(code);
    if !found.is_empty() {
        return found;
    }
    let listed = listed_steps(text, reading);
    if !listed.is_empty() {
        return listed;
    }
    let told: Vec<Span> = prose(reading).filter(|s| tells_a_step(text, reading, s)).map(|s| s.span).collect();
    if !told.is_empty() {
        return told;
    }
    reading.blocks.iter().filter(|block| is_session(text, block)).map(|block| block.span).collect()
}

/// Steps can be followed if together they name enough that is particular to this fault.
fn is_followable(text: &str, reading: &Reading, steps: &[&Sentence]) -> bool {
    let says_how = steps.iter().filter(|s| !s.cues.any(&[Cue::Elsewhere, Cue::Open])).collect::<Vec<_>>();
    let specific: usize = says_how.iter().map(|s| specific_words(text, s)).sum();
    let denied = steps.iter().any(|s| denies(s.span.slice(text)));
    let acts = says_how
        .iter()
        .any(|s| s.cues.any(&[Cue::StepVerb, Cue::Condition]) || reading.blocks[s.block].kind == BlockKind::ListItem);
    specific >= 2 && acts && !(denied && specific < 12)
}

/// The author says himself that he has no steps.
fn denies(words: &str) -> bool {
    let lower = words.to_lowercase();
    [
        "no steps",
        "none found",
        "not found",
        "cannot reproduce",
        "can't reproduce",
        "could not reproduce",
        "couldn't reproduce",
        "no idea how",
        "don't know how",
        "unable to reproduce",
        "not reproducible",
        "无法复现",
        "暂无",
        "没有步骤",
        "没有复现步骤",
        "不知道怎么",
        "复现不了",
        "没有固定步骤",
        "不清楚怎么",
        "no reliable",
        "haven't found",
        "not found any",
        "no steps known",
        "have not found",
        "did not find",
        "didn't find",
        "no pattern",
        "no clear steps",
    ]
    .iter()
    .any(|phrase| lower.contains(phrase))
}

/// An ordered list, or bullets, whose items do something.
fn listed_steps(text: &str, reading: &Reading) -> Vec<Span> {
    let mut run: Vec<&Sentence> = Vec::new();
    let mut best: Vec<Span> = Vec::new();
    let mut last_block = usize::MAX;
    let items = prose(reading).filter(|s| {
        reading.blocks[s.block].kind == BlockKind::ListItem
            && !matches!(
                s.role,
                SectionRole::Expected
                    | SectionRole::Actual
                    | SectionRole::Environment
                    | SectionRole::AcceptanceCriteria
                    | SectionRole::Metadata
                    | SectionRole::Resources
            )
    });
    for sentence in items {
        let follows = last_block == sentence.block || last_block.checked_add(1) == Some(sentence.block);
        if !follows && !run.is_empty() {
            best = better(text, reading, best, &run);
            run.clear();
        }
        run.push(sentence);
        last_block = sentence.block;
    }
    better(text, reading, best, &run)
}

fn better(text: &str, reading: &Reading, best: Vec<Span>, run: &[&Sentence]) -> Vec<Span> {
    let acting = run.iter().filter(|s| s.cues.has(Cue::StepVerb)).count();
    if acting >= 2 && acting * 2 >= run.len() && best.is_empty() && is_followable(text, reading, run) {
        return run.iter().map(|s| s.span).collect();
    }
    best
}

/// "When I press Save with an empty list, …", 打单软件 → 待打印 → 打印.
fn tells_a_step(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    if sentence.genre == Genre::Title {
        return false;
    }
    let words = sentence.span.slice(text);
    let arrows = words.matches(['→', '⇒']).count()
        + words.matches("->").count()
        + words.matches(" > ").count()
        + words.matches("=>").count()
        + words.matches(">>").count();
    if arrows >= 2 {
        return true;
    }
    if matches!(
        sentence.role,
        SectionRole::Expected | SectionRole::Environment | SectionRole::Metadata | SectionRole::OutOfScope
    ) {
        return false;
    }
    let acts = reading.count_cue(sentence.span, Cue::StepVerb);
    let told = sentence.cues.any(&[Cue::Condition, Cue::FirstPerson, Cue::Frequency]);
    acts >= 1
        && told
        && specific_words(text, sentence) >= 4
        && !sentence.cues.any(&[Cue::Elsewhere, Cue::Need])
        && !words.ends_with(['?', '？'])
}

/// A pasted shell session, a script or a small program shows by itself what was done; a trace shows only what came of it.
fn is_session(text: &str, block: &Block) -> bool {
    if block.kind != BlockKind::Code {
        return false;
    }
    let body = block.text.slice(text);
    let trace =
        ["Exception", "Traceback", "\tat ", "    at ", "panicked", "stack", "core dumped", "ERROR", "INFO", "WARN"];
    if body.lines().filter(|line| !line.trim().is_empty()).count() >= 2 && !trace.iter().any(|mark| body.contains(mark))
    {
        return true;
    }
    let prompts = body
        .lines()
        .filter(|line| {
            matches!(line.trim_start().as_bytes(), [b'$' | b'>' | b'%', b' ', ..])
                || line.trim_start().starts_with(">>> ")
        })
        .count();
    prompts >= 1
}

fn expected(text: &str, reading: &Reading) -> Vec<Span> {
    let labelled = filled(text, reading, SectionRole::Expected, |_| true);
    if !labelled.is_empty() {
        // An expectation that waits for somebody's decision is none yet.
        let is_open =
            |s: &Sentence| s.role == SectionRole::Expected && (s.cues.has(Cue::Open) || is_open_question(text, s));
        // "Should work as designed" beside "does not work as designed" tells nobody what is right.
        let says_nothing = |s: &Sentence| s.cues.any(&[Cue::Empty, Cue::Generic]) && specific_words(text, s) < 2;
        let empty = |role| prose(reading).filter(|s| s.role == role).all(says_nothing);
        let hollow = empty(SectionRole::Expected) && empty(SectionRole::Actual) && reading.code().is_empty();
        return if hollow || prose(reading).any(is_open) { Vec::new() } else { labelled };
    }
    let told: Vec<Span> = prose(reading)
        .filter(|s| {
            s.cues.has(Cue::Expectation)
                && !matches!(
                    s.role,
                    SectionRole::Environment
                        | SectionRole::Metadata
                        | SectionRole::Implementation
                        | SectionRole::Expected
                )
        })
        .filter(|s| {
            !is_open_question(text, s) && !s.cues.any(&[Cue::Open, Cue::Asking]) && has_words(s.span.slice(text), 3)
        })
        .map(|s| s.span)
        .collect();
    if !told.is_empty() {
        return told;
    }
    // A remark in a pasted session: `# expected: b.txt`.
    let remark = |line: &str| {
        let line = line.trim_start_matches(['$', '>', ' ']);
        let lower = line.to_lowercase();
        (line.starts_with('#') || line.starts_with("//"))
            && ["expected", "wanted", "should", "预期", "期望", "应"].iter().any(|w| lower.contains(w))
    };
    let code = reading.blocks.iter().filter(|b| b.kind == BlockKind::Code);
    code.filter(|b| b.text.slice(text).lines().any(remark)).map(|b| b.text).collect()
}

fn is_open_question(text: &str, sentence: &Sentence) -> bool {
    sentence.span.slice(text).ends_with(['?', '？'])
}

fn actual(text: &str, reading: &Reading) -> Vec<Span> {
    let labelled = filled(text, reading, SectionRole::Actual, |_| true);
    if !labelled.is_empty() {
        return labelled;
    }
    let told: Vec<Span> = prose(reading)
        .filter(|s| {
            s.cues.has(Cue::Symptom)
                && !matches!(s.role, SectionRole::Expected | SectionRole::Environment | SectionRole::Metadata)
        })
        .filter(|s| has_words(s.span.slice(text), 3))
        .map(|s| s.span)
        .collect();
    if !told.is_empty() {
        return told;
    }
    reading.blocks.iter().filter(|b| b.kind == BlockKind::Log).map(|b| b.span).collect()
}

fn environment(text: &str, reading: &Reading) -> Vec<Span> {
    let says_where = |s: &Sentence| {
        let words = s.span.slice(text);
        let digits = words.chars().any(|c| c.is_ascii_digit());
        let names = s.cues.has(Cue::Platform) && specific_words(text, s) >= 1 && !refers(words);
        digits || names && !s.cues.any(&[Cue::Hedge, Cue::Open])
    };
    let labelled = filled(text, reading, SectionRole::Environment, says_where);
    if !labelled.is_empty() {
        return labelled;
    }
    let told: Vec<Span> = prose(reading)
        .filter(|s| {
            s.role != SectionRole::Environment
                && (s.cues.has(Cue::Platform) && near_digit(text, reading, s) || has_version(s.span.slice(text)))
        })
        .map(|s| s.span)
        .collect();
    if !told.is_empty() {
        return told;
    }
    let code = reading.blocks.iter().filter(|b| b.is_code());
    code.filter(|b| b.text.slice(text).lines().take(200).any(|l| has_version(l) || l.contains("--version")))
        .map(|b| b.text)
        .collect()
}

/// A platform word with a number beside it: "Windows 11", "firmware 3.6", 固件 3.6, 9.1.0 版本.
fn near_digit(text: &str, reading: &Reading, sentence: &Sentence) -> bool {
    let near = |span: Span| {
        let from = floor(text, span.start.saturating_sub(16).max(sentence.span.start));
        let to = floor(text, (span.end + 24).min(sentence.span.end));
        Span::new(from, to).slice(text).chars().any(|c| c.is_ascii_digit())
    };
    reading
        .hits_in(sentence.span)
        .iter()
        .filter(|hit| usize::from(hit.list.0) == Cue::Platform as usize)
        .any(|hit| near(hit.span))
}

fn floor(text: &str, mut at: usize) -> usize {
    while at > 0 && !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// `1.2.3`, `v2.1`, `2024.3`: digits, a dot, digits, and not a quantity with a unit or a decimal in prose.
fn has_version(words: &str) -> bool {
    words
        .split(|c: char| {
            c.is_whitespace() || matches!(c, ',' | '(' | ')' | '，' | '（' | '）' | '、' | '：' | ':' | '/' | '"' | '`')
        })
        .filter(|word| !names_file(word))
        .any(|word| {
            let word = word.trim_matches(|c: char| !c.is_ascii_alphanumeric());
            let bare = word.trim_start_matches(['v', 'V', 'r']);
            let parts: Vec<&str> = bare.split(['.', '-', '_']).collect();
            let numbers = parts.iter().take_while(|p| !p.is_empty() && p.bytes().all(|b| b.is_ascii_digit())).count();
            bare.contains('.') && (numbers >= 3 || numbers >= 2 && bare.len() < word.len())
        })
}

fn filled(text: &str, reading: &Reading, role: SectionRole, accept: impl Fn(&Sentence) -> bool) -> Vec<Span> {
    let cells = column(text, reading, role);
    if !cells.is_empty() {
        return cells;
    }
    let mut spans: Vec<Span> = prose(reading)
        .filter(|s| s.role == role && is_filled(text, s) && accept(s) && !only_points_elsewhere(text, s))
        .map(|s| s.span)
        .collect();
    let code = reading.blocks.iter().zip(&reading.section_of);
    spans.extend(
        code.filter(|(b, section)| {
            b.is_code() && reading.sections[**section].role == role && !b.text.slice(text).trim().is_empty()
        })
        .map(|(b, _)| b.span),
    );
    spans.sort();
    spans
}

/// The cells of a table under a header that names the role: a test run with the columns "expected" and "actual".
fn column(text: &str, reading: &Reading, role: SectionRole) -> Vec<Span> {
    let rows = reading.blocks.iter().filter(|block| matches!(block.kind, BlockKind::TableRow { header: false }));
    let cells = rows
        .flat_map(|row| row.cells.iter().zip(&row.cell_roles))
        .filter(|(_, of)| **of == Some(role))
        .map(|(cell, _)| *cell);
    cells
        .filter(|cell| {
            !is_nothing(cell.slice(text)) && specific(text, *cell) + cell.slice(text).split_whitespace().count() >= 2
        })
        .collect()
}

/// "See screenshot" is no content.
fn only_points_elsewhere(text: &str, sentence: &Sentence) -> bool {
    let words = sentence.span.slice(text);
    sentence.cues.has(Cue::Elsewhere) && specific_words(text, sentence) < 5 || is_image(words)
}

fn is_image(words: &str) -> bool {
    let words = words.trim();
    words.starts_with("![") && words.ends_with(')')
        || words.starts_with("<img")
        || words.starts_with('!') && words.ends_with('!') && words.len() > 4
}

/// How many words of a sentence are particular to it: not step verbs, not filler; quotes, numbers and code always are.
pub fn specific_words(text: &str, sentence: &Sentence) -> usize {
    specific(text, sentence.span)
}

/// Words that carry no meaning of their own in either language.
const STOP_WORDS: &str = " a an the to of in on at and or for with from by is are was were be been it its this that these those i we you he she they me my our your as if when then than but not no do does did has have had will can could should would may just also very there here so up out off into over under again still all any some each his her their them us after before while because about which who what how go get got one two any it's i'm the app application system page module feature function button screen user users use using used normal normally usual usually manner way issue problem bug error see observe notice check look happen happens something anything stuff thing things work works correctly properly fine fast well expected intended designed should sometimes occasionally occurs occur regularly often usually open opened click clicked press pressed select selected enter start run daily current latest version ";

const GENERIC_CHINESE: [&str; 52] = [
    "打开",
    "点击",
    "进入",
    "使用",
    "操作",
    "正常",
    "一段时间",
    "随便",
    "随意",
    "任意",
    "系统",
    "应用",
    "程序",
    "软件",
    "页面",
    "功能",
    "模块",
    "问题",
    "观察",
    "查看",
    "出现",
    "发生",
    "复现",
    "重现",
    "现象",
    "步骤",
    "如题",
    "见标题",
    "见截图",
    "同上",
    "如图",
    "异常",
    "各种",
    "最新",
    "当前",
    "版本",
    "情况",
    "相关",
    "流程",
    "选择",
    "输入",
    "登录",
    "然后",
    "之后",
    "就会",
    "一下",
    "可以",
    "会",
    "了",
    "的",
    "后",
    "即可",
];

fn specific(text: &str, span: Span) -> usize {
    let words = span.slice(text);
    let literal = usize::from(statement::has_literal(words)) * 2;
    let mut latin = 0;
    for (index, word) in words
        .split(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '\'' | '_' | '-' | '.')))
        .filter(|w| !w.is_empty())
        .enumerate()
    {
        let lower = format!(" {} ", word.to_ascii_lowercase().trim_matches(|c: char| !c.is_alphanumeric()));
        let named = index > 0 && word.len() > 1 && word.starts_with(|c: char| c.is_ascii_uppercase());
        latin += usize::from(
            word.bytes().any(|b| b.is_ascii_digit()) || named || (word.len() > 2 && !STOP_WORDS.contains(&lower)),
        );
    }
    let mut rest = words.to_string();
    if words.chars().any(is_cjk) {
        for term in GENERIC_CHINESE {
            if rest.contains(term) {
                rest = rest.replace(term, " ");
            }
        }
    }
    let chinese = rest.chars().filter(|c| is_cjk(*c)).count() / 2;
    latin + chinese + literal
}
