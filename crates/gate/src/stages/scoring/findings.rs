//! Runs every rule over a text and returns its findings, before severities, waivers and points.

use std::cell::OnceCell;

use reqgate_base::model::{
    Category, FacetEvidence, Finding, Genre, MISSING_CRITERIA, Match, QuestionCode, SectionRole, Severity, Span,
};
use reqgate_rules::{Detect, Exemption, Facet, PatternRule, Policy, Profile, Rule, RuleBook};
use reqgate_text::answer::read_answer;
use reqgate_text::clauses::{is_case_of_the_product, is_past, is_set_aside};
use reqgate_text::quantities::{Dimension, Quantity, quantities};
use reqgate_text::quotation_marks::{is_quoted, is_struck_out};
use reqgate_text::story_parts::story_parts;
use reqgate_text::words::binding::{FORMAL_VERBS, VERBS};
use reqgate_text::{BlockKind, Cue, Hit, ListId, Sentence};

use super::about::about;
use super::accounts::tells_what_was_tried;
use super::claims::{Claim, claims};
use super::{Context, checks, details, names};

/// The placeholder for the words that a question quotes.
pub(crate) const ABOUT: &str = "about";
/// The hole of a question for the person who answers an open point.
pub(crate) const OWNER: &str = "owner";
/// The most findings of one rule to examine beyond its limit.
const MOST_BEYOND: usize = 1_000;

/// Data about a text that several rules need, computed once.
struct Prepared<'t> {
    ctx: Context<'t>,
    /// The figures in the rules of the text, read when a rule first asks for them.
    claims: OnceCell<Vec<Claim>>,
}

impl<'t> Prepared<'t> {
    fn new(ctx: Context<'t>) -> Self {
        Self { ctx, claims: OnceCell::new() }
    }

    fn hits_of(&self, list: ListId) -> &'t [Hit] {
        self.ctx.reading.hits_of(list)
    }

    fn claims(&self) -> &[Claim] {
        self.claims.get_or_init(|| claims(self.ctx))
    }
}

/// The findings of all rules that read this kind of document, in the order of the rules, then of the text. The
/// questions of readers are not included, because they depend on these findings.
///
/// Rules that run only under policies that name them are left to `added`.
pub fn findings(book: &RuleBook, ctx: Context<'_>) -> Vec<Finding> {
    let prepared = Prepared::new(ctx);
    let specifies = specifies(ctx);
    let reads = |rule: &&Rule| rule.reads(ctx.profile) && !rule.file.only_by_name;
    let found = |rule: &Rule| {
        let all = run(rule, &prepared);
        let weighed = specifies || rule.file.is_own || !is_about_wording(rule);
        all.into_iter().filter(move |finding| weighed || finding.span.is_some_and(|span| is_said_to_bind(ctx, span)))
    };
    book.rules.iter().filter(reads).flat_map(found).collect()
}

/// The findings of the rules that a policy adds, in the policy's order.
pub(crate) fn added(book: &RuleBook, policy: &Policy, ctx: Context<'_>) -> Vec<Finding> {
    let prepared = Prepared::new(ctx);
    let rules = policy.file.adds.iter().filter_map(|id| book.rule(id));
    rules
        .filter(|rule| rule.file.only_by_name && rule.reads(ctx.profile))
        .flat_map(|rule| run(rule, &prepared))
        .collect()
}

/// The findings beyond the limit of each rule, in the same order. They are needed if only new findings block, because
/// the first few may all be old.
pub(crate) fn beyond_limits(book: &RuleBook, ctx: Context<'_>) -> Vec<Finding> {
    let prepared = Prepared::new(ctx);
    let rules =
        book.rules.iter().filter(|rule| rule.reads(ctx.profile) && !rule.file.is_general() && !rule.file.only_by_name);
    rules.flat_map(|rule| all_of(rule, &prepared).into_iter().skip(rule.file.limit).take(MOST_BEYOND)).collect()
}

/// The questions of a reader who would ask about these subjects.
pub(crate) fn of_reader(book: &RuleBook, asked: &[QuestionCode], ctx: Context<'_>) -> Vec<Finding> {
    let is_asked = |rule: &&Rule| rule.file.is_general() && rule.file.asks.is_some_and(|code| asked.contains(&code));
    let rules: Vec<&Rule> = book.rules.iter().filter(|rule| rule.reads(ctx.profile)).filter(is_asked).collect();
    let mut named: Vec<Span> = Vec::new();
    let finding = |code: &QuestionCode| {
        let rule = rules.iter().find(|rule| rule.file.asks == Some(*code))?;
        // Two questions that quote the same words are harder to read than one.
        let words = about(*code, ctx).filter(|span| !named.contains(span));
        named.extend(words);
        // A decision is requested only if words of the author leave a choice open.
        if words.is_none() && *code == QuestionCode::Decide {
            return None;
        }
        let finding = match words.filter(|_| *code == QuestionCode::Decide) {
            Some(span) => Finding::at(rule.file.id.clone(), span),
            None => Finding::missing(rule.file.id.clone()),
        };
        Some(words.map_or(finding.clone(), |span| finding.with(ABOUT, span.slice(ctx.text))))
    };
    asked.iter().filter_map(finding).collect()
}

