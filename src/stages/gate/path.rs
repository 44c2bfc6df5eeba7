//! Finds the smallest set of edits that turns a rejection into a pass, with the points that each buys.

use crate::model::{Edit, PathToPass};

/// An edit and what it does to the evidence `E`.
pub struct Repair<E> {
    /// The edit; its points are filled in here.
    pub edit: Edit,
    /// What it changes.
    pub apply: Box<dyn Fn(&mut E)>,
}

/// Edits that remove blockers are all needed; of the others the most valuable are taken until the threshold is reached,
/// and those that turn out not to be needed are put back.
pub fn path_to_pass<E: Clone>(
    evidence: &E,
    repairs: &[Repair<E>],
    score: impl Fn(&E) -> f64,
    threshold: f64,
) -> PathToPass {
    let mut chosen: Vec<usize> = (0..repairs.len()).filter(|index| repairs[*index].edit.removes_blocker).collect();
    let after = |chosen: &[usize]| {
        let mut evidence = evidence.clone();
        for index in chosen {
            (repairs[*index].apply)(&mut evidence);
        }
        score(&evidence)
    };
    let mut now = after(&chosen);
    while now < threshold {
        let gains = (0..repairs.len()).filter(|index| !chosen.contains(index)).map(|index| {
            let mut tried = chosen.clone();
            tried.push(index);
            (index, after(&tried))
        });
        // Of equal gains the first repair wins, so that the path is the same in every run.
        let best = gains.fold(None, |best: Option<(usize, f64)>, (index, gain)| match best {
            Some((_, so_far)) if gain <= so_far => best,
            _ => Some((index, gain)),
        });
        match best {
            Some((index, gain)) if gain > now => {
                chosen.push(index);
                now = gain;
            }
            _ => break,
        }
    }
    let optional: Vec<usize> = chosen.iter().copied().filter(|index| !repairs[*index].edit.removes_blocker).collect();
    for index in optional {
        let without: Vec<usize> = chosen.iter().copied().filter(|other| *other != index).collect();
        if after(&without) >= threshold {
            chosen = without;
        }
    }
    let mut edits = Vec::new();
    let mut before = score(evidence);
    for (position, index) in chosen.iter().enumerate() {
        let reached = after(&chosen[..=position]);
        edits.push(Edit { points: ((reached - before) * 10.0).round() / 10.0, ..repairs[*index].edit.clone() });
        before = reached;
    }
    PathToPass { edits, score_after: before }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn repair(points: f64, removes_blocker: bool) -> Repair<f64> {
        let edit = Edit {
            instruction: format!("{points}"),
            rule_id: None,
            criterion: None,
            span: None,
            points: 0.0,
            removes_blocker,
        };
        Repair { edit, apply: Box::new(move |score| *score += points) }
    }

    #[test]
    fn blockers_come_first_and_then_only_what_is_needed() {
        let repairs = [repair(3.0, false), repair(20.0, false), repair(1.0, true), repair(8.0, false)];
        let path = path_to_pass(&40.0, &repairs, |score| *score, 60.0);
        let points: Vec<f64> = path.edits.iter().map(|edit| edit.points).collect();
        assert_eq!(points, [1.0, 20.0]);
        assert!((path.score_after - 61.0).abs() < 1e-9);
    }

    #[test]
    fn what_cannot_be_reached_is_not_promised() {
        let path = path_to_pass(&10.0, &[repair(5.0, false)], |score| *score, 60.0);
        assert!((path.score_after - 15.0).abs() < 1e-9);
    }
}
