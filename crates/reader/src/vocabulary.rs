//! The pieces of words that the network knows, as a tree of characters, and the best split of a word into them.

use std::collections::HashMap;

use crate::ReaderError;

/// The id of characters that no piece covers.
pub(crate) const UNKNOWN: u32 = 3;

/// A node of the tree; the root is 0.
type Node = u32;

/// The pieces with their log-probabilities.
#[derive(Debug)]
pub(crate) struct Vocabulary {
    children: HashMap<(Node, char), Node>,
    /// The id and the log-probability of the piece that ends at a node.
    pieces: Vec<Option<(u32, f64)>>,
    unknown_score: f64,
    len: usize,
}

impl Vocabulary {
    /// Reads lines with a piece, a tab and its log-probability; the number of the line, from 0, is the id.
    pub(crate) fn parse(table: &str) -> Result<Self, ReaderError> {
        let mut vocabulary = Self { children: HashMap::new(), pieces: vec![None], unknown_score: 0.0, len: 0 };
        for (id, line) in (0..).zip(table.split_terminator('\n')) {
            let read = line.split_once('\t').and_then(|(piece, score)| Some((piece, score.parse::<f64>().ok()?)));
            let (piece, score) = read.ok_or(ReaderError::Table { table: "vocabulary", line: id as usize + 1 })?;
            let node = piece.chars().fold(0, |node, c| vocabulary.child(node, c));
            vocabulary.pieces[node as usize] = Some((id, score));
            vocabulary.unknown_score = vocabulary.unknown_score.min(score);
            vocabulary.len += 1;
        }
        vocabulary.unknown_score -= 10.0;
        Ok(vocabulary)
    }

    /// The number of pieces.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    fn child(&mut self, node: Node, c: char) -> Node {
        let next = self.pieces.len() as Node;
        let child = *self.children.entry((node, c)).or_insert(next);
        if child == next {
            self.pieces.push(None);
        }
        child
    }

    /// Adds the ids of the split with the highest sum of log-probabilities. Neighbouring unknown characters become one id.
    pub(crate) fn split(&self, word: &str, ids: &mut Vec<u32>) {
        let chars: Vec<char> = word.chars().collect();
        // For every end: the best sum, the start of its last piece, and the id of that piece.
        let mut best: Vec<(f64, usize, u32)> = vec![(f64::NEG_INFINITY, 0, UNKNOWN); chars.len() + 1];
        best[0].0 = 0.0;
        for start in 0..chars.len() {
            let sum = best[start].0;
            let mut node = 0;
            let mut covers_one = false;
            let mut put = |end: usize, gain: f64, id: u32| {
                if sum + gain > best[end].0 {
                    best[end] = (sum + gain, start, id);
                }
            };
            for (end, c) in (start + 1..).zip(&chars[start..]) {
                let Some(child) = self.children.get(&(node, *c)) else { break };
                node = *child;
                if let Some((id, score)) = self.pieces[node as usize] {
                    covers_one |= end == start + 1;
                    put(end, score, id);
                }
            }
            if !covers_one {
                put(start + 1, self.unknown_score, UNKNOWN);
            }
        }
        let first = ids.len();
        let mut end = chars.len();
        while end > 0 {
            let (_, start, id) = best[end];
            ids.push(id);
            end = start;
        }
        ids[first..].reverse();
    }
}
