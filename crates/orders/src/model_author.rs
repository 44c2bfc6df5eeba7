//! Carries out orders with a chat model: an order becomes a question, and the answer is checked like every other
//! result.

use std::sync::Arc;

use serde_json::{Value, json};

use super::answered::{Unwritten, Written};
use super::kind::Kind;
use super::{Inputs, OwnOrders};
use reqgate_base::model::{Language, SkipReason, SourceType};
use reqgate_flow::Problem;
use reqgate_guardrail::Guardrail;
use reqgate_net::llm::{Model, Question};

/// The number of attempts at a result outside a thread; a thread has its own limit.
const ATTEMPTS: u32 = 3;

/// A model that carries out orders, within the budget, cache, recording and limits of the [`Model`].
pub struct ModelAuthor {
    model: Model,
    screen: Arc<Guardrail>,
    own: OwnOrders,
}

impl ModelAuthor {
    /// An author; `screen` masks personal data and secrets in everything sent to the model and in everything it
    /// answers.
    pub fn new(model: Model, screen: Guardrail) -> Self {
        let screen = Arc::new(screen);
        let mask = Arc::clone(&screen);
        Self {
            model: model.with_mask(move |words| mask.screen(words, &[], SourceType::PlainText).text),
            screen,
            own: OwnOrders::default(),
        }
    }

    /// The author with the user's own orders.
    #[must_use]
    pub fn with_orders(self, own: OwnOrders) -> Self {
        Self { own, ..self }
    }

    /// Asks for the result of an order. The problems of the last result are passed on as data, because they contain the
    /// model's own words.
    ///
    /// # Errors
    /// Returns the reason why an answer is missing.
    pub fn write<I: Inputs>(
        &self,
        kind: &Kind<I>,
        inputs: &I,
        attempt: u32,
        problems: &[Problem],
    ) -> Result<Written, Unwritten> {
        let doubtful = |(_, text): &(&str, &str)| self.screen.is_doubtful(text, &[]);
        if let Some((name, _)) = inputs.unscreened().into_iter().find(doubtful) {
            return Err(Unwritten::Unanswered(format!("`{name}`: {}", SkipReason::Withheld.words(Language::En))));
        }
        // The number of the attempt keeps the cache from returning the previous answer.
        let data = json!({ "order": inputs, "attempt": attempt, "problemsOfTheAttemptBefore": problems });
        let question = Question {
            id: kind.id().to_owned(),
            instructions: kind.instructions(&self.own),
            data: format!("{data:#}"),
            ..Question::default()
        };
        kind.ask(&self.model, &question)
    }

    /// Has an order carried out outside a thread. A result with problems is requested again; the problems of the last
    /// attempt are returned with its result.
    ///
    /// # Errors
    /// Returns the reason why an answer is missing.
    pub fn carry_out<I: Inputs>(&self, kind: &Kind<I>, inputs: &I) -> Result<(Value, Vec<Problem>), String> {
        let mut problems: Vec<Problem> = Vec::new();
        let mut attempt = 1;
        loop {
            let (result, _) = self.write(kind, inputs, attempt, &problems).map_err(|error| error.to_string())?;
            problems = kind.problems(inputs, &result);
            if problems.is_empty() || attempt == ATTEMPTS {
                return Ok((result, problems));
            }
            attempt += 1;
        }
    }
}
