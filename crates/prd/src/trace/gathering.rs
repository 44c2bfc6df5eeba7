//! Collects the mentions of each requirement, and separates those that belong to no requirement.

use std::collections::{BTreeMap, BTreeSet};

use super::files::{self, FileKind, Scanned};
use super::ids::{IdFinder, canonical};
use super::{
    Commits, Evidence, Feature, Input, Mentions, Required, RequirementStatus, SCHEMA, Searched, Stray, StrayReason,
    Trace, TraceError, TracedRequirement,
};
use crate::Decided;
use crate::requirements::ReviewedRequirement;

/// Searches for the requirements of a feature.
///
/// # Errors
/// Fails if no requirement has an id.
pub fn trace(input: &Input<'_>) -> Result<Trace, TraceError> {
    let all: Vec<&ReviewedRequirement> = input.document.requirements().collect();
    let written: Vec<Vec<String>> = all.iter().map(|one| written_ids(input.text, one)).collect();
    if written.iter().all(Vec::is_empty) {
        return Err(TraceError::NoIds);
    }
    let finder = IdFinder::new(written.iter().flatten().map(String::as_str));
    let scanned = files::scan(input.root, input.sets, input.feature, &finder);
    let mut found = Collected::new(input, &finder, &scanned);
    let elsewhere = Elsewhere::of(input.feature, &finder);
    let decides = all.iter().any(|one| one.decided != Decided::Pending);
    let mut requirements = Vec::new();
    let mut strays = Vec::new();
    for (one, ids) in all.iter().zip(&written) {
        let Some((id, aliases)) = ids.split_first() else { continue };
        let status = RequirementStatus::of(&one.decided);
        let mentions = found.take(ids);
        let reason = match status {
            RequirementStatus::Rejected => Some(StrayReason::Rejected),
            RequirementStatus::OutOfScope => Some(StrayReason::OutOfScope),
            _ => None,
        };
        if let Some(reason) = reason.filter(|_| mentions.total() > 0) {
            strays.push(Stray { id: id.clone(), reason, mentions: mentions.clone() });
        }
        requirements.push(TracedRequirement {
            id: id.clone(),
            aliases: aliases.to_vec(),
            title: one.requirement.title.clone(),
            status,
            wanted: match status {
                RequirementStatus::Approved | RequirementStatus::Modified => true,
                RequirementStatus::Pending => !decides,
                RequirementStatus::Rejected | RequirementStatus::OutOfScope => false,
            },
            shared_with: elsewhere.features_with(ids),
            mentions,
        });
    }
    strays.extend(found.strays(&elsewhere));
    strays.sort_by(|a, b| (a.reason, &a.id).cmp(&(b.reason, &b.id)));
    let lacks = |evidence: Evidence| {
        let wanted = requirements.iter().filter(|one| one.wanted);
        wanted.filter(|one| one.mentions.count(evidence) == Some(0)).map(|one| one.id.clone()).collect()
    };
    let kinds: BTreeSet<Evidence> = input.required.iter().copied().collect();
    let required = kinds.into_iter().map(|evidence| Required { evidence, missing: lacks(evidence) }).collect();
    Ok(Trace {
        schema: SCHEMA.to_owned(),
        document: input.name.to_owned(),
        without_id: written.iter().filter(|ids| ids.is_empty()).count(),
        requirements,
        strays,
        required,
        searched: Searched::of(&scanned, input.commits),
        language: input.document.language(),
    })
}

/// The ids of a requirement that occur in the document; numbers that only this program assigned are not searched for.
fn written_ids(text: &str, one: &ReviewedRequirement) -> Vec<String> {
    let own = one.requirement.id.to_string();
    let is_written = |id: &String| text.contains(id.as_str()) && canonical(id).is_some();
    std::iter::once(own).chain(one.requirement.aliases.iter().cloned()).filter(is_written).collect()
}

impl RequirementStatus {
    fn of(decided: &Decided) -> Self {
        match decided {
            Decided::Pending => Self::Pending,
            Decided::Approved => Self::Approved,
            Decided::Modified { .. } => Self::Modified,
            Decided::Rejected { .. } => Self::Rejected,
            Decided::OutOfScope { .. } => Self::OutOfScope,
        }
    }
}