/// Returns true for a statement such as "The export should be fast", which is checked even if the ticket
/// has no other specification.
fn is_said_to_bind(ctx: Context<'_>, span: Span) -> bool {
    let Some(sentence) = ctx.reading.sentence_at(span.start) else { return false };
    let words = sentence.span.slice(ctx.text).to_lowercase();
    !sentence.cues.has(Cue::FirstPerson) && VERBS.iter().any(|sign| words.contains(sign))
}

/// Returns true for a word in a section of criteria that needs a figure. A tester must decide on it even if a reader
/// would not ask.
pub(crate) fn is_unmeasured_criterion(rule: &Rule, finding: &Finding, ctx: Context<'_>) -> bool {
    let needs_figure = match &rule.file.detect {
        Detect::Terms { unless, .. } | Detect::Patterns { unless, .. } => unless.contains(&Exemption::Measured),
        _ => false,
    };
    let sentence = finding.span.and_then(|span| ctx.reading.sentence_at(span.start));
    needs_figure
        && rule.file.asks == Some(QuestionCode::What)
        && is_about_wording(rule)
        && sentence.is_some_and(|sentence| sentence.role == SectionRole::AcceptanceCriteria)
}

/// Returns true for a rule about single words. Such rules apply to specifications, not to a wish among colleagues.
fn is_about_wording(rule: &Rule) -> bool {
    rule.file.category == Category::Ambiguity
        && rule.file.severity == Severity::Warning
        && matches!(rule.file.detect, Detect::Terms { .. } | Detect::Patterns { .. })
}

/// Returns true unless a ticket is only a wish: no story, no section of criteria or requirements, fewer than two
/// criteria.
fn specifies(ctx: Context<'_>) -> bool {
    let formal = |sentence: &Sentence| {
        matches!(sentence.genre, Genre::UserStory | Genre::AcceptanceCriterion | Genre::GherkinStep)
            || matches!(sentence.role, SectionRole::Story | SectionRole::Requirements | SectionRole::NonFunctional)
            || sentence.cues.has(Cue::StoryRole)
    };
    ctx.profile != Profile::Feature || ctx.facets.criteria.len() >= 2 || ctx.reading.sentences.iter().any(formal)
}

/// The findings of one rule, at most as many as its limit.
pub(crate) fn findings_of(rule: &Rule, ctx: Context<'_>) -> Vec<Finding> {
    run(rule, &Prepared::new(ctx))
}

fn run(rule: &Rule, prepared: &Prepared<'_>) -> Vec<Finding> {
    let mut found = all_of(rule, prepared);
    found.truncate(rule.file.limit);
    found
}

fn all_of(rule: &Rule, prepared: &Prepared<'_>) -> Vec<Finding> {
    let ctx = prepared.ctx;
    match &rule.file.detect {
        Detect::Terms { genres, unless, .. } => terms(rule, genres, unless, prepared),
        Detect::Patterns { expressions: written, genres, unless } => {
            expressions(rule, written, genres, unless, prepared)
        }
        Detect::Missing { facet, at_least, unless_likely } => missing(rule, *facet, *at_least, unless_likely, ctx),
        Detect::Reader => Vec::new(),
        Detect::Check => named(rule, checks::run(rule.file.id.as_str(), ctx, || prepared.claims())),
        Detect::CheckWords { .. } => {
            let places = rule.list.map_or(&[][..], |list| prepared.hits_of(list));
            if places.is_empty() {
                return Vec::new();
            }
            named(rule, checks::run_at(rule.file.id.as_str(), ctx, places))
        }
    }
}

/// The findings of a rule from the matches of its check.
fn named(rule: &Rule, seen: Option<Vec<Match>>) -> Vec<Finding> {
    seen.unwrap_or_default().into_iter().map(|seen| seen.of(&rule.file.id)).collect()
}

