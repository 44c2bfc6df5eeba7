//! The control flow of a workflow as one table of edges, with the checks, drawings and fingerprint derived from it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;

use serde::Serialize;
use thiserror::Error;

use super::hash;

/// A field-less enum whose variants have names: the nodes of a workflow, or the labels of its edges. See [`crate::names`].
pub trait Name: Copy + Eq + Ord + Hash + Debug + Send + Sync + 'static {
    /// Every variant, in the order of declaration.
    const ALL: &'static [Self];

    /// The name in logs, drawings and commands.
    fn name(self) -> &'static str;

    /// The variant of this name, or of a name that it had in earlier logs.
    fn from_name(name: &str) -> Option<Self>;
}

/// Declares a field-less enum with a name for every variant; the name is also the form in JSON. Names after `|` are those of earlier
/// logs, which are still read.
///
/// ```
/// reqgate_flow::names! {
///     /// The steps of a small workflow.
///     pub enum Node {
///         /// Asks for the goal.
///         Clarify => "clarify",
///         /// Writes it down.
///         Draft => "draft" | "write",
///     }
/// }
/// ```
#[macro_export]
macro_rules! names {
    ($(#[$meta:meta])* $visibility:vis enum $type:ident { $($(#[$doc:meta])* $variant:ident => $name:literal $(| $earlier:literal)*),+ $(,)? }) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        $visibility enum $type { $($(#[$doc])* $variant),+ }

        impl $crate::Name for $type {
            const ALL: &'static [Self] = &[$(Self::$variant),+];

            fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),+ }
            }

            fn from_name(name: &str) -> ::core::option::Option<Self> {
                match name {
                    $($name $(| $earlier)* => ::core::option::Option::Some(Self::$variant),)+
                    _ => ::core::option::Option::None,
                }
            }
        }

        impl ::serde::Serialize for $type {
            fn serialize<S: ::serde::Serializer>(&self, serializer: S) -> ::core::result::Result<S::Ok, S::Error> {
                serializer.serialize_str($crate::Name::name(*self))
            }
        }

        impl<'de> ::serde::Deserialize<'de> for $type {
            fn deserialize<D: ::serde::Deserializer<'de>>(deserializer: D) -> ::core::result::Result<Self, D::Error> {
                let name = <::std::string::String as ::serde::Deserialize>::deserialize(deserializer)?;
                $crate::Name::from_name(&name)
                    .ok_or_else(|| ::serde::de::Error::custom(::std::format!("there is no `{name}`")))
            }
        }
    };
}

/// The target of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum To<N> {
    /// To another node of the workflow.
    Node(N),
    /// To the end of the workflow.
    End,
}

/// One line of the table: the node that follows a node with this label.
#[derive(Debug, Clone, Copy)]
pub struct Edge<N, L> {
    /// The node that the edge starts from.
    pub from: N,
    /// The label that the node returns.
    pub label: L,
    /// The node that follows, or the end.
    pub to: To<N>,
    /// The number of times it may be taken before a person is asked whether to continue. Every loop has an edge with a
    /// budget.
    pub budget: Option<u32>,
}

/// An edge that may be taken any number of times: it is not part of a loop, or another edge of the loop has the budget.
pub const fn edge<N, L>(from: N, label: L, to: N) -> Edge<N, L>
where
    N: Copy,
    L: Copy,
{
    Edge { from, label, to: To::Node(to), budget: None }
}

/// An edge that closes a loop: after this many rounds a person is asked whether to continue.
pub const fn loop_edge<N, L>(from: N, label: L, to: N, budget: u32) -> Edge<N, L>
where
    N: Copy,
    L: Copy,
{
    Edge { from, label, to: To::Node(to), budget: Some(budget) }
}

/// An edge to the end of the workflow.
pub const fn end<N, L>(from: N, label: L) -> Edge<N, L>
where
    N: Copy,
    L: Copy,
{
    Edge { from, label, to: To::End, budget: None }
}

