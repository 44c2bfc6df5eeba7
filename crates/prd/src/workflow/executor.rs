//! Performs the work of the PRD workflow: reads files, runs the gate, analyses gaps, and drafts by rules or hands
//! drafts out.

use reqgate_docs::write::one_line;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::authors::Author;
use super::facts::{GateSummary, JudgedDocument, sources_of};
use super::team::alone::collected_outline;
use super::team::{TeamSearch, without_reader};
use super::work::{Assembled, DraftStep, DraftedRequirements, FileRead, GapsFound, PrdCall, Today, WorkOrder};
use crate::brief::{BriefSection, parse_brief, render_brief};
use crate::collect::{Collector, changed_brief, requirements_for_gaps};
use crate::gaps;
use crate::layouts::sentences::plain;
use crate::prd_document::prd_document;
use crate::prd_text::render_prd;
use crate::requirements::parse_anyway;
use crate::team::SectionId;
use crate::{
    Decided, DecidedGap, DocumentStatus, FeatureId, Gap, OpenQuestion, PrdInput, PrdStatus, Requirement, RequirementId,
    Revision,
};
use reqgate_base::model::{
    Acceptance, AcceptedFinding, Language, OPEN_POINT, Outcome, QuestionCode, ReviewIssue, Span, TicketScoreReport,
    Verdict,
};
use reqgate_docs::Outline;
use reqgate_flow::{Executor, Order, Performed, effects, hash};
use reqgate_gate::pipeline::Pipeline;
use reqgate_gate::stages::intake::feature_part::without_front_matter;
use reqgate_gate::stages::intake::{RawInput, read_bytes};
use reqgate_messages as messages;
use reqgate_rules::RuleBook;
use reqgate_text::answer::assigned_lines;
use reqgate_text::language::language_of;

/// The most questions that are asked about one document.
const MOST_QUESTIONS: usize = 5;
/// The rule about a document without requirements, which no brief has yet.
const NO_REQUIREMENTS: &str = "missing-requirements";

/// Carries out the calls of the PRD workflow.
pub struct PrdExecutor<'a> {
    /// The project, which paths are relative to.
    pub root: PathBuf,
    /// The gate.
    pub pipeline: &'a Pipeline,
    /// The author of the drafts.
    pub author: Author<'a>,
    /// Today, as YYYY-MM-DD.
    pub today: String,
    /// The name that the documents give as their author.
    pub owner: String,
    /// The search for sources, if one is configured.
    pub search: Option<TeamSearch>,
}

