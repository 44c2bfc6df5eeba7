//! Judges a stream of inputs in order, on several cores, with a bounded number of texts in memory.

use std::iter::Peekable;
use std::ops::ControlFlow;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use reqgate::model::Outcome;
use reqgate::pipeline::Pipeline;
use reqgate::report::InputError;
use reqgate::stages::intake::{IntakeError, RawInput};

/// The maximum number of texts that are judged at the same time.
const WINDOW: usize = 128;
/// The maximum number of bytes that are judged at the same time, unless one text has more.
const WINDOW_BYTES: usize = 4 * 1024 * 1024;

/// The result for one input.
pub(super) enum Judged {
    /// The input was judged.
    Outcome(Box<Outcome>),
    /// The input could not be read or judged.
    Error(InputError),
    /// The input was left out, for this reason.
    Note(String),
}

type Item = Result<RawInput, IntakeError>;

/// Judges all inputs and passes each result to `each`, in order, until it breaks off.
///
/// A single input is judged on this thread, because starting others would cost more than they save.
///
/// # Errors
/// Fails if the threads cannot be started.
pub(super) fn judge(
    pipeline: &Pipeline,
    inputs: impl Iterator<Item = Item>,
    jobs: usize,
    mut each: impl FnMut(Judged) -> ControlFlow<()>,
) -> Result<(), rayon::ThreadPoolBuildError> {
    let mut inputs = inputs.peekable();
    let mut current = window(&mut inputs);
    if jobs == 1 || is_alone(&current, &mut inputs) {
        for item in current.into_iter().chain(inputs) {
            if each(judged(pipeline, item)).is_break() {
                break;
            }
        }
        return Ok(());
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(jobs).build()?;
    let mut done: Vec<Judged> = Vec::new();
    loop {
        let mut results = Vec::new();
        let mut next = Vec::new();
        // While the pool judges one window, this thread reports the previous one and reads the next one.
        let flow = pool.in_place_scope(|scope| {
            scope.spawn(|_| results = current.into_par_iter().map(|item| judged(pipeline, item)).collect());
            let flow = done.into_iter().try_for_each(&mut each);
            if flow.is_continue() {
                next = window(&mut inputs);
            }
            flow
        });
        if flow.is_break() || results.is_empty() {
            return Ok(());
        }
        done = results;
        current = next;
    }
}

/// Returns true if a window has the only input. A large input fills a window too, and others may follow it.
fn is_alone(window: &[Item], rest: &mut Peekable<impl Iterator<Item = Item>>) -> bool {
    window.len() == 1 && rest.peek().is_none()
}

fn window(inputs: &mut impl Iterator<Item = Item>) -> Vec<Item> {
    let mut items = Vec::new();
    let mut bytes = 0;
    while items.len() < WINDOW && bytes < WINDOW_BYTES {
        let Some(item) = inputs.next() else { break };
        bytes += item.as_ref().map_or(0, |input| input.text.len());
        items.push(item);
    }
    items
}

fn judged(pipeline: &Pipeline, item: Item) -> Judged {
    let input = match item {
        Ok(input) => input,
        Err(error) if error.is_note() => return Judged::Note(error.to_string()),
        Err(error) => {
            let input = error.input().unwrap_or_default().to_owned();
            // The message may repeat words of the input, such as the keys of an unknown object.
            return Judged::Error(InputError {
                input: pipeline.masked(&input),
                message: pipeline.masked(&error.to_string()),
            });
        }
    };
    let name = input.name.clone();
    match pipeline.run(input) {
        Ok(outcome) => Judged::Outcome(Box::new(outcome)),
        Err(error) => {
            Judged::Error(InputError { input: pipeline.masked(&name), message: pipeline.masked(&error.to_string()) })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_follows_a_large_input_is_judged_on_all_cores() {
        let input = |length: usize| Ok(RawInput { text: "a".repeat(length), ..RawInput::default() });
        for (texts, alone) in [(vec![WINDOW_BYTES, 9, 9], false), (vec![WINDOW_BYTES], true), (vec![9], true)] {
            let mut inputs = texts.iter().map(|length| input(*length)).peekable();
            let window = window(&mut inputs);
            assert_eq!(window.len(), 1);
            assert_eq!(is_alone(&window, &mut inputs), alone, "{texts:?}");
        }
    }
}
