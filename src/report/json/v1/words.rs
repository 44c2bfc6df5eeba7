//! The enumerations of `reqgate/outcome/v1` and their wire names.

use schemars::JsonSchema;
use serde::Serialize;

/// A word of the contract: one enumeration, its wire names, and how the program's own values become them.
macro_rules! wire_words {
    ($(#[doc = $doc:literal] $name:ident from $model:ident { $($(#[doc = $variant_doc:literal])* $variant:ident = $wire:literal),+ $(,)? })+) => {$(
        #[doc = $doc]
        #[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
        #[schemars(inline)]
        pub enum $name {
            $($(#[doc = $variant_doc])* #[serde(rename = $wire)] $variant),+
        }

        impl From<crate::model::$model> for $name {
            fn from(value: crate::model::$model) -> Self {
                match value {
                    $(crate::model::$model::$variant => Self::$variant),+
                }
            }
        }
    )+};
}

wire_words! {
    /// The verdict on one input.
    Verdict from Verdict {
        /// Ready.
        Pass = "PASS",
        /// Not ready.
        Reject = "REJECT",
        /// Not a requirement; counts as a pass.
        NotApplicable = "NOT_APPLICABLE",
        /// The guardrail stopped the run.
        GuardrailRejected = "GUARDRAIL_REJECTED",
    }
    /// The subject of a question to the author.
    QuestionCode from QuestionCode {
        /// How to reproduce it.
        Reproduce = "reproduce",
        /// The exact symptom.
        Actual = "actual",
        /// The behaviour that should be seen instead.
        Expected = "expected",
        /// Version, platform or setup.
        Environment = "environment",
        /// Page, component, endpoint or file.
        Where = "where",
        /// The thing to be built or changed.
        What = "what",
        /// Who needs it, and for what.
        Why = "why",
        /// How to see that it is done.
        Done = "done",
        /// An open choice or a contradiction.
        Decide = "decide",
        /// The boundaries of the work.
        Scope = "scope",
        /// Something outside the text on which it depends.
        Context = "context",
        /// Anything else.
        Other = "other",
    }
    /// The severity of an issue.
    Severity from Severity {
        /// Rejects the ticket whatever its score.
        Blocker = "BLOCKER",
        /// Costs points.
        Warning = "WARNING",
    }
    /// The category of an issue.
    Category from Category {
        /// Acceptance criteria are missing, too few or cannot be checked.
        MissingAc = "MISSING_AC",
        /// Two readers will read it differently.
        Ambiguity = "AMBIGUITY",
        /// A case, a limit, a decision or a consequence is left out.
        LogicGap = "LOGIC_GAP",
        /// Personal data, secrets, or a risk that needs a rule.
        Security = "SECURITY",
        /// A part of the ticket is missing or empty.
        MissingField = "MISSING_FIELD",
    }
    /// The kind of document.
    SourceType from SourceType {
        /// A Jira issue.
        JiraTicket = "Jira_Ticket",
        /// A product requirements document.
        PrdDoc = "PRD_Doc",
        /// Minutes or a transcript.
        MeetingTranscript = "Meeting_Transcript",
        /// A GitHub issue.
        GitHubIssue = "GitHub_Issue",
        /// Anything else.
        PlainText = "Plain_Text",
    }
    /// The type of a ticket.
    TicketType from TicketType {
        /// New or changed behaviour.
        Feature = "Feature",
        /// Behaviour that is not as it should be.
        Bug = "Bug",
        /// A chore.
        Task = "Task",
        /// A request for information.
        Question = "Question",
        /// Several wishes at once, minutes, or an idea that is put up for talk.
        Discussion = "Discussion",
        /// A brief or a file of requirements that belongs to a feature, whose PRD is judged.
        FeaturePart = "Feature_Part",
    }
    /// The urgency of the ticket.
    Priority from Priority {
        /// high, must
        P0 = "P0",
        /// medium, should
        P1 = "P1",
        /// low, could
        P2 = "P2",
    }
    /// Main language of the text.
    Language from Language {
        /// English, and any other text that is not Chinese.
        En = "en",
        /// Chinese.
        Zh = "zh",
    }
    /// Why nothing could be judged.
    NotJudged from NotJudged {
        /// It is written in a language that is not judged.
        OtherLanguage = "other_language",
        /// It is data, a configuration, a log or source code.
        NoProse = "no_prose",
    }
    /// The origin of a value.
    Origin from Origin {
        /// Said by somebody.
        Stated = "stated",
        /// Read off the text.
        Detected = "detected",
    }
    /// The result of the guardrail.
    GuardrailStatus from GuardrailStatus {
        /// Nothing stops the run.
        Passed = "passed",
        /// At least one finding stops the run.
        Rejected = "rejected",
        /// Switched off.
        Skipped = "skipped",
    }
    /// The kind of a finding of the guardrail.
    GuardrailKind from GuardrailKind {
        /// Fewer characters than the lower bound.
        TooShort = "too_short",
        /// More characters than the upper bound.
        TooLong = "too_long",
        /// E-mail address.
        Email = "email",
        /// Telephone number.
        Phone = "phone",
        /// Payment card number.
        PaymentCard = "payment_card",
        /// International bank account number.
        Iban = "iban",
        /// Number of a national identity document.
        NationalId = "national_id",
        /// Date of birth.
        BirthDate = "birth_date",
        /// Public IP address.
        IpAddress = "ip_address",
        /// Key, token, password or private key.
        Secret = "secret",
        /// Words addressed to a language model.
        PromptInjection = "prompt_injection",
    }
    /// A task for a model.
    ModelTask from ModelTask {
        /// Which sentences of the text are what.
        Structuring = "structuring",
        /// Find unclear points, with evidence.
        Scoring = "scoring",
        /// Questions to the author and rewrites.
        Clarify = "clarify",
        /// A reader's judgement: kind, readiness, questions.
        Reading = "reading",
    }
    /// A part of a ticket that a reader can point at.
    EvidencePart from EvidencePart {
        /// A result that a tester can check.
        Criterion = "criterion",
        /// How to make it happen.
        Step = "step",
        /// The behaviour that should be seen.
        Expected = "expected",
        /// The behaviour that is seen.
        Actual = "actual",
        /// Version, platform or setup.
        Environment = "environment",
    }
    /// The origin of an answer.
    AnswerOrigin from AnswerOrigin {
        /// The provider, in this run.
        Provider = "provider",
        /// The cache.
        Cache = "cache",
        /// A recording.
        Recording = "recording",
    }
    /// The basis of a draft or a score: the level that a run falls back to without a model.
    FallbackLevel from FallbackLevel {
        /// Rules and model.
        RulesAndModel = "rules_and_model",
        /// The rules alone.
        Rules = "rules",
        /// The raw text.
        RawText = "raw_text",
    }
    /// A part of a draft.
    DraftPart from DraftPart {
        /// The title.
        Title = "title",
        /// Who, what and why.
        Story = "story",
        /// A condition of acceptance.
        AcceptanceCriterion = "acceptance_criterion",
        /// An error, a limit, an exception.
        EdgeCase = "edge_case",
        /// Something the text refers to.
        Resource = "resource",
        /// Something left undecided.
        OpenPoint = "open_point",
    }
    /// The reason why a statement of a model was discarded.
    DiscardReason from DiscardReason {
        /// The words are not in the text.
        NotInText = "not_in_text",
        /// The rules found the part that it calls missing.
        Contradicted = "contradicted",
        /// It answers a question that was not asked.
        NotAsked = "not_asked",
        /// A grade without evidence.
        NoEvidence = "no_evidence",
        /// It changes or invents a number, a name, a quoted word, or brings a word that the text does not have.
        ChangesFacts = "changes_facts",
        /// It brings an address, personal data, or words to a model.
        Unsafe = "unsafe",
        /// It is empty, too long, in another language, not a question, or says nothing about the text.
        Unusable = "unusable",
        /// There were already enough.
        TooMany = "too_many",
    }
    /// The action for a guardrail finding.
    GuardrailAction from GuardrailAction {
        /// The run was stopped.
        Reject = "reject",
        /// The value was masked.
        Redact = "redact",
        /// It was only noticed.
        Warn = "warn",
        /// Nothing; the check is off.
        Off = "off",
    }
    /// A stage of the pipeline.
    Stage from Stage {
        /// Length, personal data, secrets, prompt injection.
        InputGuardrail = "input_guardrail",
        /// Validation.
        Normalize = "normalize",
        /// Text becomes a draft.
        Structuring = "structuring_agent",
        /// The structure check.
        StructureCheck = "hard_check_1",
        /// Rules and rubric.
        Scoring = "scoring_agent",
        /// The gate.
        Gate = "hard_gate",
        /// The report's summary.
        Formatter = "formatter",
    }
}

/// The effect of a waiver.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[schemars(inline)]
pub enum WaiverStatus {
    /// It set findings aside.
    #[serde(rename = "used")]
    Used,
    /// It matched nothing.
    #[serde(rename = "unused")]
    Unused,
    /// It has expired and counts as absent.
    #[serde(rename = "expired")]
    Expired,
}
