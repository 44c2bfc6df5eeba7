//! The order to write user stories for approved requirements.

use super::checks::problems;
use super::inputs::StoryInputs;
use super::story::WrittenStories;
use reqgate_flow::Problem;
use reqgate_orders::{Check, Kind, OrderResult};

/// The kind of order for user stories.
pub static WRITE_STORIES: Kind<StoryInputs> =
    Kind::new::<WrittenStories>("write_stories_v1", include_str!("../../../../prompts/write_stories_v1.yaml"));

impl OrderResult<StoryInputs> for WrittenStories {
    const CHECKS: &'static [Check] = &[Check::Ids, Check::Filled, Check::Sizes];

    fn problems(&self, inputs: &StoryInputs) -> Vec<Problem> {
        problems(self, inputs)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_file_of_the_order_is_whole() {
        super::WRITE_STORIES.verify().expect("the shipped file is valid");
    }
}
