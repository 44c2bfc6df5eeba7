//! The signs of each kind of ticket, and what each weighs.
//!
//! The points are whole numbers set by hand, each for a reason that its description gives, and checked on the issues of five
//! public projects: what counts must help, or not hurt, in each. A problem alone speaks for a bug and a question alike; what
//! tells them apart is who writes: a user stuck with his own program, or somebody who shows what the product does wrong.

macro_rules! signs {
    ($($(#[doc = $doc:literal])+ $name:ident: $most:literal, [$feature:literal, $bug:literal, $task:literal, $question:literal];)+) => {
        /// Something in a text that speaks for one kind of ticket or against another.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum Sign {
            $($(#[doc = $doc])+ $name,)+
        }

        impl Sign {
            /// Every sign, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name,)+];

            /// Its name, e.g. `TitleAsks`.
            pub fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)+ }
            }

            /// It counts at most this often.
            pub fn most(self) -> u8 {
                match self { $(Self::$name => $most,)+ }
            }

            /// Points for each time it is seen, in the order of `TicketType::ALL`: feature, bug, task, question.
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
    /// The title speaks of an error or a problem, which questions do as well.
    TitleTrouble: 1, [-2, 1, 0, 2];
    /// The title names a chore.
    TitleChore: 1, [0, 0, 4, 0];
    /// The title holds a word that asks for something new.
    TitleFeatureWord: 1, [1, 0, 0, -1];
    /// The title begins with a verb in the imperative, behind the name of a part if there is one.
    TitleOrders: 1, [5, -2, 0, -3];
    /// The title begins with fix, avoid, prevent, don't.
    TitleMends: 1, [-3, 4, 0, -1];
    /// The title begins with the name of a part: `rpc: …`, `[editor] …`.
    TitleNamesPart: 1, [0, 1, 0, -1];
    /// The title has three words or fewer.
    TitleIsShort: 1, [0, -2, 0, 2];
    /// The title names something of the program: `code`, `a::b`, `f()`.
    TitleNamesCode: 1, [0, 1, 0, -1];
    /// The title holds words of help seeking.
    TitleHelpSeeking: 1, [0, -2, 0, 2];
    /// The title asks, wherever the asking stands.
    TitleAsking: 1, [0, -2, 0, 3];
    /// The title ends in a question mark.
    TitleQuestionMark: 1, [0, -2, 0, 3];
    /// The title ends in a question mark and asks.
    TitleFullQuestion: 1, [0, 0, 0, 2];

    /// The form says bug.
    FormSaysBug: 1, [-2, 2, 0, 0];
    /// The form says feature.
    FormSaysFeature: 1, [5, -2, 0, -2];
    /// The form says question or support.
    FormSaysQuestion: 1, [0, -2, 0, 8];
    /// The form says task.
    FormSaysTask: 1, [0, 0, 6, 0];
    /// The form says something else: build, installation, performance.
    FormSaysOther: 1, [1, -1, 0, 1];

    /// Sections for steps, expected or actual behaviour (3, 2 and 2, once for the heading and once for words below it).
    /// At most 4, because the forms of most projects hold them and questions are asked in the same forms.
    ReportSections: 4, [0, 1, 0, 0];
    /// A section for the environment, likewise.
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
    /// A section for what is out of scope.
    ScopeLimitSection: 1, [2, 0, 0, 0];
    /// A section for edge cases.
    EdgeCasesSection: 1, [2, 0, 0, 0];
    /// A section for the demand.
    DemandSection: 1, [2, -1, 0, -1];
    /// Headings of a form for features: motivation, use case, describe the feature.
    FeatureForm: 2, [4, -3, 0, -1];

    /// A user story.
    Story: 1, [7, 0, 0, 0];
    /// A scenario.
    Scenario: 1, [4, 0, 0, 0];
    /// Somebody asks for something, no title says fault and no section reports one: today's faults are his reason.
    Asks: 1, [2, -3, 0, -2];
    /// Somebody asks for something.
    Needs: 1, [0, -1, 0, 0];
    /// Steps, expectation and place told in one breath.
    ToldReport: 1, [0, 4, 0, 0];
    /// A trace or an exception in code.
    Dump: 1, [0, 3, 0, 0];
    /// Pasted log lines outside code.
    Log: 1, [0, 1, 0, 1];
    /// Sentences that want something.
    Need: 3, [2, -2, 0, 1];
    /// Pairs of sentences with words that ask for something new.
    FeatureWords: 2, [1, -1, 0, 1];
    /// Sentences that propose a change or say what it would bring.
    Wish: 3, [4, -1, 0, -3];
    /// Sentences that show a symptom.
    Symptom: 3, [0, 1, 0, 1];
    /// Pairs of sentences with words about faults.
    BugWords: 2, [0, 1, 0, 1];
    /// Sentences with words that only a report of a fault uses.
    Malfunction: 3, [-1, 1, 0, 0];
    /// It worked before, elsewhere or in another version.
    ChangedSince: 2, [0, 1, 0, -1];
    /// A sentence on how often it happens.
    Frequency: 1, [0, 1, 0, 0];
    /// Sentences about chores.
    Chore: 4, [0, 0, 1, 0];
    /// Sentences that ask for information.
    Asking: 3, [0, -1, 0, 2];
    /// Sentences that end in a question mark.
    Questions: 3, [0, -2, 0, 3];
    /// A third of the sentences or more are questions.
    MostlyQuestions: 1, [-1, 0, 0, 3];
    /// Sentences of somebody who is stuck and asks for help.
    HelpSeeking: 3, [-1, -1, 0, 3];
    /// Sentences about the writer's own program, machine or data.
    OwnWork: 2, [0, -1, 0, 1];
    /// A greeting opens the body.
    Greeting: 1, [0, -1, 0, 1];
    /// Written in haste: a lower-case i, several signs in a row, an exclamation.
    Hasty: 2, [-1, -1, 0, 2];
    /// Somebody who knows the code writes: links into the source, a change under review, people called in.
    Insider: 2, [2, 1, 0, -3];
    /// Other tickets are named.
    Reference: 1, [0, 2, 0, -3];
    /// A link.
    Link: 1, [0, 1, 0, -1];
    /// Code in the body.
    Code: 2, [0, 1, 0, 0];
    /// A picture.
    Picture: 1, [-1, 2, 0, -1];
    /// Numbered steps outside any section for them.
    NumberedSteps: 1, [0, 1, 0, 0];
    /// Boxes of a checklist that the author ticked.
    Checklist: 1, [0, 1, 0, -1];
    /// The form's own instructions are still there: the writer took no care of it, as those in need of help do.
    FormComments: 1, [-1, -3, 0, 4];
    /// Fields of the form that nobody filled in, other than by saying so.
    UnfilledFields: 2, [0, -1, 0, 2];
}