fn terms(rule: &Rule, genres: &[Genre], unless: &[Exemption], prepared: &Prepared<'_>) -> Vec<Finding> {
    let ctx = prepared.ctx;
    let Some(list) = rule.list else { return Vec::new() };
    let mut found: Vec<Finding> = Vec::new();
    let mut covered = 0;
    for hit in prepared.hits_of(list) {
        if hit.span.start < covered {
            continue;
        }
        let Some(sentence) = ctx.reading.sentence_at(hit.span.start) else { continue };
        let is_read = is_demanded(sentence) && genres.contains(&genre_of(sentence, ctx));
        if !is_read || is_exempt(unless, sentence, hit.span, ctx) {
            continue;
        }
        if names::is_name(ctx.text, sentence.span, hit.span) {
            continue;
        }
        covered = hit.span.end;
        found.push(Finding::at(rule.file.id.clone(), hit.span).with("term", hit.span.slice(ctx.text)));
        if found.len() >= rule.file.limit {
            break;
        }
    }
    found
}

/// Excludes words that are struck out or out of scope.
fn is_demanded(sentence: &Sentence) -> bool {
    !sentence.struck && sentence.role != SectionRole::OutOfScope
}

/// Excludes words that are struck out, and records that are filled in after the work. Open points outside the scope are
/// included.
fn is_stated(sentence: &Sentence) -> bool {
    let is_record = matches!(
        sentence.role,
        SectionRole::Metadata | SectionRole::Implementation | SectionRole::Evidence | SectionRole::Timeline
    );
    !sentence.struck && !is_record
}

fn expressions(
    rule: &Rule,
    patterns: &[PatternRule],
    genres: &[Genre],
    unless: &[Exemption],
    prepared: &Prepared<'_>,
) -> Vec<Finding> {
    let ctx = prepared.ctx;
    let mut found: Vec<(usize, Finding)> = Vec::new();
    for (index, pattern) in patterns.iter().enumerate() {
        let Some(near) = rule.near.get(index) else { continue };
        let mut tried = 0;
        for hit in prepared.hits_of(*near) {
            let Some(sentence) = ctx.reading.sentence_at(hit.span.start) else { continue };
            let is_read = if rule.file.fact { is_stated(sentence) } else { is_demanded(sentence) };
            if sentence.span.end <= tried || !is_read {
                continue;
            }
            let genre = genre_of(sentence, ctx);
            if !genres.contains(&genre) {
                continue;
            }
            tried = sentence.span.end;
            let speaks = pattern.lang.is_none_or(|lang| lang == sentence.language);
            // One finding per sentence: the first matching pattern in the file wins.
            let reads = pattern.genres.is_empty() || pattern.genres.contains(&genre);
            let fits = speaks && reads && (!pattern.formal || is_formal(ctx, sentence));
            if !fits || found.iter().any(|(end, _)| *end == sentence.span.end) {
                continue;
            }
            if let Some(finding) = matched(rule, index, sentence, unless, ctx) {
                found.push((sentence.span.end, finding));
            }
            if found.len() >= rule.file.limit * patterns.len() {
                break;
            }
        }
    }
    found.sort_by_key(|(end, _)| *end);
    found.into_iter().map(|(_, finding)| finding).collect()
}

/// The punctuation that can separate clauses.
const AROUND_TERM: [char; 14] = [',', '，', '.', '。', ';', '；', ':', '：', '、', '(', '（', ')', '）', ' '];

/// The match of a rule's pattern number `index` in a sentence.
fn matched(rule: &Rule, index: usize, sentence: &Sentence, unless: &[Exemption], ctx: Context<'_>) -> Option<Finding> {
    let words = sentence.span.slice(ctx.text);
    let term = rule.expression(index)?.term(words)?;
    if rule.excuse(index).is_some_and(|excuse| excuse.is_match(words)) {
        return None;
    }
    // A pattern may match punctuation around its words; it is not shown.
    let matched = words[term.start..term.end].trim_start_matches(AROUND_TERM);
    let start = sentence.span.start + term.end - matched.len();
    let shown = matched.trim_end_matches(AROUND_TERM);
    let span = Span::new(start, start + shown.len());
    let finding = || Finding::at(rule.file.id.clone(), span).with("term", shown);
    (!is_exempt(unless, sentence, span, ctx)).then(finding)
}

/// Reads a plain sentence that structuring recognised as a criterion as one: most criteria are in lists without a
/// heading.
fn genre_of(sentence: &Sentence, ctx: Context<'_>) -> Genre {
    let item = matches!(ctx.reading.blocks[sentence.block].kind, BlockKind::ListItem | BlockKind::Turn);
    let plain = item && matches!(sentence.genre, Genre::Prose | Genre::Speech | Genre::Aside);
    if plain && stands_with_criteria(sentence, ctx) { Genre::AcceptanceCriterion } else { sentence.genre }
}

