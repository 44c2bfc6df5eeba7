//! Computes the order of work: waves and the critical path, or the reason why no order exists.
//!
//! A graph library would sort the stories, but would return neither the waves nor the stories of a cycle. Both passes
//! would still be needed, so the standard library is enough.

use std::collections::{BTreeMap, BTreeSet};

use thiserror::Error;

/// A task that may depend on others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Task<'t> {
    /// The unique id of the task.
    pub id: &'t str,
    /// The weight of the task on the critical path.
    pub weight: u32,
    /// The ids of the tasks that must come first.
    pub dependencies: Vec<&'t str>,
}

/// Tasks in the order of work; each is given by its index in the ordered list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Order {
    /// The tasks of each wave: each task depends on one of the previous wave, and on none of the same or a later wave.
    pub waves: Vec<Vec<usize>>,
    /// The heaviest chain of dependent tasks; of several, the one that is first in the list.
    pub critical_path: Vec<usize>,
    /// The total weight of the critical path.
    pub critical_weight: u64,
}

/// The reason why tasks have no order.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum OrderError {
    /// A task depends on one that does not exist.
    #[error("{from} depends on {missing}, which does not exist")]
    Missing {
        /// The id of the dependent task.
        from: String,
        /// The id that no task has.
        missing: String,
    },
    /// Tasks depend on each other in a cycle.
    #[error("a cycle: {}: remove one of these dependencies", .0.join(" → "))]
    Cycle(
        /// The ids along the cycle, each of which depends on the next; the first is repeated at the end.
        Vec<String>,
    ),
}

/// Orders tasks: tasks of wave 1 have no dependencies, and every other task is in the wave after its latest dependency.
///
/// # Errors
/// Fails if a dependency does not exist or if there is a cycle, and names the tasks.
pub fn ordered(tasks: &[Task<'_>]) -> Result<Order, OrderError> {
    let at: BTreeMap<&str, usize> = tasks.iter().enumerate().map(|(index, task)| (task.id, index)).collect();
    let mut before: Vec<BTreeSet<usize>> = Vec::with_capacity(tasks.len());
    for task in tasks {
        let find = |id: &&str| {
            at.get(id)
                .copied()
                .ok_or_else(|| OrderError::Missing { from: task.id.to_owned(), missing: (*id).to_owned() })
        };
        before.push(task.dependencies.iter().map(find).collect::<Result<_, _>>()?);
    }
    let waves = waves(&before).ok_or_else(|| OrderError::Cycle(cycle(tasks, &before)))?;
    let (critical_path, critical_weight) = heaviest(tasks, &before, &waves);
    Ok(Order { waves, critical_path, critical_weight })
}

/// The waves; `None` if there is a cycle.
fn waves(before: &[BTreeSet<usize>]) -> Option<Vec<Vec<usize>>> {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); before.len()];
    for (task, dependencies) in before.iter().enumerate() {
        for dependency in dependencies {
            after[*dependency].push(task);
        }
    }
    let mut waiting: Vec<usize> = before.iter().map(BTreeSet::len).collect();
    let mut wave: Vec<usize> = (0..before.len()).filter(|task| waiting[*task] == 0).collect();
    let mut waves = Vec::new();
    while !wave.is_empty() {
        let mut next = BTreeSet::new();
        for follower in wave.iter().flat_map(|done| &after[*done]) {
            waiting[*follower] -= 1;
            if waiting[*follower] == 0 {
                next.insert(*follower);
            }
        }
        waves.push(std::mem::replace(&mut wave, next.into_iter().collect()));
    }
    (waves.iter().map(Vec::len).sum::<usize>() == before.len()).then_some(waves)
}

