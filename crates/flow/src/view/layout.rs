//! A layout for small graphs: the nodes in one column, forward edges on its right, backward edges on its left.
//!
//! Edges do not cross nodes or labels: every edge that does not lead to the next node has a separate lane.

use std::collections::BTreeSet;

use serde::Serialize;

use reqgate_base::width::display_width;

/// An edge to draw; several labels between two nodes are one edge.
#[derive(Debug, Clone)]
pub(super) struct Arrow {
    /// The row of the source node, before [`draw`] sorts them.
    pub from: usize,
    /// The row of the target node.
    pub to: usize,
    pub label: String,
    /// The number of times it was taken.
    pub taken: u32,
    /// The edge is not in the table, such as the edge from every node to the failure node.
    pub is_implicit: bool,
}

/// A node to draw.
#[derive(Debug, Clone)]
pub(super) struct Spot {
    pub name: String,
    /// The text after the name, such as the number of visits.
    pub badge: String,
    /// The classes in the style sheet.
    pub class: String,
}

/// The drawing, in pixels.
#[derive(Debug, Serialize)]
pub(super) struct Drawing {
    pub width: i64,
    pub height: i64,
    pub nodes: Vec<DrawnNode>,
    pub edges: Vec<DrawnEdge>,
}

/// A node with its coordinates.
#[derive(Debug, Serialize)]
pub(super) struct DrawnNode {
    pub x: i64,
    pub y: i64,
    pub width: i64,
    pub height: i64,
    /// The base line of the name.
    pub text_y: i64,
    pub text_x: i64,
    pub name: String,
    pub badge: String,
    pub class: String,
}

/// An edge with its coordinates.
#[derive(Debug, Serialize)]
pub(super) struct DrawnEdge {
    /// The path of its line.
    pub path: String,
    /// The path of its arrowhead.
    pub head: String,
    pub class: &'static str,
    pub label: String,
    pub label_x: i64,
    pub label_y: i64,
    /// The text anchor of the label: `start` or `end`.
    pub anchor: &'static str,
}

const MARGIN: i64 = 12;
/// The vertical distance between two nodes.
const GAP: i64 = 36;
const LOWEST_NODE: i64 = 32;
/// The vertical distance between two ends of edges at one side of a node.
const PORT: i64 = 17;
/// The horizontal distance between two lanes.
const LANE: i64 = 13;
/// The width of a text column in a label; the next constant is that in a name.
const LETTER: i64 = 7;
const NAME_LETTER: i64 = 8;
const ROUND: i64 = 6;

/// The order in which nodes are drawn: every node before its successors, and short detours before the longest path.
/// `next` contains the successors of every node; `last` are drawn at the end, in their order.
pub(super) fn order(next: &[Vec<usize>], start: usize, last: &[usize]) -> Vec<usize> {
    let mut seen: BTreeSet<usize> = last.iter().copied().collect();
    let mut finished = Vec::new();
    visit(next, start, &mut seen, &mut finished);
    finished.reverse();
    let rest = (0..next.len()).filter(|node| !seen.contains(node));
    let mut out: Vec<usize> = finished.iter().copied().chain(rest).collect();
    out.extend(last);
    out
}

/// Visits every node once, so the recursion is at most as deep as the number of nodes.
fn visit(next: &[Vec<usize>], node: usize, seen: &mut BTreeSet<usize>, finished: &mut Vec<usize>) {
    if !seen.insert(node) {
        return;
    }
    let mut ways: Vec<(usize, usize)> = next[node].iter().map(|to| (reach(next, *to, seen), *to)).collect();
    // The longest path is finished first, and therefore drawn last. The sort is stable.
    ways.sort_by_key(|(size, _)| std::cmp::Reverse(*size));
    for (_, to) in ways {
        visit(next, to, seen, finished);
    }
    finished.push(node);
}

/// The number of unseen nodes that can be reached from `node`.
fn reach(next: &[Vec<usize>], node: usize, seen: &BTreeSet<usize>) -> usize {
    let mut reached = seen.clone();
    let mut queue = vec![node];
    let mut count = 0;
    while let Some(node) = queue.pop() {
        if reached.insert(node) {
            count += 1;
            queue.extend(&next[node]);
        }
    }
    count
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    /// A straight line to the next node.
    Down,
    Left,
    Right,
}

fn side(arrow: &Arrow) -> Side {
    if arrow.to == arrow.from + 1 {
        Side::Down
    } else if arrow.to > arrow.from {
        Side::Right
    } else {
        Side::Left
    }
}