/// Returns true for a criterion and for items in the same list as a criterion.
fn stands_with_criteria(sentence: &Sentence, ctx: Context<'_>) -> bool {
    // Items in one list with criteria are meant as criteria, verifiable or not.
    let section = |block: usize| ctx.reading.section_of.get(block);
    let listed = ctx.reading.blocks[sentence.block].kind == BlockKind::ListItem;
    let beside = |span: Span| {
        let other = ctx.reading.sentence_at(span.start);
        other.is_some_and(|other| {
            ctx.reading.blocks[other.block].kind == BlockKind::ListItem
                && section(other.block) == section(sentence.block)
        })
    };
    let mut criteria = ctx.facets.criteria.iter().map(|criterion| criterion.span);
    criteria.any(|span| span.contains(sentence.span) || listed && beside(span))
}

fn missing(rule: &Rule, facet: Facet, at_least: usize, unless: &[String], ctx: Context<'_>) -> Vec<Finding> {
    let count = count(facet, ctx);
    let mut evidence = unless.iter().filter_map(|id| ctx.facets.evidence_of(id)).peekable();
    let is_there = if ctx.by_evidence && evidence.peek().is_some() {
        evidence.any(FacetEvidence::is_likely)
    } else {
        count >= at_least || is_understood(facet, ctx)
    };
    if is_there {
        return Vec::new();
    }
    vec![Finding::missing(rule.file.id.clone()).with("found", count.to_string()).with("needed", at_least.to_string())]
}

/// Returns true if an actor or a benefit may be missing. Most readers infer them, so they are required only if the
/// author began a story. A separate rule covers tickets that lack both.
fn is_understood(facet: Facet, ctx: Context<'_>) -> bool {
    let story = |sentence: &Sentence| {
        sentence.genre == Genre::UserStory || sentence.role == SectionRole::Story || sentence.cues.has(Cue::StoryRole)
    };
    ctx.profile == Profile::Feature
        && matches!(facet, Facet::Actor | Facet::Benefit)
        && !ctx.reading.sentences.iter().any(story)
}

/// Returns true for a feature without a requirement and without a criterion other than the sentence that asks for it.
pub(crate) fn lacks_criteria(ctx: Context<'_>) -> bool {
    let need = ctx.facets.need;
    let is_wish = |span: Span| need.is_some_and(|need| need.overlaps(span));
    ctx.profile == Profile::Feature
        && ctx.facets.requirements.is_empty()
        && ctx.facets.criteria.iter().all(|criterion| is_wish(criterion.span))
}

/// The finding that a text has no criteria at all.
pub(crate) fn missing_criteria(book: &RuleBook) -> Option<Finding> {
    let rule = book.rules.iter().find(|rule| rule.file.id.as_str() == MISSING_CRITERIA)?;
    let Detect::Missing { at_least, .. } = &rule.file.detect else { return None };
    Some(Finding::missing(rule.file.id.clone()).with("found", "0").with("needed", at_least.to_string()))
}

/// The number of times a facet occurs in a text.
pub(crate) fn count(facet: Facet, ctx: Context<'_>) -> usize {
    let facets = ctx.facets;
    match facet {
        Facet::Title => {
            usize::from(ctx.reading.title.is_some_and(|title| reqgate_text::display_width(title.slice(ctx.text)) >= 10))
        }
        Facet::Actor => usize::from(facets.actor.is_some()),
        Facet::Need => usize::from(facets.need.is_some()),
        Facet::Benefit => usize::from(facets.benefit.is_some()),
        Facet::StoryParts => [facets.actor, facets.need, facets.benefit].iter().flatten().count(),
        Facet::Criteria => facets.criteria.len(),
        Facet::VerifiableCriteria => facets.criteria.iter().filter(|criterion| criterion.verifiable).count(),
        Facet::NegativeCriteria => facets.criteria.iter().filter(|c| c.negative).count() + facets.edge_cases.len(),
        Facet::EdgeCases => facets.edge_cases.len(),
        Facet::Steps => facets.steps.len(),
        Facet::Expected => facets.expected.len(),
        Facet::Actual => facets.actual.len(),
        Facet::Environment => facets.environment.len(),
        Facet::ExpectedDetails => details::words(ctx.text, &facets.expected),
        Facet::ActualDetails => details::words(ctx.text, &facets.actual),
        Facet::EnvironmentDetails => details::facts(ctx.text, ctx.reading, &facets.environment),
        Facet::Resources => facets.resources.len(),
        Facet::Decisions => facets.decisions.len(),
        Facet::Requirements => facets.requirements.len(),
        Facet::VerifiableRequirements => facets.requirements.iter().filter(|r| r.verifiable).count(),
        Facet::Goals => facets.goals.len(),
        Facet::OutOfScope => facets.out_of_scope.len(),
        Facet::Metrics => facets.metrics.len(),
    }
}