impl Executor<PrdCall> for PrdExecutor<'_> {
    fn perform(&mut self, call: &PrdCall, order: &Order) -> Performed {
        match call {
            PrdCall::ListFeatures { directory } => self.list(directory),
            PrdCall::ReadFile { path } => match self.inside(path).and_then(|whole| effects::content_of(&whole)) {
                Ok(content) => match content.map(String::from_utf8).transpose() {
                    Ok(content) => done(&FileRead { content }),
                    Err(_) => Performed::Failed(format!("{path} is not UTF-8 text")),
                },
                Err(error) => Performed::Failed(format!("{path}: {error}")),
            },
            PrdCall::Judge { document, text } => match self.judge(document, text) {
                Ok(summary) => done(&summary),
                Err(reason) => Performed::Failed(reason),
            },
            PrdCall::AnalyseGaps { brief, requirements } => {
                let (document, _) = parse_anyway(requirements);
                let analysis = gaps::analyse(&gaps::Input {
                    name: "requirements.md",
                    text: requirements,
                    document: &document,
                    duplicates: &[],
                    brief: Some(brief),
                });
                done(&GapsFound { score: analysis.score(), gaps: analysis.gaps, summary: analysis.summary })
            }
            PrdCall::NotUsed { sources, brief } => {
                let collector = Collector::new(&self.pipeline.book.reader);
                done(&collector.not_used(&sources_of(sources), &parse_brief(brief)))
            }
            PrdCall::Assemble { utterance, brief, requirements, project, revisions, kept_gaps, gap_decisions } => {
                let thread = order.id.thread.to_string();
                match self.assemble(
                    &thread,
                    utterance,
                    (brief, requirements),
                    project.as_deref(),
                    (revisions, kept_gaps, gap_decisions),
                ) {
                    Ok(assembled) => done(&assembled),
                    Err(reason) => Performed::Failed(reason),
                }
            }
            PrdCall::Search { queries } => {
                done(&self.search.as_ref().map(|search| search.search(queries)).unwrap_or_default())
            }
            PrdCall::Today => done(&Today { day: self.today.clone(), author: self.owner.clone() }),
            PrdCall::Draft(draft) => match self.author {
                Author::Rules => self.draft(draft),
                Author::Model(models) => models.write(draft, order),
                Author::Agent => Performed::HandedOut,
            },
        }
    }

    /// Researchers and critics do not see each other's results, so a model reads as all of them at the same time.
    fn is_concurrent(&self, call: &PrdCall) -> bool {
        matches!((call, self.author), (PrdCall::Draft(_), Author::Model(_)))
    }

    fn perform_together(&mut self, calls: &[(&PrdCall, Order)]) -> Vec<Performed> {
        let Author::Model(models) = self.author else {
            return calls.iter().map(|(call, order)| self.perform(call, order)).collect();
        };
        models.write_together(calls)
    }
}

/// A result that makes no cost.
fn done<T: Serialize>(result: &T) -> Performed {
    match serde_json::to_value(result) {
        Ok(result) => Performed::Done { result, usage: serde_json::Value::Null },
        Err(error) => Performed::Failed(error.to_string()),
    }
}