impl Searched {
    fn of(scanned: &Scanned, commits: &Commits) -> Self {
        let (count, note) = match commits {
            Commits::Read { messages, cut } => (Some(messages.len()), cut.clone()),
            Commits::NotRead(reason) => (None, Some(reason.clone())),
        };
        Self {
            test_files: scanned.tests,
            code_files: scanned.code,
            too_large: scanned.too_large,
            unreadable: scanned.unreadable,
            commits: count,
            commits_note: note,
        }
    }
}

/// The mentions by canonical id that are not yet assigned to a requirement.
struct Collected {
    by_id: BTreeMap<String, Mentions>,
    none: Mentions,
}

impl Collected {
    fn new(input: &Input<'_>, finder: &IdFinder, scanned: &Scanned) -> Self {
        let none = Mentions::new(input.commits);
        let mut by_id: BTreeMap<String, Mentions> = BTreeMap::new();
        for mention in &scanned.mentions {
            // An unknown id must be in the formal spelling, except in tests, where names cannot have it.
            if finder.is_known(&mention.id) || mention.is_formal || mention.kind == FileKind::Tests {
                let mentions = by_id.entry(mention.id.clone()).or_insert_with(|| none.clone());
                mentions.add_place(mention.kind, mention.place.clone());
            }
        }
        if let Commits::Read { messages, .. } = input.commits {
            for (commit, message) in messages {
                let lines = message.lines().filter(|line| !input.feature.is_of_another(line.as_bytes()));
                let named: BTreeSet<String> = lines
                    .flat_map(|line| finder.find(line.as_bytes()))
                    .filter(|found| finder.is_known(&found.id) || found.is_formal)
                    .map(|found| found.id)
                    .collect();
                for id in named {
                    by_id.entry(id).or_insert_with(|| none.clone()).add_commit(commit);
                }
            }
        }
        Self { by_id, none }
    }

    /// Removes and returns the mentions of a requirement under all of its ids.
    fn take(&mut self, ids: &[String]) -> Mentions {
        let mut out = self.none.clone();
        for id in ids.iter().filter_map(|id| canonical(id)).collect::<BTreeSet<_>>() {
            let Some(more) = self.by_id.remove(&id) else { continue };
            out.tests.count += more.tests.count;
            out.tests.places.extend(more.tests.places);
            out.code.count += more.code.count;
            out.code.places.extend(more.code.places);
            if let (Some(into), Some(more)) = (&mut out.commits, more.commits) {
                into.count += more.count;
                into.ids.extend(more.ids);
            }
        }
        out
    }

    /// The remaining mentions: ids without a requirement in any feature. Commits alone do not count, because the
    /// history cannot be corrected.
    fn strays(self, elsewhere: &Elsewhere) -> Vec<Stray> {
        let all = self.by_id.into_iter();
        let nobodys = all.filter(|(id, mentions)| {
            mentions.tests.count + mentions.code.count > 0 && !elsewhere.others.values().any(|ids| ids.contains(id))
        });
        let stray = |(id, mentions): (String, Mentions)| {
            let reason = if elsewhere.own.contains(&id) { StrayReason::Removed } else { StrayReason::Unknown };
            Stray { id, reason, mentions }
        };
        nobodys.map(stray).collect()
    }
}

/// The ids that documents contain: those of the feature, and those of other features.
struct Elsewhere {
    own: BTreeSet<String>,
    others: BTreeMap<String, BTreeSet<String>>,
}

impl Elsewhere {
    fn of(feature: &Feature, finder: &IdFinder) -> Self {
        let ids = |texts: &[String]| {
            texts.iter().flat_map(|text| finder.find(text.as_bytes())).map(|found| found.id).collect()
        };
        let others = feature.others.iter().map(|(name, texts)| (name.clone(), ids(texts))).collect();
        Self { own: ids(&feature.texts), others }
    }

    fn features_with(&self, ids: &[String]) -> Vec<String> {
        let ids: Vec<String> = ids.iter().filter_map(|id| canonical(id)).collect();
        let has = |known: &BTreeSet<String>| ids.iter().any(|id| known.contains(id));
        self.others.iter().filter(|(_, known)| has(known)).map(|(name, _)| name.clone()).collect()
    }
}