/// Returns true if work can start with a stated default: "Which format? Not decided yet (owner: Jonas; default: CSV)".
fn has_default(ctx: Context<'_>, sentence: &Sentence) -> bool {
    let words = ctx.reading.blocks[sentence.block].text.slice(ctx.text);
    sentence.role == SectionRole::OpenQuestions
        && read_answer("", words).open.is_some_and(|open| open.assignment.default.is_some())
}

fn is_exempt(unless: &[Exemption], sentence: &Sentence, hit: Span, ctx: Context<'_>) -> bool {
    unless.iter().any(|exemption| match exemption {
        Exemption::Measured => {
            let quantities = quantities(ctx.text, sentence.span);
            // "One form", 一个界面: an article, not a measure.
            let measure = |q: &Quantity| q.dimension.is_some_and(|d| d != Dimension::Count || q.value != 1.0);
            sentence.cues.has(Cue::Bound) && !quantities.is_empty()
                || quantities.iter().any(measure)
                || names::has_ratio(sentence.span.slice(ctx.text))
        }
        Exemption::Compound => names::is_name(ctx.text, sentence.span, hit) || names::is_compound(ctx.text, hit),
        Exemption::Known => names::is_known(ctx.text, sentence.span, hit),
        Exemption::Quoted => is_quoted(ctx.text, sentence.span, hit) || is_struck_out(ctx.text, sentence.span, hit),
        Exemption::InBenefit => is_in_benefit(ctx, sentence, hit),
        Exemption::Observable => sentence.cues.has(Cue::Observable),
        Exemption::Narrative if tells_what_was_tried(sentence.span.slice(ctx.text)) => true,
        // A story or a criterion states a requirement, even if it also mentions other things.
        Exemption::Narrative if is_demand(sentence.genre) || stands_with_criteria(sentence, ctx) => false,
        Exemption::Narrative => {
            sentence.cues.any(&[Cue::Narrative, Cue::Pain])
                || matches!(sentence.role, SectionRole::Rationale | SectionRole::Goals)
        }
        Exemption::Informal => !is_formal(ctx, sentence),
        Exemption::OpenPoint => checks::reports_as_open(ctx, sentence.span) || has_default(ctx, sentence),
        Exemption::Case => {
            // The reading has already excluded words that only name a state.
            let names_a_state = !sentence.cues.has(Cue::Open) && ctx.reading.find_cue(hit, Cue::Open).is_some();
            names_a_state || is_case_of_the_product(ctx.text, sentence.span, hit)
        }
        Exemption::SetAside => is_set_aside(ctx.text, ctx.reading, sentence),
        Exemption::Past => is_past(ctx.text, sentence.span, hit),
    })
}

/// Returns true for a requirement in the style of a specification: it says "shall", has a number, or is a paragraph
/// among the requirements of a document. The strict rules of INCOSE and ISO 29148 apply only there.
pub(crate) fn is_formal(ctx: Context<'_>, sentence: &Sentence) -> bool {
    if sentence.genre != Genre::ShallStatement {
        return false;
    }
    let among_requirements = matches!(sentence.role, SectionRole::Requirements | SectionRole::NonFunctional);
    let block = &ctx.reading.blocks[sentence.block];
    let words = sentence.span.slice(ctx.text);
    block.label.is_some() && (among_requirements || ctx.profile == Profile::Prd)
        || among_requirements && block.kind == BlockKind::Paragraph
        || FORMAL_VERBS.iter().any(|verb| words.contains(verb))
}

fn is_demand(genre: Genre) -> bool {
    matches!(genre, Genre::UserStory | Genre::AcceptanceCriterion | Genre::GherkinStep)
}

/// Returns true if the words are part of the benefit, which begins at its first cue and ends with the sentence.
fn is_in_benefit(ctx: Context<'_>, sentence: &Sentence, hit: Span) -> bool {
    if sentence.genre == Genre::UserStory {
        // A story has its own signals. Elsewhere "to stop" may name a purpose; in a wish it is the wish itself.
        return story_parts(ctx.text, sentence.span).reason.contains(hit);
    }
    let purpose = ctx.reading.find_cue(sentence.span, Cue::Benefit);
    purpose.is_some_and(|cue| cue.start <= hit.start)
        || matches!(sentence.role, SectionRole::Rationale | SectionRole::Goals)
}
