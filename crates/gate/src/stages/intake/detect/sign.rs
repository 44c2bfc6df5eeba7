//! The signs of each kind of ticket, and their weights.
//!
//! The points are whole numbers set by hand, each for a reason given in its description, and checked on the issues of
//! five public projects: a sign must help, or not hurt, in each of them. A problem alone indicates a bug as much as a
//! question. The writer distinguishes them: a user with a problem in their own program, or a person who shows a fault
//! of the product.

macro_rules! signs {
    ($($(#[doc = $doc:literal])+ $name:ident: $most:literal, [$feature:literal, $bug:literal, $task:literal, $question:literal];)+) => {
        /// A feature of a text that counts for one kind of ticket or against another.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Sign {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Sign {
            /// Every sign, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// The name of the sign, e.g. `TitleAsks`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// The largest number of occurrences that count.
            pub fn most(self) -> u8 {
                match self { $(Self::$name => $most,)+ }
            }

            /// Points for each occurrence, in the order of `TicketType::ALL`: feature, bug, task, question.
            pub fn points(self) -> [i32; 4] {
                match self { $(Self::$name => [$feature, $bug, $task, $question],)+ }
            }
        }
    };
}

signs! {
    /// The title opens with bug, crash, 缺陷.
    TitleSaysBug: 1, [-2, 6, 0, -2];
    /// The title opens with feature request, proposal, 需求.
    TitleSaysFeature: 1, [6, -2, 0, -2];
    /// The title opens with how, why, is it possible, 如何.
    TitleAsks: 1, [0, -1, 0, 5];
    /// The title opens with chore, bump, 升级.
    TitleSaysChore: 1, [0, 0, 6, 0];
    /// The title opens with another question word: is, can, what, does.
    TitleOpensAsQuestion: 1, [0, 0, 0, 1];
    /// The title names a fault.
    TitleBugWord: 1, [-2, 3, 0, 1];
    /// The title names damage: a crash, a leak, something incorrect.
    TitleMalfunction: 1, [-3, 5, 0, -1];
    /// The title mentions an error or a problem, as questions also do.
    TitleTrouble: 1, [-2, 1, 0, 2];
    /// The title names a chore.
    TitleChore: 1, [0, 0, 4, 0];
    /// The title contains a word that asks for something new.
    TitleFeatureWord: 1, [1, 0, 0, -1];
    /// The title begins with a verb in the imperative, possibly after the name of a part.
    TitleOrders: 1, [5, -2, 0, -3];
    /// The title begins with fix, avoid, prevent, don't.
    TitleMends: 1, [-3, 4, 0, -1];
    /// The title begins with the name of a part: `rpc: …`, `[editor] …`.
    TitleNamesPart: 1, [0, 1, 0, -1];
    /// The title has three words or fewer.
    TitleIsShort: 1, [0, -2, 0, 2];
    /// The title names part of the program: `code`, `a::b`, `f()`.
    TitleNamesCode: 1, [0, 1, 0, -1];
    /// The title contains words of help seeking.
    TitleHelpSeeking: 1, [0, -2, 0, 2];
    /// The title contains a question, in any position.
    TitleAsking: 1, [0, -2, 0, 3];
    /// The title ends in a question mark.
    TitleQuestionMark: 1, [0, -2, 0, 3];
    /// The title is a question and ends in a question mark.
    TitleFullQuestion: 1, [0, 0, 0, 2];

    /// The kind in the issue form is bug.
    FormSaysBug: 1, [-2, 2, 0, 0];
    /// The kind in the issue form is feature.
    FormSaysFeature: 1, [5, -2, 0, -2];
    /// The kind in the issue form is question or support.
    FormSaysQuestion: 1, [0, -2, 0, 8];
    /// The kind in the issue form is task.
    FormSaysTask: 1, [0, 0, 6, 0];
    /// The kind in the issue form is another one: build, installation, performance.
    FormSaysOther: 1, [1, -1, 0, 1];

    /// Sections for steps, expected or actual behaviour (3, 2 and 2, once for the heading and once for words below it).
    /// They count at most 4, because the forms of most projects contain them, also for questions.
    ReportSections: 4, [0, 1, 0, 0];
    /// A section for the environment, counted for its heading and its words.
    EnvironmentSection: 2, [0, 1, 0, 1];
    /// A section for logs or screenshots.
    EvidenceSection: 1, [0, 1, 0, 1];
    /// A section for acceptance criteria.
    CriteriaSection: 1, [7, 0, 0, 0];
    /// A section for a story.
    StorySection: 1, [5, 0, 0, 0];
    /// A section for requirements.
    RequirementsSection: 1, [4, 0, 0, 0];
    /// A section for alternatives.
    AlternativesSection: 1, [3, 0, 0, 0];
    /// A section for goals.
    GoalsSection: 1, [2, 0, 0, 0];
    /// A section for exclusions from the scope.
    ScopeLimitSection: 1, [2, 0, 0, 0];
    /// A section for edge cases.
    EdgeCasesSection: 1, [2, 0, 0, 0];
    /// A section for the demand.
    DemandSection: 1, [2, -1, 0, -1];
    /// Headings of a form for features: motivation, use case, describe the feature.
    FeatureForm: 2, [4, -3, 0, -1];

    /// A user story in the standard form.
    Story: 1, [7, 0, 0, 0];
    /// A scenario with Given, When and Then.
    Scenario: 1, [4, 0, 0, 0];
    /// A request for something, without a fault in the title or a section that reports one; current faults are its
    /// reason.
    Asks: 1, [2, -3, 0, -2];
    /// A request for something.
    Needs: 1, [0, -1, 0, 0];
    /// Steps, expectation and place in one report without sections.
    ToldReport: 1, [0, 4, 0, 0];
    /// A trace or an exception in code.
    Dump: 1, [0, 3, 0, 0];
    /// Pasted log lines outside code.
    Log: 1, [0, 1, 0, 1];
    /// Sentences that want something.
    Need: 3, [2, -2, 0, 1];
    /// Pairs of sentences with words that ask for something new.
    FeatureWords: 2, [1, -1, 0, 1];
    /// Sentences that propose a change or describe its benefit.
    Wish: 3, [4, -1, 0, -3];
    /// Sentences that show a symptom.
    Symptom: 3, [0, 1, 0, 1];
    /// Pairs of sentences with words about faults.
    BugWords: 2, [0, 1, 0, 1];
    /// Sentences with words that occur only in bug reports.
    Malfunction: 3, [-1, 1, 0, 0];
    /// Statements that it worked before, elsewhere or in another version.
    ChangedSince: 2, [0, 1, 0, -1];
    /// A sentence about the frequency of the fault.
    Frequency: 1, [0, 1, 0, 0];
    /// Sentences with words about chores.
    Chore: 4, [0, 0, 1, 0];
    /// Sentences that ask for information.
    Asking: 3, [0, -1, 0, 2];
    /// Sentences that end in a question mark.
    Questions: 3, [0, -2, 0, 3];
    /// A third of the sentences or more are questions.
    MostlyQuestions: 1, [-1, 0, 0, 3];
    /// Sentences of a writer who asks for help.
    HelpSeeking: 3, [-1, -1, 0, 3];
    /// Sentences about the writer's own program, machine or data.
    OwnWork: 2, [0, -1, 0, 1];
    /// A greeting opens the body.
    Greeting: 1, [0, -1, 0, 1];
    /// Signs of haste: a lower-case i, several punctuation marks in a row, an exclamation.
    Hasty: 2, [-1, -1, 0, 2];
    /// Signs of a writer who knows the code: links into the source, a change under review, people addressed by name.
    Insider: 2, [2, 1, 0, -3];
    /// References to other tickets.
    Reference: 1, [0, 2, 0, -3];
    /// A link in the text.
    Link: 1, [0, 1, 0, -1];
    /// Code in the body.
    Code: 2, [0, 1, 0, 0];
    /// A picture in the text.
    Picture: 1, [-1, 2, 0, -1];
    /// Numbered steps outside any section for them.
    NumberedSteps: 1, [0, 1, 0, 0];
    /// Boxes of a checklist that the author ticked.
    Checklist: 1, [0, 1, 0, -1];
    /// The form's instructions were not removed, which is typical of people in need of help.
    FormComments: 1, [-1, -3, 0, 4];
    /// Fields of the form that were left empty without an explicit "none".
    UnfilledFields: 2, [0, -1, 0, 2];
}