/// Draws the nodes in the given order.
pub(super) fn draw(spots: &[Spot], arrows: &[Arrow]) -> Drawing {
    let columns = |text: &str| i64::try_from(display_width(text)).unwrap_or(0);
    let widest = |on: Side| {
        let of_side = arrows.iter().filter(|arrow| side(arrow) == on).map(|arrow| columns(&arrow.label) * LETTER);
        of_side.max().unwrap_or(0)
    };
    let name = |spot: &Spot| columns(&spot.name) * NAME_LETTER + columns(&spot.badge) * LETTER + 34;
    let width = spots.iter().map(name).max().unwrap_or(0).max(90);
    let ports = Ports::new(spots.len(), arrows);
    let heights: Vec<i64> = (0..spots.len()).map(|row| ports.height(row)).collect();
    let mut tops = Vec::with_capacity(spots.len());
    let mut y = MARGIN;
    for height in &heights {
        tops.push(y);
        y += height + GAP;
    }
    let ends = ports.ends(arrows, &tops, &heights);
    let lanes = lanes(arrows, &ends);
    let lane_count = |on: Side| {
        let used = arrows.iter().zip(&lanes).filter(|(arrow, _)| side(arrow) == on).map(|(_, lane)| lane + 1);
        used.max().unwrap_or(0)
    };
    let room = |on: Side| match lane_count(on) {
        0 => 0,
        count => widest(on) + 14 + count * LANE,
    };
    let left = MARGIN + room(Side::Left);
    let right = left + width;
    let middle = left + width / 2;
    let edges = arrows.iter().zip(&ends).zip(&lanes).map(|((arrow, (from, to)), lane)| match side(arrow) {
        Side::Down => straight(arrow, middle, tops[arrow.from] + heights[arrow.from], tops[arrow.to]),
        Side::Right => bent(arrow, right, right + widest(Side::Right) + 14 + lane * LANE, *from, *to),
        Side::Left => bent(arrow, left, left - widest(Side::Left) - 14 - lane * LANE, *from, *to),
    });
    let mut edges: Vec<(u32, DrawnEdge)> = arrows.iter().map(|arrow| arrow.taken).zip(edges).collect();
    // Edges that were taken are drawn over the others.
    edges.sort_by_key(|(taken, _)| *taken > 0);
    let nodes = spots.iter().zip(tops.iter().zip(&heights)).map(|(spot, (y, height))| DrawnNode {
        x: left,
        y: *y,
        width,
        height: *height,
        text_y: y + height / 2 + 4,
        text_x: middle,
        name: spot.name.clone(),
        badge: spot.badge.clone(),
        class: spot.class.clone(),
    });
    let beside = arrows.iter().filter(|arrow| side(arrow) == Side::Down).map(|arrow| columns(&arrow.label) * LETTER);
    let beside = middle + 8 + beside.max().unwrap_or(0);
    Drawing {
        width: (right + room(Side::Right)).max(beside) + MARGIN,
        height: y - GAP + MARGIN,
        nodes: nodes.collect(),
        edges: edges.into_iter().map(|(_, edge)| edge).collect(),
    }
}

/// The ends of edges at the sides of every node, from top to bottom: the index of the edge, and true for its start.
struct Ports {
    left: Vec<Vec<(usize, bool)>>,
    right: Vec<Vec<(usize, bool)>>,
}

impl Ports {
    fn new(rows: usize, arrows: &[Arrow]) -> Self {
        let mut ports = Self { left: vec![Vec::new(); rows], right: vec![Vec::new(); rows] };
        for (index, arrow) in arrows.iter().enumerate() {
            let sides = match side(arrow) {
                Side::Down => continue,
                Side::Left => &mut ports.left,
                Side::Right => &mut ports.right,
            };
            sides[arrow.from].push((index, true));
            sides[arrow.to].push((index, false));
        }
        // This order puts the lane of a short edge inside that of a long one, without a crossing.
        let span = |index: usize| i64::try_from(arrows[index].from.abs_diff(arrows[index].to)).unwrap_or(0);
        let order = |(index, begins): &(usize, bool), up: bool| match (*begins, up) {
            (true, true) => (0, span(*index)),
            (false, true) => (1, -span(*index)),
            (false, false) => (0, span(*index)),
            (true, false) => (1, -span(*index)),
        };
        for (ends, up) in ports.left.iter_mut().map(|ends| (ends, true)) {
            ends.sort_by_key(|end| order(end, up));
        }
        for (ends, up) in ports.right.iter_mut().map(|ends| (ends, false)) {
            ends.sort_by_key(|end| order(end, up));
        }
        ports
    }

    fn height(&self, row: usize) -> i64 {
        let ends = self.left[row].len().max(self.right[row].len());
        LOWEST_NODE.max(i64::try_from(ends).unwrap_or(0) * PORT + 6)
    }

    /// The start and end of every edge as vertical positions; unused for an edge that leads to the next node.
    fn ends(&self, arrows: &[Arrow], tops: &[i64], heights: &[i64]) -> Vec<(i64, i64)> {
        let mut out = vec![(0, 0); arrows.len()];
        for ports in [&self.left, &self.right] {
            for (row, ends) in ports.iter().enumerate() {
                let count = i64::try_from(ends.len()).unwrap_or(0);
                let first = tops[row] + heights[row] / 2 - (count - 1) * PORT / 2;
                for ((index, begins), place) in ends.iter().zip(0..) {
                    let y = first + place * PORT;
                    if *begins { out[*index].0 = y } else { out[*index].1 = y }
                }
            }
        }
        out
    }
}