impl PrdExecutor<'_> {
    /// The whole path of something in the project; a state from elsewhere may name any other.
    fn inside(&self, path: &str) -> io::Result<PathBuf> {
        effects::inside(&self.root, Path::new(path)).map_err(io::Error::other)
    }

    /// The directories that are named like features, in order.
    fn list(&self, directory: &str) -> Performed {
        let entries = match self.inside(directory).and_then(fs::read_dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return done(&Vec::<String>::new()),
            Err(error) => return Performed::Failed(format!("{directory}: {error}")),
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter(|entry| entry.path().is_dir())
            .map(|entry| entry.file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        done(&names)
    }

    fn judge(&self, document: &JudgedDocument, text: &str) -> Result<GateSummary, String> {
        if *document == JudgedDocument::Requirements && parse_anyway(text).0.requirements().next().is_none() {
            return Ok(GateSummary::without_requirements(text));
        }
        let name = file_of(document).to_owned();
        // The quotes of a brief's statements were judged with their sources; in a comment they would look hidden.
        let judged = match document {
            JudgedDocument::Brief => without_quotes(text),
            // The gate judges the words here, not the file as such.
            JudgedDocument::Requirements => without_front_matter(text).to_owned(),
            JudgedDocument::Source(_) | JudgedDocument::Prd => text.to_owned(),
        };
        // A document states its kind in its front matter, so it is read as `check` reads it. A source was read before.
        let read = match document {
            JudgedDocument::Source(_) => None,
            _ => read_bytes(&name, judged.as_bytes()).into_iter().next().and_then(Result::ok),
        };
        let read = read.unwrap_or_else(|| RawInput { name, text: judged, ..RawInput::default() });
        // A document that is not approved yet has no accepted findings, even if its front matter claims some. Only the brief may lack
        // requirements, which are written after it.
        let accepted = (*document == JudgedDocument::Brief).then(|| Acceptance {
            findings: vec![AcceptedFinding { rule: NO_REQUIREMENTS.to_owned(), words: String::new() }],
            ..Acceptance::default()
        });
        let input = RawInput { accepted, ..read };
        let places = match document {
            JudgedDocument::Brief | JudgedDocument::Prd => open_questions_in(&input.text),
            JudgedDocument::Source(_) | JudgedDocument::Requirements => OpenQuestions::default(),
        };
        // A question is not asked if its source names the person who answers it.
        let assigned: Vec<Span> = match document {
            JudgedDocument::Source(_) => {
                assigned_lines(&input.text).into_iter().map(|line| Span::new(line.start, line.end)).collect()
            }
            _ => Vec::new(),
        };
        let outcome = self.pipeline.run(input).map_err(|error| error.to_string())?;
        Ok(summary(&self.pipeline.book, document.clone(), text, &outcome, &places, &assigned))
    }

    /// A draft by rules: the same function for every run, without requests and without cost.
    fn draft(&self, order: &WorkOrder) -> Performed {
        let collector = Collector::new(&self.pipeline.book.reader);
        let sources = sources_of(&order.sources);
        match order.step {
            DraftStep::Brief => done(&collector.brief_in(&sources, order.language)),
            DraftStep::BriefUpdate => {
                let feedback = order.feedback.clone().unwrap_or_default();
                let brief = match &order.brief {
                    Some(brief) => parse_brief(brief),
                    None => collector.brief_in(&sources, order.language),
                };
                done(&changed_brief(&brief, &feedback, "ask:review"))
            }
            DraftStep::Requirements => {
                let brief = parse_brief(order.brief.as_deref().unwrap_or_default());
                let existing = decided(order.requirements.as_deref().unwrap_or_default());
                let taken: Vec<RequirementId> = existing.iter().map(|(one, _)| one.id.clone()).collect();
                let functional_requirements = collector.requirements(&brief, &sources, &taken);
                let count = functional_requirements.len();
                let summary = messages::Prd::of(brief.language).requirements_collected(&count);
                done(&DraftedRequirements { functional_requirements, summary, gaps_addressed: Vec::new() })
            }
            DraftStep::GapRequirements => {
                let text = order.requirements.as_deref().unwrap_or_default();
                let language = parse_anyway(text).0.language();
                let closing = requirements_for_gaps(&order.gaps, &decided(text), language);
                done(&DraftedRequirements {
                    functional_requirements: closing.functional_requirements,
                    summary: closing.summary,
                    gaps_addressed: closing.gaps_addressed,
                })
            }
            DraftStep::Outline => done(&collected_outline(self.pipeline, order)),
            DraftStep::TeamDraft => {
                let brief = collector.brief(&sources);
                let requirements = collector.requirements(&brief, &sources, &[]);
                done(&without_reader::draft(&brief, &requirements))
            }
            DraftStep::Gaps
            | DraftStep::Conflicts
            | DraftStep::PrdUpdate
            | DraftStep::MarketResearch
            | DraftStep::CompetitorResearch
            | DraftStep::UserResearch
            | DraftStep::TeamRevision
            | DraftStep::DirectorCritique
            | DraftStep::DesignCritique
            | DraftStep::EngineeringCritique => {
                Performed::Failed("rules do not read: have a model or an agent write".to_owned())
            }
        }
    }

    fn assemble(
        &self,
        thread: &str,
        utterance: &str,
        (brief, requirements): (&str, &str),
        project_id: Option<&str>,
        (revisions, kept_gaps, gap_decisions): (&[Revision], &[Gap], &[DecidedGap]),
    ) -> Result<Assembled, String> {
        let (document, _) = parse_anyway(requirements);
        let feature: FeatureId = match document.feature() {
            Some(feature) => feature.clone(),
            None => return Err(format!("requirements.md of thread {thread} does not name a feature")),
        };
        let brief = parse_brief(brief);
        let mut requirements = decided(requirements);
        // The file groups them by decision; a reader looks for an id.
        requirements.sort_by(|(one, _), (other, _)| one.id.cmp(&other.id));
        let status =
            PrdStatus { author: self.owner.clone(), last_modified: self.today.clone(), status: DocumentStatus::Draft };
        let input = PrdInput {
            feature_id: &feature,
            project_id,
            utterance,
            brief: &brief,
            requirements: &requirements,
            status: &status,
            revisions,
            kept_gaps,
            gap_decisions,
        };
        let json = serde_json::to_string_pretty(&prd_document(&input)).map_err(|error| error.to_string())?;
        Ok(Assembled { markdown: render_prd(&input), json: format!("{json}\n") })
    }
}

/// A brief without the places that its statements come from, and without the questions that have a default.
fn without_quotes(text: &str) -> String {
    let mut brief = parse_brief(text);
    for section in BriefSection::ALL {
        for statement in brief.statements_mut(section).into_iter().flatten() {
            statement.source = None;
            statement.further_sources.clear();
        }
    }
    // A question with a default does not stop the work.
    brief.open_questions.retain(|question| !question.has_default());
    for question in &mut brief.open_questions {
        *question = OpenQuestion { answer: question.answer.take(), ..OpenQuestion::new(&question.question, None) };
    }
    render_brief(&brief)
}

/// The name of a document, as people know it.
fn file_of(document: &JudgedDocument) -> &str {
    match document {
        JudgedDocument::Source(name) => name,
        JudgedDocument::Brief => "feature-brief.md",
        JudgedDocument::Requirements => "requirements.md",
        JudgedDocument::Prd => "prd.md",
    }
}

/// The line of a document, from 1, on which the judged words stand; some parts of it may not have been judged.
fn line_of(text: &str, judged: &str, words: Span) -> usize {
    let at = judged[..words.start].matches('\n').count();
    let line = judged.lines().nth(at).unwrap_or_default().trim_end();
    let is_whole = text.len() == judged.len() || line.is_empty();
    let own = text.lines().position(|own| own.starts_with(line)).filter(|_| !is_whole);
    own.unwrap_or(at) + 1
}

/// The requirements of a file with the decision on each.
fn decided(text: &str) -> Vec<(Requirement, Decided)> {
    let (document, _) = parse_anyway(text);
    document.requirements().map(|one| (one.requirement.clone(), one.decided.clone())).collect()
}

/// The open questions of a document.
#[derive(Default)]
struct OpenQuestions {
    /// The headings above them.
    headings: Vec<Span>,
    /// Their lines, item by item.
    items: Vec<Span>,
}

/// The items below the headings of open questions, each with its lines.
fn open_questions_in(text: &str) -> OpenQuestions {
    let mut out = OpenQuestions::default();
    let mut inside = false;
    for (line, heading) in Outline::of(text).lines() {
        let span = Span::new(line.start, line.end);
        if let Some(heading) = heading {
            inside = BriefSection::named(heading.words) == Some(BriefSection::OpenQuestions)
                || SectionId::named(heading.words) == Some(SectionId::OpenQuestions)
                    && !["assumptions", "假设"].contains(&heading.words.to_lowercase().as_str());
            // The heading names the items below it and is not an open point itself.
            out.headings.extend(inside.then_some(span));
        } else if inside && line.text.starts_with("- ") && !line.text.starts_with("- [x]") {
            out.items.push(span);
        } else if inside && let Some(last) = out.items.last_mut().filter(|_| !line.text.is_empty()) {
            last.end = line.end;
        }
    }
    out
}

/// The parts of an outcome that people need to decide. The general questions of a reader are left out: the brief asks
/// about the same subjects.
///
/// The open questions of a document are one blocker together: sentence by sentence they would be reported in pieces.
fn summary(
    book: &RuleBook,
    document: JudgedDocument,
    text: &str,
    outcome: &Outcome,
    open_questions: &OpenQuestions,
    assigned: &[Span],
) -> GateSummary {
    let stopped = outcome.guardrail.findings.iter().map(|finding| finding.message.clone());
    let report = outcome.score_report.as_ref();
    let issues = |of: fn(&TicketScoreReport) -> &Vec<ReviewIssue>| report.map(of).into_iter().flatten();
    let blocking = || issues(|report| &report.blocking_issues);
    let other = || issues(|report| &report.non_blocking_issues);
    let stands_in = |issue: &ReviewIssue, place: &Span| issue.span.is_some_and(|span| place.overlaps(span));
    let OpenQuestions { headings, items } = open_questions;
    let is_question = |issue: &&ReviewIssue| headings.iter().chain(items).any(|place| stands_in(issue, place));
    // The gate decides which questions are open: a question with a default is not.
    let open = items.iter().filter(|item| blocking().any(|issue| stands_in(issue, item))).count();
    let asked = blocking().any(|issue| is_question(&issue)).then(|| match (language_of(text), open.max(1)) {
        (Language::En, 1) => "one open question has no answer".to_owned(),
        (Language::En, count) => format!("{count} open questions have no answer"),
        (Language::Zh, count) => format!("{count} 个待解问题没有答案"),
    });
    let (left_open, others): (Vec<_>, Vec<_>) = blocking().partition(|issue| issue.rule_id.as_str() == OPEN_POINT);
    let quoted = |issue: &ReviewIssue| issue.span.map(|span| span.slice(&outcome.packet.raw_text).to_owned());
    let named = |issue: &&ReviewIssue| match quoted(issue) {
        Some(words) => format!("{}: {}", issue.rule_id, one_line(&words)),
        None => issue.rule_id.to_string(),
    };
    let language = language_of(text);
    let placed = |issue: &ReviewIssue, places: &[Span]| {
        let judged = &outcome.packet.raw_text;
        let place = |span: &Span| format!("{}:{}", file_of(&document), line_of(text, judged, *span));
        let places = places.iter().map(place).collect::<Vec<_>>().join(messages::Prd::of(language).list_comma);
        format!("{}{}", issue.description, messages::Prd::of(language).in_places(&places))
    };
    let told = |issue: &ReviewIssue| match issue.span.zip(issue.against) {
        Some((here, there)) => placed(issue, &[here, there]),
        None => issue.description.clone(),
    };
    let remarked = |issue: &ReviewIssue| match issue.span {
        Some(here) if issue.against.is_none() => placed(issue, &[here]),
        _ => told(issue),
    };
    let blockers: Vec<String> = match outcome.decision.verdict {
        Verdict::GuardrailRejected => stopped.collect(),
        _ => blocking().filter(|issue| !is_question(issue)).map(told).chain(asked).collect(),
    };
    let asks = outcome.decision.questions_only || !outcome.decision.verdict.is_pass();
    // A feature has no steps to reproduce: the questions about a fault report do not apply to it.
    let of_reports = [QuestionCode::Reproduce, QuestionCode::Actual, QuestionCode::Environment];
    let is_general = |issue: &&ReviewIssue| {
        let rule = book.rule(&issue.rule_id);
        rule.is_some_and(|rule| rule.file.is_general() || rule.file.asks.is_some_and(|code| of_reports.contains(&code)))
    };
    let questions = blocking().chain(other().filter(|_| outcome.decision.questions_only));
    let is_assigned =
        |issue: &&ReviewIssue| issue.span.is_some_and(|span| assigned.iter().any(|line| line.overlaps(span)));
    let questions = questions.filter(|issue| !is_general(issue) && !is_assigned(issue));
    GateSummary {
        document: document.clone(),
        text_hash: hash(text.as_bytes()),
        verdict: outcome.decision.verdict,
        score: report.map(|report| report.total_score),
        blockers,
        open_questions: left_open.into_iter().filter_map(quoted).collect(),
        findings: others.iter().map(named).collect(),
        warnings: other().map(remarked).collect(),
        questions: questions
            .filter(|_| asks)
            .filter_map(|issue| issue.question.as_deref())
            .map(plain)
            .take(MOST_QUESTIONS)
            .collect(),
    }
}
