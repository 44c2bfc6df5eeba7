//! Suggests the known name that a mistyped one probably meant.

/// The known name closest to `word`, if it differs only by a typing mistake or a missing ending.
pub(crate) fn closest<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    // Longer words are not typing mistakes, and the distance takes quadratic time.
    if word.chars().count() > 64 {
        return None;
    }
    let wanted = word.to_lowercase().replace(['_', ' '], "-");
    let scored = known.into_iter().filter_map(|name| {
        let candidate = name.to_lowercase().replace(['_', ' '], "-");
        let allowed = wanted.chars().count().max(candidate.chars().count()) / 3;
        let apart = strsim::osa_distance(&wanted, &candidate);
        let contains = wanted.len() >= 4 && candidate.split('-').any(|part| part == wanted);
        match (apart <= allowed.max(1) && apart < wanted.chars().count(), contains) {
            (true, _) => Some((apart, name)),
            (false, true) => Some((usize::MAX, name)),
            (false, false) => None,
        }
    });
    scored.min_by(|a, b| a.cmp(b)).map(|(_, name)| name)
}

/// A suffix such as `: did you mean `x`?`, or an empty text.
pub fn did_you_mean<'n>(word: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    closest(word, known).map(|name| format!(": did you mean `{name}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_understood_and_strangers_are_not() {
        let known = ["thresholds", "rules", "vague-demand", "missing-actor"];
        for (word, expected) in [
            ("treshold", Some("thresholds")),
            ("ruels", Some("rules")),
            ("vague_demand", Some("vague-demand")),
            ("actor", Some("missing-actor")),
            ("zebra", None),
            ("", None),
        ] {
            assert_eq!(closest(word, known), expected, "{word}");
        }
    }
}