/// A fault in a table of edges; the strings name nodes and labels.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum GraphFault {
    /// A label of a node leads to two targets.
    #[error("`{0}` has two edges with the label `{1}`")]
    Ambiguous(&'static str, &'static str),
    /// A node that no path reaches.
    #[error("`{0}` cannot be reached from the start")]
    Unreachable(&'static str),
    /// A node has no edges.
    #[error("`{0}` has no edge")]
    DeadEnd(&'static str),
    /// A node from which no path leads to the end.
    #[error("no path leads from `{0}` to the end")]
    Endless(&'static str),
    /// A loop on which no edge has a budget.
    #[error("a loop through `{0}` has no budget")]
    Unbounded(&'static str),
    /// A label that is not used by any edge.
    #[error("the label `{0}` is on no edge")]
    UnusedLabel(&'static str),
    /// A budget of 0, so that the edge can never be taken.
    #[error("the edge `{0}` --{1}--> has a budget of 0")]
    EmptyBudget(&'static str, &'static str),
}

/// The control flow of a workflow, without the functions of its nodes.
#[derive(Debug, Clone, Copy)]
pub struct Graph<N: 'static, L: 'static> {
    /// The name of the workflow.
    pub workflow: &'static str,
    /// The version of its state.
    pub version: u32,
    /// The node at which every run starts.
    pub start: N,
    /// The node that a run goes to when a node cannot do its work and the person who was asked cannot help.
    pub failure: N,
    /// The table of edges.
    pub edges: &'static [Edge<N, L>],
}

/// An edge with its names, for JSON.
#[derive(Debug, Serialize)]
struct NamedEdge {
    from: &'static str,
    label: &'static str,
    to: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    budget: Option<u32>,
}

/// The name of the end in drawings.
const END: &str = "END";
/// The label in drawings of the implicit edge from every node to the failure node.
const FAILED: &str = "failed";

impl<N: Name, L: Name> Graph<N, L> {
    /// The edge from `from` with `label`; `None` if the node has no such edge.
    pub fn edge(&self, from: N, label: L) -> Option<&'static Edge<N, L>> {
        self.edges.iter().find(|edge| edge.from == from && edge.label == label)
    }

    /// The labels that a node may return.
    pub(crate) fn labels(&self, from: N) -> impl Iterator<Item = L> + '_ {
        self.edges.iter().filter(move |edge| edge.from == from).map(|edge| edge.label)
    }

    /// All faults of the table; empty for a sound one. A test of every workflow should call it.
    pub fn faults(&self) -> Vec<GraphFault> {
        let mut faults = Vec::new();
        let mut seen = BTreeSet::new();
        for edge in self.edges {
            if !seen.insert((edge.from, edge.label)) {
                faults.push(GraphFault::Ambiguous(edge.from.name(), edge.label.name()));
            }
            if edge.budget == Some(0) {
                faults.push(GraphFault::EmptyBudget(edge.from.name(), edge.label.name()));
            }
        }
        let forward = self.reached(&[self.start, self.failure], |edge, node| (edge.from == node).then_some(edge.to));
        let ends: Vec<N> = self.edges.iter().filter(|edge| edge.to == To::End).map(|edge| edge.from).collect();
        let backward = self.reached(&ends, |edge, node| (edge.to == To::Node(node)).then_some(To::Node(edge.from)));
        for node in N::ALL {
            if self.labels(*node).next().is_none() {
                faults.push(GraphFault::DeadEnd(node.name()));
            } else if !backward.contains(node) {
                faults.push(GraphFault::Endless(node.name()));
            }
            if !forward.contains(node) {
                faults.push(GraphFault::Unreachable(node.name()));
            }
            if self.free_loop(*node) {
                faults.push(GraphFault::Unbounded(node.name()));
            }
        }
        for label in L::ALL {
            if !self.edges.iter().any(|edge| edge.label == *label) {
                faults.push(GraphFault::UnusedLabel(label.name()));
            }
        }
        faults
    }

    /// The nodes that can be reached from `from` along `next`, including `from`.
    fn reached(&self, from: &[N], next: impl Fn(&Edge<N, L>, N) -> Option<To<N>>) -> BTreeSet<N> {
        let mut seen: BTreeSet<N> = from.iter().copied().collect();
        let mut queue: VecDeque<N> = seen.iter().copied().collect();
        while let Some(node) = queue.pop_front() {
            for edge in self.edges {
                if let Some(To::Node(to)) = next(edge, node)
                    && seen.insert(to)
                {
                    queue.push_back(to);
                }
            }
        }
        seen
    }

    /// Returns true if a path without a budget leads from `node` back to it.
    fn free_loop(&self, node: N) -> bool {
        let free = |edge: &Edge<N, L>, from: N| (edge.from == from && edge.budget.is_none()).then_some(edge.to);
        let first: Vec<N> = self
            .edges
            .iter()
            .filter_map(|edge| match free(edge, node) {
                Some(To::Node(to)) => Some(to),
                _ => None,
            })
            .collect();
        self.reached(&first, free).contains(&node)
    }

    /// The table with names, including the edges to the failure node.
    fn named(&self) -> Vec<NamedEdge> {
        let mut out: Vec<NamedEdge> = self
            .edges
            .iter()
            .map(|edge| NamedEdge {
                from: edge.from.name(),
                label: edge.label.name(),
                to: match edge.to {
                    To::Node(to) => to.name(),
                    To::End => END,
                },
                budget: edge.budget,
            })
            .collect();
        for node in N::ALL.iter().filter(|node| **node != self.failure) {
            out.push(NamedEdge { from: node.name(), label: FAILED, to: self.failure.name(), budget: None });
        }
        out
    }

    /// The SHA-256 of the table. It changes with every node, label, edge, budget and version of the state.
    pub(crate) fn fingerprint(&self) -> String {
        let table: Vec<String> = self
            .named()
            .iter()
            .map(|edge| format!("{} {} {} {:?}", edge.from, edge.label, edge.to, edge.budget))
            .collect();
        hash(format!("{} {} {}\n{}", self.workflow, self.version, self.start.name(), table.join("\n")).as_bytes())
    }

    /// The graph as data: name, version, fingerprint, start, nodes and edges.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "workflow": self.workflow,
            "version": self.version,
            "fingerprint": self.fingerprint(),
            "start": self.start.name(),
            "failure": self.failure.name(),
            "nodes": N::ALL.iter().map(|node| node.name()).collect::<Vec<_>>(),
            "edges": self.named(),
        })
    }

    /// The graph as a Mermaid flowchart. The edges to the failure node are drawn as a single one to keep the chart
    /// readable.
    pub fn mermaid(&self) -> String {
        let mut out = String::from("flowchart TD\n");
        out.push_str(&format!("    START([start]) --> {}\n", self.start.name()));
        // Several labels between the same two nodes share one arrow.
        let mut arrows: BTreeMap<(N, To<N>), Vec<String>> = BTreeMap::new();
        let mut order = Vec::new();
        for edge in self.edges {
            let key = (edge.from, edge.to);
            let label = match edge.budget {
                Some(rounds) => format!("{} (at most {rounds})", edge.label.name()),
                None => edge.label.name().to_owned(),
            };
            let labels = arrows.entry(key).or_default();
            if labels.is_empty() {
                order.push(key);
            }
            labels.push(label);
        }
        for key in order {
            let to = match key.1 {
                To::Node(to) => to.name(),
                To::End => "END([end])",
            };
            out.push_str(&format!("    {} -->|{}| {to}\n", key.0.name(), arrows[&key].join(" / ")));
        }
        out.push_str(&format!("    ANY[any node] -.->|{FAILED}| {}\n", self.failure.name()));
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::names! {
        /// The nodes of a small graph.
        pub(super) enum Node { A => "a", B => "b", Lost => "lost" }
    }
    crate::names! {
        /// The labels of a small graph.
        pub(super) enum Label { Go => "go", Back => "back" }
    }

    fn graph(edges: &'static [Edge<Node, Label>]) -> Graph<Node, Label> {
        Graph { workflow: "test", version: 1, start: Node::A, failure: Node::Lost, edges }
    }

    #[test]
    fn a_sound_table_has_no_fault() {
        const EDGES: &[Edge<Node, Label>] = &[
            edge(Node::A, Label::Go, Node::B),
            loop_edge(Node::B, Label::Back, Node::A, 5),
            end(Node::B, Label::Go),
            end(Node::Lost, Label::Go),
        ];
        assert_eq!(graph(EDGES).faults(), []);
    }

    #[test]
    fn every_fault_of_a_table_is_named() {
        const LOOP: &[Edge<Node, Label>] = &[
            edge(Node::A, Label::Go, Node::B),
            edge(Node::B, Label::Back, Node::A),
            edge(Node::B, Label::Back, Node::B),
            end(Node::Lost, Label::Go),
        ];
        let faults = graph(LOOP).faults();
        for fault in [
            GraphFault::Ambiguous("b", "back"),
            GraphFault::Endless("a"),
            GraphFault::Endless("b"),
            GraphFault::Unbounded("a"),
            GraphFault::Unbounded("b"),
        ] {
            assert!(faults.contains(&fault), "{fault} is missing from {faults:?}");
        }
        const DEAD: &[Edge<Node, Label>] = &[loop_edge(Node::A, Label::Go, Node::A, 0)];
        let faults = graph(DEAD).faults();
        for fault in [
            GraphFault::EmptyBudget("a", "go"),
            GraphFault::DeadEnd("b"),
            GraphFault::Unreachable("b"),
            GraphFault::UnusedLabel("back"),
        ] {
            assert!(faults.contains(&fault), "{fault} is missing from {faults:?}");
        }
    }

    #[test]
    fn the_fingerprint_follows_the_table() {
        const ONE: &[Edge<Node, Label>] = &[loop_edge(Node::A, Label::Go, Node::B, 5)];
        const OTHER: &[Edge<Node, Label>] = &[loop_edge(Node::A, Label::Go, Node::B, 6)];
        assert_eq!(graph(ONE).fingerprint(), graph(ONE).fingerprint());
        assert_ne!(graph(ONE).fingerprint(), graph(OTHER).fingerprint());
    }
}
