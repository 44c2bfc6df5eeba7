//! Talk between people: their tasks, remarks and stories, and the parts of it that apply to the feature.

use super::asides;
use super::kinds::{Facts, Signs, is_item_of_no, replaces};
use super::people;
use super::statement::Kind;
use super::wording::{clauses, substance, topic, words_of};
use crate::model::{Genre, Span};
use crate::rules::DraftingCue as D;
use crate::text::lexicon::is_cjk;
use crate::text::words::drafting_kinds as lists;
use crate::text::{Cue, Sentence};

impl Facts<'_> {
    /// A remark about the speaker or about participants, or small talk.
    pub(super) fn between_people(&self, sentence: &Sentence, span: Span, words: &str, signs: &Signs) -> Option<Kind> {
        let has = |cue| self.cues.has(span, cue);
        if self.is_talk && asides::wanted_by_colleague(words, self.people).is_some() {
            return Some(Kind::Demand);
        }
        // "No chatbot please."
        if is_item_of_no(words) && substance(words) <= 3 && has(D::Wish) && !signs.binds {
            return Some(Kind::OutOfScope);
        }
        // "Closed at 10:35" names no matter.
        let answers = self.turn.is_some_and(|turn| turn.answers);
        let settles = signs.is_question || self.cues.any(span, &[D::Decision, D::Retraction, D::Open]);
        let is_empty = topic(words).len() < 2 && !answers && !signs.binds && !replaces(self, span) && !settles;
        if self.is_talk && is_empty || self.is_personal(span, words) {
            return Some(Kind::Nothing);
        }
        let is_assent = self.turn.is_some() && asides::is_assent(span.slice(self.text));
        if substance(words) < 2
            || asides::refers_to_ticket(words)
            || is_assent && substance(words) <= 2
            || self.is_talk && asides::is_act_of_meeting(words, self.people)
        {
            return Some(Kind::Nothing);
        }
        let settles = has(D::Open) || has(D::Decision) && self.turn.is_some();
        let remarks = asides::is_remark(words, self.is_talk || self.is_letter) && !self.obliges_first(span);
        if !signs.asks && sentence.genre != Genre::UserStory && !settles && remarks {
            return Some(if self.is_talk || self.is_letter { Kind::Nothing } else { Kind::Problem });
        }
        let tells = self.turn.is_some_and(|turn| turn.tells) && !signs.asks
            || self.is_letter && asides::tells_in_chinese(words);
        (tells && !signs.binds).then_some(Kind::Problem)
    }

    /// A statement in somebody's turn counts if it says how; a bare figure is mostly a description.
    pub(super) fn in_turn(&self, span: Span, words: &str, signs: &Signs) -> Kind {
        let is_told = self.is_told(words) || self.names_another_product(words);
        if self.supposes(words) || asides::is_assent(span.slice(self.text)) || is_told && !signs.binds {
            return Kind::Nothing;
        }
        let enough = substance(words) >= 3 || words.contains("only") || words.contains('只');
        // "1 of 5 parcels comes without paper" is how it is today; a figure that answers a question binds.
        let turn_holds = self.turn.is_some_and(|turn| turn.answers && signs.figures || turn.is_noted && signs.stated);
        let figure_holds = signs.figures && (replaces(self, span) || words.chars().any(is_cjk));
        let is_rule = signs.says_how || turn_holds || figure_holds || signs.is_item && signs.stated;
        if is_rule && enough && (signs.figures || !signs.is_about_us) { Kind::Rule } else { Kind::Nothing }
    }

    /// A description of today's situation, or a statement about a participant.
    fn is_told(&self, words: &str) -> bool {
        asides::tells(words) || asides::tells_in_chinese(words) || asides::speaks_of_colleagues(words, self.people)
    }

    /// Items of minutes count if they say anything; their prose describes as much as it decides.
    pub(super) fn in_minutes(&self, words: &str, signs: &Signs) -> Kind {
        let is_told = self.is_told(words) || asides::is_conditional(words) || signs.is_about_us || signs.guesses;
        let does_only_steps = !signs.figures
            && !signs.binds
            && signs.cues.has(Cue::StepVerb)
            && !signs.cues.any(&[Cue::Obligation, Cue::Bound, Cue::Observable, Cue::Condition]);
        let is_rule = signs.stated && !does_only_steps && substance(words) >= 4 && (signs.binds || !is_told);
        if signs.stated && signs.is_item || is_rule { Kind::Rule } else { Kind::Nothing }
    }

    /// "The bookings must show on the board, my people look nowhere else": the first clause binds and is about no speaker.
    fn obliges_first(&self, span: Span) -> bool {
        let clauses = clauses(self.text, span);
        if span.slice(self.text).chars().any(is_cjk) {
            // 助理的事我定一下：助理可以替人发预约 rules in the clauses without 我.
            let cues = [Cue::Obligation, Cue::Bound, Cue::Observable, Cue::Condition];
            return clauses.iter().flat_map(|clause| parts_of_clause(self.text, *clause)).any(|part| {
                let words = part.slice(self.text);
                let can = lists::LETTING.stand_in(words);
                substance(words) >= 3
                    && (can || self.reading.cues_in(part).any(&cues))
                    && !asides::is_remark(words, self.is_talk)
            });
        }
        let first = clauses.first().copied().unwrap_or(span);
        let words = first.slice(self.text);
        (self.reading.cues_in(first).has(Cue::Obligation) || people::able(&words_of(words)).is_some())
            && !asides::is_remark(&words_of(first.slice(self.text)), self.is_talk)
    }

    /// "If we forget one of them": a case that somebody imagines.
    fn supposes(&self, words: &str) -> bool {
        lists::SUPPOSING.begin(&words.to_lowercase())
    }

    /// "ShopFox sends three mails": a name that the source does not keep coming back to.
    fn names_another_product(&self, words: &str) -> bool {
        let name = words.split([' ', ',', '\'', '’']).next().unwrap_or_default();
        let mut letters = name.chars();
        let begins = letters.next().is_some_and(|c| c.is_ascii_uppercase());
        let mixed = begins && name.chars().any(|c| c.is_ascii_lowercase()) && letters.any(|c| c.is_ascii_uppercase());
        mixed && name.is_ascii() && self.text.matches(name).count() <= 2
    }

    /// A person of the team is to do something; a user of the product is not meant.
    fn is_personal(&self, span: Span, words: &str) -> bool {
        let words = self.people.untitled(words);
        let mut begin = words.split(' ');
        let named = begin.next().is_some_and(|name| self.speakers.contains(&name.to_lowercase()));
        // "Marek sends the protocol": who is there does something himself.
        let does = |verb: &str| verb.len() >= 4 && verb.ends_with('s') && !verb.ends_with("'s");
        let intends = begin.next().is_some_and(|word| lists::PLANS.has(word) || does(word));
        let is_present = words.split(' ').next().is_some_and(|name| name.len() >= 2 && self.people.has(name));
        if (self.is_talk && named || is_present) && intends {
            return true;
        }
        let speaker_zh = self.speakers.iter().find(|name| name.chars().all(is_cjk) && words.starts_with(name.as_str()));
        if speaker_zh.is_some_and(|name| name.chars().count() >= 2 && !lists::USES.begin(&words[name.len()..])) {
            return true;
        }
        if asides::is_errand(words) || self.is_talk && asides::is_errand_zh(words, self.people) {
            return true;
        }
        let Some(cue) = self.cues.find(span, D::PersonalAction) else { return false };
        let own = cue.start <= span.start + 12;
        let first = words.split([' ', ',', '，', ':', '：']).next().unwrap_or_default();
        let is_name = first.chars().next().is_some_and(char::is_uppercase)
            && first.chars().count() >= 2
            && !first.ends_with('s')
            && !first.eq_ignore_ascii_case("the")
            && self.reading.find_cue(span, Cue::Actor).is_none_or(|actor| actor.start > span.start + first.len());
        let speaks = self.speakers.contains(&first.to_lowercase()) || first == "I";
        let zh = lists::OPENINGS_OF_TASKS.begin(words);
        let binds = self.cues.has(span, D::Decision);
        !binds && (speaks || is_name || zh || own && self.is_talk && !words.to_lowercase().starts_with("the "))
    }
}

/// A clause, cut at its colons.
fn parts_of_clause(text: &str, clause: Span) -> Vec<Span> {
    let mut out = Vec::new();
    let mut from = clause.start;
    for (at, colon) in clause.slice(text).match_indices(['：', ':']) {
        out.push(Span::new(from, clause.start + at));
        from = clause.start + at + colon.len();
    }
    out.push(Span::new(from, clause.end));
    out
}
