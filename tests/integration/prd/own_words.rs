//! The words that the program itself writes into a brief, requirements and a PRD cause no findings: headings, labels,
//! tables.

use reqgate::model::{Language, Outcome, ReviewIssue, Span, Verdict as GateVerdict};
use reqgate::prd::brief::render_brief;
use reqgate::prd::prd_text::render_prd;
use reqgate::prd::requirements::{RequirementChanges, RequirementsDocument, Review, Verdict, VerdictKind, render};
use reqgate::prd::{
    Decided, DocumentStatus, FeatureBrief, OpenQuestion, PrdInput, PrdStatus, Requirement, RequirementId,
    RequirementPriority, SourceQuote, Statement,
};
use reqgate::stages::intake::read_bytes;

use super::SHIPPED;

/// The words of people in one language.
struct Told {
    language: Language,
    title: &'static str,
    problem: &'static str,
    goal: &'static str,
    user: &'static str,
    flow: &'static str,
    measure: &'static str,
    out: &'static str,
    rules: [&'static str; 6],
    criterion: &'static str,
    reason: &'static str,
    open: &'static str,
    asked: &'static str,
    answer: &'static str,
    categories: [&'static str; 2],
}

const ENGLISH: Told = Told {
    language: Language::En,
    title: "Export orders as CSV",
    problem: "Support agents copy orders by hand, 20 minutes each time.",
    goal: "Support agents export the orders of one customer as CSV.",
    user: "Support agents",
    flow: "The agent opens a customer and clicks “Export”.",
    measure: "The median time for an answer falls from 20 to 2 minutes by the end of June.",
    out: "PDF files.",
    rules: [
        "The agent downloads a file orders.csv with one row per order.",
        "Above 5,000 orders the agent sees “Narrow the period” and no file is written.",
        "If a customer has no orders, the button is greyed out.",
        "Files are deleted after 30 days.",
        "Team leads see who exported which customer, and when.",
        "The file is ready within 10 seconds.",
    ],
    criterion: "Given 3 orders, when the agent clicks “Export”, then orders.csv has 3 rows.",
    reason: "The contract says so.",
    open: "Which separator does the file have?",
    asked: "Which holds: “Files are kept for 90 days” (a.md:3) or “Files are deleted after 30 days” (b.md:4)?",
    answer: "the second",
    categories: ["Functional", "Performance"],
};

const CHINESE: Told = Told {
    language: Language::Zh,
    title: "导出订单",
    problem: "客服每次要花 20 分钟手工抄写订单。",
    goal: "客服可以把一个客户的订单导出为 CSV。",
    user: "客服",
    flow: "客服打开客户页，点击“导出”。",
    measure: "六月底前，答复客户的时间中位数从 20 分钟降到 2 分钟。",
    out: "不做 PDF。",
    rules: [
        "客服下载 orders.csv，每个订单一行。",
        "订单超过 5000 条时，系统提示“请缩小时间范围”，不生成文件。",
        "客户没有订单时，“导出”按钮置灰。",
        "文件生成 30 天后由系统删除。",
        "组长可以看到谁在什么时间导出了哪个客户。",
        "文件在 10 秒内生成。",
    ],
    criterion: "客户有 3 个订单时，客服点击“导出”，orders.csv 有 3 行。",
    reason: "合同里是这样写的。",
    open: "文件用什么分隔符？",
    asked: "以哪个为准：“文件保留 90 天”（a.md:3）还是“文件 30 天后删除”（b.md:4）？",
    answer: "后者",
    categories: ["功能", "性能"],
};

const DECISIONS: [&str; 6] = ["approve", "modify", "reject", "out_of_scope", "pending", "approve"];

impl Told {
    fn quote(&self, words: &str) -> SourceQuote {
        SourceQuote { source: "ticket.md".to_owned(), line: 3, quote: words.to_owned() }
    }

    fn brief(&self, is_open: bool) -> FeatureBrief {
        let said = |words: &str| vec![Statement::new(words, Some(self.quote(words)))];
        let mut brief = FeatureBrief::new(self.title, self.language);
        brief.problem = said(self.problem);
        brief.goals = said(self.goal);
        brief.users = said(self.user);
        brief.flows = said(self.flow);
        brief.success_measures = said(self.measure);
        brief.constraints = self.rules.iter().flat_map(|rule| said(rule)).collect();
        brief.out_of_scope = said(self.out);
        let question = |question: &str, answer: Option<&str>| OpenQuestion {
            answer: answer.map(str::to_owned),
            ..OpenQuestion::new(question, Some(self.quote(question)))
        };
        brief.open_questions = vec![question(self.asked, Some(self.answer))];
        brief.open_questions.extend(is_open.then(|| question(self.open, None)));
        brief
    }

    /// One requirement of every decision, the last one about a quality.
    fn requirements(&self) -> Vec<Requirement> {
        let requirement = |(at, words): (usize, &&str)| {
            let number = u32::try_from(at + 1).expect("a small number");
            let is_quality = at + 1 == self.rules.len();
            Requirement {
                id: if is_quality { RequirementId::quality(1) } else { RequirementId::functional(number) },
                title: words.trim_end_matches(['.', '。']).to_owned(),
                description: (*words).to_owned(),
                priority: [RequirementPriority::High, RequirementPriority::Medium, RequirementPriority::Low][at % 3],
                category: self.categories[usize::from(is_quality)].to_owned(),
                acceptance_criteria: if at == 0 { vec![self.criterion.to_owned()] } else { Vec::new() },
                sources: vec![self.quote(words)],
                aliases: vec![format!("REQ-{number}")],
                user_stories: vec![format!("US-{number}")],
                waits_for: Vec::new(),
            }
        };
        self.rules.iter().enumerate().map(requirement).collect()
    }

    fn requirements_file(&self, status: DocumentStatus) -> String {
        let id = "001-export".parse().expect("an id");
        let document = RequirementsDocument::new(&id, self.title, self.language);
        let (document, ids) = document.with_proposals(&self.requirements());
        let verdict = |(id, decision): (RequirementId, &&str)| {
            let reason = self.reason.to_owned();
            let kind = match *decision {
                "approve" => VerdictKind::Approve,
                "reject" => VerdictKind::Reject { reason },
                "out_of_scope" => VerdictKind::OutOfScope { reason },
                "modify" => VerdictKind::Modify {
                    changes: RequirementChanges {
                        priority: Some(RequirementPriority::High),
                        ..RequirementChanges::default()
                    },
                    reason,
                },
                _ => return None,
            };
            Some(Verdict { id, kind })
        };
        let review = Review {
            timestamp: "2026-11-22T10:00:00Z".to_owned(),
            actor: "ana".to_owned(),
            summary: String::new(),
            verdicts: ids.into_iter().zip(&DECISIONS).filter_map(verdict).collect(),
        };
        render(&document.reviewed(&review).expect("a review").with_status(status))
    }

    fn prd(&self, is_open: bool, status: DocumentStatus) -> String {
        let id = "001-export".parse().expect("an id");
        let reason = self.reason.to_owned();
        let decided = |decision: &str| match decision {
            "approve" => Decided::Approved,
            "modify" => Decided::Modified { notes: reason.clone() },
            "reject" => Decided::Rejected { reason: reason.clone() },
            "out_of_scope" => Decided::OutOfScope { reason: reason.clone() },
            _ => Decided::Pending,
        };
        let decisions = DECISIONS.iter().map(|decision| decided(decision));
        let requirements: Vec<(Requirement, Decided)> = self.requirements().into_iter().zip(decisions).collect();
        let status = PrdStatus { author: "ana".to_owned(), last_modified: "2026-11-22".to_owned(), status };
        render_prd(&PrdInput {
            feature_id: &id,
            project_id: Some("EXP-001"),
            utterance: self.goal,
            brief: &self.brief(is_open),
            requirements: &requirements,
            status: &status,
            revisions: &[],
            kept_gaps: &[],
            gap_decisions: &[],
        })
    }

    /// Returns true if a span contains words of people.
    fn is_told(&self, text: &str, place: Span) -> bool {
        let one = [
            self.title,
            self.problem,
            self.goal,
            self.user,
            self.flow,
            self.measure,
            self.out,
            self.criterion,
            self.reason,
            self.open,
            self.asked,
            self.answer,
        ];
        let mut all = one.iter().chain(&self.rules).chain(&self.categories);
        all.any(|words| text.match_indices(words).any(|(at, _)| place.overlaps(Span::new(at, at + words.len()))))
    }
}

/// The gate's outcome for a document, read as for `score` and `check`.
fn judged(text: &str) -> Outcome {
    let input = read_bytes("document.md", text.as_bytes()).remove(0).expect("a text");
    SHIPPED.run(input).expect("a valid text")
}

/// All findings of the gate on a document.
fn issues(text: &str) -> Vec<ReviewIssue> {
    let report = judged(text).score_report.expect("it is scored");
    [report.blocking_issues, report.non_blocking_issues].concat()
}

/// Fails if a finding is on words of the program alone.
#[track_caller]
fn assert_nothing_of_ours(told: &Told, text: &str) {
    for issue in issues(text) {
        let Some(span) = issue.span else { continue };
        assert!(told.is_told(text, span), "{} on “{}” of\n{text}", issue.rule_id, span.slice(text));
    }
}

#[test]
fn no_finding_lies_on_words_of_our_own() {
    let states = [DocumentStatus::Draft, DocumentStatus::InReview, DocumentStatus::Approved];
    for told in [&ENGLISH, &CHINESE] {
        for is_open in [false, true] {
            assert_nothing_of_ours(told, &render_brief(&told.brief(is_open)));
            states.into_iter().for_each(|status| assert_nothing_of_ours(told, &told.prd(is_open, status)));
        }
        states.into_iter().for_each(|status| assert_nothing_of_ours(told, &told.requirements_file(status)));
    }
}

/// A part without any statements does not look like an unfilled form.
#[test]
fn a_brief_that_says_little_has_no_empty_parts() {
    for told in [&ENGLISH, &CHINESE] {
        let whole = told.brief(false);
        let mut brief = FeatureBrief::new(told.title, told.language);
        (brief.goals, brief.constraints) = (whole.goals, whole.constraints);
        let text = render_brief(&brief);
        assert_nothing_of_ours(told, &text);
        assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 3, "{text}");
    }
}

#[test]
fn the_table_of_traces_repeats_ids_and_that_is_its_purpose() {
    for told in [&ENGLISH, &CHINESE] {
        let text = told.prd(false, DocumentStatus::Approved);
        assert_eq!(text.matches("\n| FR-001 |").count(), 2, "{text}");
        let doubled =
            |text: &str| issues(text).iter().any(|issue| issue.rule_id.as_str() == "duplicate-requirement-id");
        assert!(!doubled(&text), "{text}");
        // The same row twice in one table of requirements is still a mistake.
        let row = text.lines().find(|line| line.starts_with("| FR-001 |")).expect("a row");
        assert!(doubled(&text.replacen(row, &format!("{row}\n{row}"), 1)), "{text}");
    }
}

#[test]
fn what_is_answered_is_closed_and_what_is_not_is_named_once() {
    for told in [&ENGLISH, &CHINESE] {
        let open_points = |text: &str| -> Vec<String> {
            let about = |issue: &ReviewIssue| issue.rule_id.as_str().starts_with("open-");
            let named = issues(text).into_iter().filter(about);
            let words = named.map(|issue| issue.span.expect("a place").slice(text));
            // The id of a question is not part of its words.
            words.map(|words| words.trim_start_matches("Q-001: ").trim_start_matches("Q-002: ").to_owned()).collect()
        };
        let none: [&str; 0] = [];
        assert_eq!(open_points(&render_brief(&told.brief(false))), none);
        assert_eq!(open_points(&told.prd(false, DocumentStatus::Approved)), none);
        assert_eq!(open_points(&render_brief(&told.brief(true))), [told.open]);
        assert_eq!(open_points(&told.prd(true, DocumentStatus::Approved)), [told.open]);
        // The same fault stops both languages.
        let stops = |text: &str| judged(text).decision.verdict == GateVerdict::Reject;
        assert!(stops(&told.prd(true, DocumentStatus::Approved)));
        let answered = judged(&told.prd(false, DocumentStatus::Approved)).decision;
        assert!(answered.verdict != GateVerdict::Reject, "{answered:?}");
        // "Answer: TBD" is not an answer.
        let text = render_brief(&told.brief(false));
        let label = if told.language == Language::Zh { "答：" } else { "Answer: " };
        let blank = text.replace(&format!("{label}{}", told.answer), &format!("{label}TBD"));
        assert_eq!(open_points(&blank), [told.asked], "{blank}");
    }
}