/// The lane of every edge: the innermost one that no other edge of its side occupies there, short edges first.
fn lanes(arrows: &[Arrow], ends: &[(i64, i64)]) -> Vec<i64> {
    let reach = |index: usize| (ends[index].0.min(ends[index].1), ends[index].0.max(ends[index].1));
    let mut indexes: Vec<usize> = (0..arrows.len()).filter(|index| side(&arrows[*index]) != Side::Down).collect();
    indexes.sort_by_key(|index| reach(*index).1 - reach(*index).0);
    let mut lanes = vec![0; arrows.len()];
    let mut placed: Vec<usize> = Vec::new();
    for index in indexes {
        let (top, bottom) = reach(index);
        let taken: BTreeSet<i64> = placed
            .iter()
            .filter(|other| side(&arrows[**other]) == side(&arrows[index]))
            .filter(|other| reach(**other).0 <= bottom + 4 && top <= reach(**other).1 + 4)
            .map(|other| lanes[*other])
            .collect();
        lanes[index] = (0..).find(|lane| !taken.contains(lane)).unwrap_or(0);
        placed.push(index);
    }
    lanes
}

fn class(arrow: &Arrow) -> &'static str {
    match (arrow.taken > 0, arrow.is_implicit) {
        (true, true) => "edge taken implicit",
        (true, false) => "edge taken",
        (false, _) => "edge",
    }
}

fn straight(arrow: &Arrow, x: i64, from: i64, to: i64) -> DrawnEdge {
    DrawnEdge {
        path: format!("M{x} {from}V{}", to - 6),
        head: format!("M{x} {to}l-4 -8h8z"),
        class: class(arrow),
        label: arrow.label.clone(),
        label_x: x + 8,
        label_y: (from + to) / 2 + 3,
        anchor: "start",
    }
}

/// An edge from the side of a node to a lane, along it, and back to the side of another node.
fn bent(arrow: &Arrow, side: i64, lane: i64, from: i64, to: i64) -> DrawnEdge {
    let out = (lane - side).signum();
    let down = (to - from).signum();
    let (in_x, before, after) = (lane - out * ROUND, to - down * ROUND, from + down * ROUND);
    DrawnEdge {
        path: format!(
            "M{side} {from}H{in_x}Q{lane} {from} {lane} {after}V{before}Q{lane} {to} {in_x} {to}H{}",
            side + out * 6
        ),
        head: format!("M{side} {to}l{} -4v8z", out * 8),
        class: class(arrow),
        label: arrow.label.clone(),
        label_x: side + out * 6,
        label_y: from - 4,
        anchor: if out > 0 { "start" } else { "end" },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(from: usize, to: usize) -> Arrow {
        Arrow { from, to, label: "next".to_owned(), taken: 0, is_implicit: false }
    }

    fn spots(count: usize) -> Vec<Spot> {
        (0..count)
            .map(|row| Spot { name: format!("node_{row}"), badge: String::new(), class: "node".to_owned() })
            .collect()
    }

    #[test]
    fn short_detours_are_drawn_beside_the_node_they_come_back_to() {
        // 0 → 1 review → 2 update → 1, 1 → 3 finish → 4 end; 5 is the failure node.
        let next = [vec![1], vec![3, 2, 5], vec![1], vec![4], vec![], vec![4]];
        assert_eq!(order(&next, 0, &[5, 4]), [0, 1, 2, 3, 5, 4]);
        // An unreachable node is still drawn.
        assert_eq!(order(&[vec![], vec![]], 0, &[]), [0, 1]);
    }

    #[test]
    fn edges_on_one_side_at_the_same_height_have_lanes_of_their_own() {
        let arrows = [arrow(0, 1), arrow(0, 2), arrow(0, 3), arrow(3, 0), arrow(2, 2), arrow(1, 0)];
        let ports = Ports::new(4, &arrows);
        let ends = ports.ends(&arrows, &[0, 100, 200, 300], &[40, 40, 40, 40]);
        let lanes = lanes(&arrows, &ends);
        assert_ne!(lanes[1], lanes[2], "both pass node 1 on the right");
        assert_ne!(lanes[3], lanes[4], "both are at node 2 on the left");
        assert_ne!(lanes[3], lanes[5]);
        assert!(lanes[1] < lanes[2], "the short one lies inside");
    }

    #[test]
    fn the_drawing_holds_everything_that_is_in_it() {
        let mut arrows = vec![arrow(0, 1), arrow(1, 2), arrow(2, 0), arrow(0, 2)];
        arrows[0].label = "a label that is much longer than the node it comes from ever was".to_owned();
        let drawing = draw(&spots(3), &arrows);
        for node in &drawing.nodes {
            assert!(node.x >= 0 && node.x + node.width <= drawing.width && node.y + node.height <= drawing.height);
        }
        for edge in &drawing.edges {
            let width = i64::try_from(edge.label.len()).unwrap_or(0) * 6;
            let (left, right) = match edge.anchor {
                "start" => (edge.label_x, edge.label_x + width),
                _ => (edge.label_x - width, edge.label_x),
            };
            assert!(left >= 0 && right <= drawing.width, "{edge:?} in {}", drawing.width);
        }
        assert_eq!(draw(&[], &[]).nodes.len(), 0);
    }
}
