//! Finds the smallest set of edits that turns a rejection into a pass, and the points that each edit gains.

use reqgate_base::model::{Edit, PathToPass};

/// Applies the given number of edits to the evidence.
pub(super) type Apply<E> = Box<dyn Fn(&mut E, usize)>;

/// Edits that count together, and their effect on the evidence `E`: all findings of one rule, or one criterion.
pub struct Repair<E> {
    /// The edits in the order of the text; [`path_to_pass`] fills in their points.
    pub edits: Vec<Edit>,
    /// Applies the given number of the edits.
    pub apply: Apply<E>,
}

impl<E> Repair<E> {
    fn removes_blockers(&self) -> bool {
        self.edits.iter().any(|edit| edit.removes_blocker)
    }

    fn apply_all(&self, evidence: &mut E) {
        (self.apply)(evidence, self.edits.len());
    }
}

/// Chooses the edits that lead to a pass. All edits that remove blockers are needed; of the others the most valuable
/// are added until the threshold is reached, and those that prove unnecessary are removed again.
pub fn path_to_pass<E: Clone>(
    evidence: &E,
    repairs: &[Repair<E>],
    score: impl Fn(&E) -> f64,
    threshold: f64,
) -> PathToPass {
    let mut chosen: Vec<usize> = (0..repairs.len()).filter(|index| repairs[*index].removes_blockers()).collect();
    let after = |chosen: &[usize]| {
        let mut evidence = evidence.clone();
        for index in chosen {
            repairs[*index].apply_all(&mut evidence);
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
        // The first of several equal gains wins, so that the path is the same in every run.
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
    let optional: Vec<usize> = chosen.iter().copied().filter(|index| !repairs[*index].removes_blockers()).collect();
    for index in optional {
        let without: Vec<usize> = chosen.iter().copied().filter(|other| *other != index).collect();
        if after(&without) >= threshold {
            chosen = without;
        }
    }
    let mut edits = Vec::new();
    let mut before = score(evidence);
    let mut evidence = evidence.clone();
    for repair in chosen.iter().map(|index| &repairs[*index]) {
        for (made, edit) in (1..).zip(&repair.edits) {
            let mut edited = evidence.clone();
            (repair.apply)(&mut edited, made);
            let reached = score(&edited);
            edits.push(Edit { points: ((reached - before) * 10.0).round() / 10.0, ..edit.clone() });
            before = reached;
        }
        repair.apply_all(&mut evidence);
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
        Repair { edits: vec![edit], apply: Box::new(move |score, _| *score += points) }
    }

    #[test]
    fn a_rule_that_fired_three_times_takes_three_edits() {
        let edits = vec![repair(0.0, true).edits.remove(0); 3];
        let repairs = [Repair { edits, apply: Box::new(|score, made| *score += if made == 3 { 20.0 } else { 0.0 }) }];
        let path = path_to_pass(&50.0, &repairs, |score| *score, 60.0);
        assert_eq!(path.edits.iter().map(|edit| edit.points).collect::<Vec<_>>(), [0.0, 0.0, 20.0]);
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
