//! `reqgate schema`: prints the JSON schemas of reqgate's files and reports.

use reqgate::audit;
use reqgate::config::Config;
use reqgate::model::PrdDraft;
use reqgate::prd::critique::CritiqueReport;
use reqgate::prd::gaps::GapAnalysis;
use reqgate::prd::plan::{ExecutionPlan, WrittenStories};
use reqgate::prd::prd_document::PrdDocument;
use reqgate::prd::requirements::RequirementsExport;
use reqgate::prd::team::export::DocumentExport;
use reqgate::prd::trace::Trace;
use reqgate::prd::workflow::{AskDocument, OrderDocument, PrdAnswer, ThreadDocument};
use reqgate::report::json::{outcome_schema, v1};
use reqgate::rules::{FacetFile, PolicyFile, QuestionFile, RubricFile, RuleFile};
use reqgate::search::Research;
use reqgate::text::cues::WordListFile;
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema};

use super::arguments::{SchemaArguments, SchemaOf};
use super::exit::Failure;
use super::outputs;
use super::verify::Verified;

pub fn run(arguments: &SchemaArguments) -> Result<u8, Failure> {
    let schema = match arguments.what {
        SchemaOf::Outcome => outcome_schema(),
        SchemaOf::Draft => written::<PrdDraft>(),
        SchemaOf::Report => written::<v1::ScoreReport>(),
        SchemaOf::Audit => audit::v1::schema(),
        SchemaOf::Config => read::<Config>(),
        SchemaOf::Rubric => read::<RubricFile>(),
        SchemaOf::Rule => read::<RuleFile>(),
        SchemaOf::Policy => read::<PolicyFile>(),
        SchemaOf::Facet => read::<FacetFile>(),
        SchemaOf::Words => read::<WordListFile>(),
        SchemaOf::Critique => written::<CritiqueReport>(),
        SchemaOf::Gaps => written::<GapAnalysis>(),
        SchemaOf::Research => written::<Research>(),
        SchemaOf::Verify => written::<Verified>(),
        SchemaOf::Trace => written::<Trace>(),
        SchemaOf::Plan => written::<ExecutionPlan>(),
        SchemaOf::Stories => read::<WrittenStories>(),
        SchemaOf::Requirements => written::<RequirementsExport>(),
        SchemaOf::Prd => written::<PrdDocument>(),
        SchemaOf::Export => written::<DocumentExport>(),
        SchemaOf::Thread => written::<ThreadDocument>(),
        SchemaOf::Ask => written::<AskDocument>(),
        SchemaOf::Answer => read::<PrdAnswer>(),
        SchemaOf::Order => written::<OrderDocument>(),
        #[cfg(feature = "service")]
        SchemaOf::Api => {
            outputs::print(&outputs::json("the description", &reqgate::serve::http::description())?)?;
            return Ok(0);
        }
        SchemaOf::Question => read::<QuestionFile>(),
    };
    print(&schema)
}

/// Prints a schema as JSON.
///
/// # Errors
/// Fails if standard output cannot be written.
pub fn print(schema: &Schema) -> Result<u8, Failure> {
    outputs::print(&outputs::json("the schema", schema)?)?;
    Ok(0)
}

/// The schema of a type that reqgate writes.
pub fn written<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>()
}

/// The schema of a type that reqgate reads.
pub fn read<T: JsonSchema>() -> Schema {
    SchemaSettings::draft2020_12().into_generator().into_root_schema_for::<T>()
}
