//! Requirements from the rules, criteria and stories that sources label.

use super::Collector;
use crate::layouts::Source;
use crate::layouts::labels::Label;
use crate::layouts::pieces::Piece;
use crate::layouts::sentences::{plain, says_just_the_same, sentence, substance};
use crate::layouts::titles::{title, without_key};
use crate::{FeatureBrief, OpenQuestion, Requirement, RequirementId, RequirementPriority, SourceQuote, Statement};

impl Collector<'_> {
    /// Returns the requirements that a brief states, with ids that are not in `taken`.
    ///
    /// Each constraint is one requirement, in the words of the brief. A constraint that is a criterion in its source
    /// belongs to the requirement above it: the rule that it is listed below, otherwise the story or the title of its
    /// source. Statements that a person removed from the brief are left out, and so are answers, unless they choose
    /// one of two rules.
    pub fn requirements(&self, brief: &FeatureBrief, sources: &[Source], taken: &[RequirementId]) -> Vec<Requirement> {
        let pieces = self.pieces(sources);
        let origin = |statement: &Statement| {
            let place = statement.source.as_ref()?;
            pieces.iter().find(|piece| piece.place == *place)
        };
        let draft = Draft { brief, sources, collector: self };
        let mut out: Vec<Requirement> = Vec::new();
        for story in brief.goals.iter().filter(|goal| origin(goal).is_some_and(|one| one.label == Label::Story)) {
            out.push(draft.requirement(story, Label::Story, origin(story)));
        }
        let mut above: Option<(&Piece, usize)> = None;
        for statement in &brief.constraints {
            let piece = origin(statement);
            let label = piece.map_or(Label::Rule, |piece| piece.label);
            let listed_below = piece.and_then(|piece| {
                above.filter(|(rule, _)| rule.place.source == piece.place.source && rule.depth < piece.depth)
            });
            if let Some((_, owner)) = listed_below {
                attach(&mut out[owner], statement);
                continue;
            }
            if let (Label::Criterion, Some(piece)) = (label, piece) {
                let owner = draft.owner(piece, &mut out);
                attach(&mut out[owner], statement);
                continue;
            }
            above = piece.map(|piece| (piece, out.len()));
            out.push(draft.requirement(statement, label, piece));
        }
        for place in brief.open_questions.iter().filter_map(chosen) {
            let chosen = Statement::new(plain(&place.quote), Some(place.clone()));
            out.push(draft.requirement(&chosen, Label::Rule, origin(&chosen)));
        }
        out.dedup_by(|later, earlier| says_just_the_same(&later.description, &earlier.description));
        number(&mut out, taken);
        out
    }
}

struct Draft<'d> {
    brief: &'d FeatureBrief,
    sources: &'d [Source],
    collector: &'d Collector<'d>,
}

impl Draft<'_> {
    /// Turns a statement into a requirement, with the priority and the stories that its source gives it.
    fn requirement(&self, statement: &Statement, label: Label, piece: Option<&Piece>) -> Requirement {
        let quality = label == Label::Quality;
        Requirement {
            priority: piece.map_or(RequirementPriority::Unset, |piece| piece.tags.priority),
            category: label.category(self.brief.language).to_owned(),
            sources: statement.source.iter().cloned().collect(),
            user_stories: piece.map(|piece| piece.tags.stories.clone()).unwrap_or_default(),
            ..Requirement::new(
                if quality { RequirementId::quality(0) } else { RequirementId::functional(0) },
                Some(title(&statement.text))
                    .filter(|name| !name.is_empty())
                    .unwrap_or_else(|| self.brief.title.clone()),
                sentence(&statement.text),
            )
        }
    }

    /// The index of the requirement that a criterion belongs to: the only story of its source, otherwise one named
    /// after the source's title.
    fn owner(&self, criterion: &Piece, out: &mut Vec<Requirement>) -> usize {
        let name = &criterion.place.source;
        let is_story = |one: &Requirement| {
            let goals = &self.brief.goals;
            one.sources.iter().any(|place| place.source == *name)
                && goals.iter().any(|goal| sentence(&goal.text) == one.description)
        };
        let stories: Vec<usize> = (0..out.len()).filter(|at| is_story(&out[*at])).collect();
        if let [only] = stories.as_slice() {
            return *only;
        }
        let titled = self.titled(name);
        let known = out.iter().position(|one| one.description == titled.description);
        known.unwrap_or_else(|| {
            out.push(titled);
            out.len() - 1
        })
    }

    /// A requirement named after the title of a source, for criteria without a rule above them.
    fn titled(&self, name: &str) -> Requirement {
        let source = self.sources.iter().find(|source| source.name == name);
        let place = source.and_then(|source| {
            let reading = self.collector.reader.read(&source.text, None);
            let span = reading.title?;
            let line = reqgate_base::model::LineIndex::new(&source.text).position(&source.text, span.start).line;
            let quote = span.slice(&source.text).to_owned();
            Some(SourceQuote { source: name.to_owned(), line: u32::try_from(line).unwrap_or(u32::MAX), quote })
        });
        let place = place.filter(|place| substance(without_key(&place.quote)) >= 1);
        let words = place.as_ref().map_or(self.brief.title.as_str(), |place| without_key(&place.quote));
        let statement = Statement::new(words, place.clone());
        self.requirement(&statement, Label::Rule, None)
    }
}

/// The location of the rule that a person chose from two contradicting ones. An answer itself is not a requirement:
/// it may be a fact, a source or a name.
fn chosen(question: &OpenQuestion) -> Option<&SourceQuote> {
    let answer = question.answer.as_deref().filter(|_| question.settles_a_conflict())?;
    question.source.iter().chain(&question.against).find(|place| says_just_the_same(&plain(&place.quote), answer))
}

/// Adds a criterion, with its location.
fn attach(requirement: &mut Requirement, criterion: &Statement) {
    let words = sentence(&criterion.text);
    if !requirement.acceptance_criteria.contains(&words) {
        requirement.acceptance_criteria.push(words);
        requirement.sources.extend(criterion.source.clone());
    }
}

/// Assigns ids above all taken ones, counting functional and quality requirements separately.
pub(super) fn number(requirements: &mut [Requirement], taken: &[RequirementId]) {
    let highest = |quality: bool| {
        taken.iter().filter(|id| id.is_quality() == quality).map(RequirementId::number).max().unwrap_or(0)
    };
    let (mut functional, mut quality) = (highest(false), highest(true));
    for requirement in requirements {
        let last = if requirement.id.is_quality() { &mut quality } else { &mut functional };
        *last = last.saturating_add(1);
        requirement.id = match requirement.id.is_quality() {
            true => RequirementId::quality(*last),
            false => RequirementId::functional(*last),
        };
    }
}
