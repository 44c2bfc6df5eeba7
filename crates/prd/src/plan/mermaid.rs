//! Renders the waves of a plan as a Mermaid graph.

use super::ExecutionPlan;
use reqgate_base::clean::one_line;
use reqgate_docs::values::cut;

/// The longest title in a box, in characters.
const LONGEST: usize = 61;

/// Returns the graph: a box for each story, grouped by wave, with the critical path marked.
pub fn mermaid(plan: &ExecutionPlan) -> String {
    let mut out = "flowchart LR\n".to_owned();
    // Ids of stories could be keywords of Mermaid, so boxes are numbered.
    let at = |id: &str| {
        plan.stories.iter().position(|planned| planned.story.story_id == id).map(|at| format!("s{}", at + 1))
    };
    for wave in &plan.waves {
        out.push_str(&format!("  subgraph w{}[\"{}\"]\n", wave.wave_number, wave.name));
        for planned in plan.stories.iter().filter(|planned| planned.wave == wave.wave_number) {
            let story = &planned.story;
            let title = cut(&one_line(&story.title), LONGEST);
            let name = at(&story.story_id).unwrap_or_default();
            out.push_str(&format!("    {name}[\"{}<br/>{}\"]\n", escaped(&story.story_id), escaped(&title)));
        }
        out.push_str("  end\n");
    }
    for planned in &plan.stories {
        for dependency in &planned.story.dependencies {
            if let (Some(from), Some(to)) = (at(dependency), at(&planned.story.story_id)) {
                out.push_str(&format!("  {from} --> {to}\n"));
            }
        }
    }
    let critical: Vec<String> = plan.summary.critical_path.iter().filter_map(|id| at(id)).collect();
    if critical.len() > 1 {
        out.push_str(&format!("  classDef critical stroke-width:3px\n  class {} critical\n", critical.join(",")));
    }
    out
}

/// Words in a quoted label: everything that is markup of Mermaid, HTML or Markdown becomes an entity.
fn escaped(words: &str) -> String {
    let mut out = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '"' | '<' | '>' | '&' | '#' | ';' | '`' | '*' | '_' | '[' | ']' | '{' | '}' | '|' | '\\' | '%' | '~' => {
                out.push_str(&format!("#{};", u32::from(c)));
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_story_are_no_markup_of_the_graph() {
        assert_eq!(escaped("a\"] --> b[\"c"), "a#34;#93; --#62; b#91;#34;c");
        assert_eq!(escaped("<img src=x>; 导出"), "#60;img src=x#62;#59; 导出");
        assert_eq!(cut(&"x".repeat(80), LONGEST).chars().count(), LONGEST);
    }
}