/// A cycle, starting with its first task in the list.
fn cycle(tasks: &[Task<'_>], before: &[BTreeSet<usize>]) -> Vec<String> {
    // A task without remaining dependencies is in no cycle.
    let mut left: BTreeSet<usize> = (0..tasks.len()).collect();
    while let Some(free) = left.iter().copied().find(|task| before[*task].is_disjoint(&left)) {
        left.remove(&free);
    }
    let mut way: Vec<usize> = left.first().copied().into_iter().collect();
    while let Some(next) = way.last().and_then(|last| before[*last].intersection(&left).next().copied()) {
        if let Some(start) = way.iter().position(|task| *task == next) {
            way.drain(..start);
            break;
        }
        way.push(next);
    }
    let first = way.iter().enumerate().min_by_key(|(_, task)| **task).map_or(0, |(position, _)| position);
    way.rotate_left(first);
    way.extend(way.first().copied());
    way.into_iter().map(|task| tasks[task].id.to_owned()).collect()
}

/// The heaviest chain and its weight.
fn heaviest(tasks: &[Task<'_>], before: &[BTreeSet<usize>], waves: &[Vec<usize>]) -> (Vec<usize>, u64) {
    // For each task, the weight of the heaviest chain that ends with it, and the previous task of that chain.
    let mut best: Vec<(u64, Option<usize>)> = vec![(0, None); tasks.len()];
    for task in waves.iter().flatten().copied() {
        let from = before[task].iter().copied().min_by_key(|before| (std::cmp::Reverse(best[*before].0), *before));
        best[task] = (u64::from(tasks[task].weight) + from.map_or(0, |from| best[from].0), from);
    }
    let end = (0..tasks.len()).min_by_key(|task| (std::cmp::Reverse(best[*task].0), *task));
    let mut path: Vec<usize> = std::iter::successors(end, |task| best[*task].1).collect();
    path.reverse();
    (path, end.map_or(0, |end| best[end].0))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn task<'t>(id: &'t str, weight: u32, dependencies: &[&'t str]) -> Task<'t> {
        Task { id, weight, dependencies: dependencies.to_vec() }
    }

    #[test]
    fn waves_and_the_critical_path_follow_the_dependencies() {
        let tasks = [
            task("d", 1, &["b", "c"]),
            task("a", 2, &[]),
            task("b", 5, &["a"]),
            task("c", 1, &["a"]),
            task("e", 7, &[]),
        ];
        let order = ordered(&tasks).expect("there is an order");
        assert_eq!(order.waves, [vec![1, 4], vec![2, 3], vec![0]]);
        assert_eq!((order.critical_path, order.critical_weight), (vec![1, 2, 0], 8));
        assert_eq!(ordered(&[]), Ok(Order::default()));
    }

    #[test]
    fn a_cycle_is_told_with_its_path_and_nothing_else() {
        let tasks = [
            task("x", 1, &["b"]),
            task("c", 1, &["a"]),
            task("a", 1, &["b"]),
            task("b", 1, &["c", "y"]),
            task("y", 1, &[]),
        ];
        let error = ordered(&tasks).expect_err("they wait for each other");
        assert_eq!(error.to_string(), "a cycle: c → a → b → c: remove one of these dependencies");
        assert_eq!(ordered(&[task("a", 1, &["a"])]), Err(OrderError::Cycle(vec!["a".into(), "a".into()])));
        let error = ordered(&[task("a", 1, &["z"])]).expect_err("z is not there");
        assert_eq!(error.to_string(), "a depends on z, which does not exist");
    }

    /// Random weights, and edges from a later task to an earlier one of a hidden order, shuffled.
    fn graphs() -> impl Strategy<Value = (Vec<u32>, Vec<Vec<usize>>)> {
        (1usize..14).prop_flat_map(|count| {
            let weights = prop::collection::vec(1u32..11, count);
            let edges = prop::collection::vec(any::<prop::sample::Index>(), 0..count * 2);
            let shuffled = Just((0..count).collect::<Vec<usize>>()).prop_shuffle();
            (weights, edges, shuffled).prop_map(move |(weights, edges, shuffled)| {
                let mut before = vec![Vec::new(); count];
                for (number, edge) in edges.iter().enumerate() {
                    let (late, early) = (number % count, edge.index(count));
                    if early < late {
                        before[shuffled[late]].push(shuffled[early]);
                    }
                }
                (weights, before)
            })
        })
    }

    /// The weight of the heaviest chain that ends with a task, by exhaustive search.
    fn tried(task: usize, weights: &[u32], before: &[Vec<usize>]) -> u64 {
        let longest = before[task].iter().map(|earlier| tried(*earlier, weights, before)).max();
        u64::from(weights[task]) + longest.unwrap_or(0)
    }

    proptest! {
        #[test]
        fn every_task_is_behind_its_dependencies_and_the_critical_path_is_the_heaviest((weights, before) in graphs()) {
            let ids: Vec<String> = (0..weights.len()).map(|number| format!("t{number}")).collect();
            let named = |list: &Vec<usize>| list.iter().map(|one| ids[*one].as_str()).collect::<Vec<_>>();
            let tasks: Vec<Task> = ids.iter().zip(&weights).zip(&before)
                .map(|((id, weight), before)| Task { id, weight: *weight, dependencies: named(before) }).collect();
            let order = ordered(&tasks).expect("it has no cycle");
            let wave = |task: usize| order.waves.iter().position(|wave| wave.contains(&task)).expect("every task has one") + 1;
            for (task, before) in before.iter().enumerate() {
                prop_assert_eq!(wave(task), 1 + before.iter().map(|one| wave(*one)).max().unwrap_or(0));
            }
            prop_assert_eq!(order.waves.iter().map(Vec::len).sum::<usize>(), tasks.len());
            for pair in order.critical_path.windows(2) {
                prop_assert!(before[pair[1]].contains(&pair[0]));
            }
            let sum: u64 = order.critical_path.iter().map(|task| u64::from(weights[*task])).sum();
            let heaviest = (0..tasks.len()).map(|task| tried(task, &weights, &before)).max().unwrap_or(0);
            prop_assert_eq!((sum, order.critical_weight), (heaviest, heaviest));
        }

        #[test]
        fn a_cycle_is_always_found((weights, mut before) in graphs(), from in any::<prop::sample::Index>()) {
            // An edge from a dependency back to its task makes a cycle.
            let task = from.index(weights.len());
            let earlier = before[task].first().copied().unwrap_or(task);
            before[earlier].push(task);
            let ids: Vec<String> = (0..weights.len()).map(|number| format!("t{number}")).collect();
            let named = |list: &Vec<usize>| list.iter().map(|one| ids[*one].as_str()).collect::<Vec<_>>();
            let tasks: Vec<Task> = ids.iter().zip(&before)
                .map(|(id, before)| Task { id, weight: 1, dependencies: named(before) }).collect();
            let Err(OrderError::Cycle(way)) = ordered(&tasks) else { panic!("no cycle found") };
            prop_assert!(way.len() >= 2 && way.first() == way.last());
            for pair in way.windows(2) {
                let of = |id: &str| tasks.iter().find(|task| task.id == id).expect("it is one of them").clone();
                prop_assert!(of(&pair[0]).dependencies.contains(&pair[1].as_str()));
            }
        }
    }
}
