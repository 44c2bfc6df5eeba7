//! Tests of consensus, contradictions and the revision loop.

use super::*;
use reqgate_base::model::Language;

fn critique(role: Role, score: u8) -> Critique {
    Critique {
        critic_role: role,
        grade: if score >= PASS_MARK { Grade::Pass } else { Grade::NeedsRevision },
        score: Some(score),
        category_scores: BTreeMap::new(),
        issues_found: Vec::new(),
        suggestions: Vec::new(),
        commendations: Vec::new(),
        priority_changes: Vec::new(),
        advice: Advice::default(),
        not_read: Vec::new(),
        keyword_heuristic: 0,
        second_opinion: None,
    }
}

fn issue(code: &str, line: Option<u32>, what: &str) -> Issue {
    Issue {
        category: "any".to_owned(),
        code: code.to_owned(),
        severity: GapSeverity::High,
        place: line.map(|line| SourceQuote { source: "prd.md".to_owned(), line, quote: "words".to_owned() }),
        what: what.to_owned(),
        suggestion: format!("Mend: {what}"),
        is_of_one: false,
    }
}

fn scored(scores: [u8; 3]) -> ConsolidatedFeedback {
    let all: Vec<Critique> = Role::ALL.into_iter().zip(scores).map(|(role, score)| critique(role, score)).collect();
    consolidate(&all)
}

#[test]
fn most_critics_and_the_mean_decide() {
    for (scores, grade, unanimous, average) in [
        ([90, 80, 76], Grade::Pass, true, 82.0),
        ([90, 80, 10], Grade::Pass, false, 60.0),
        ([90, 74, 74], Grade::NeedsRevision, false, 238.0 / 3.0),
        ([0, 0, 0], Grade::NeedsRevision, false, 0.0),
    ] {
        let all = scored(scores);
        assert_eq!((all.overall_grade, all.is_unanimous), (grade, unanimous), "{scores:?}");
        assert!((all.average_score.expect("they were read") - average).abs() < 1e-9, "{scores:?}");
    }
    // 0.40, 0.35 and 0.35 are normalised to 1.
    let weighted = scored([100, 0, 0]).weighted_score.expect("they were read");
    assert!((weighted - 100.0 * 40.0 / 110.0).abs() < 1e-9);
}

#[test]
fn what_was_not_read_is_no_score_and_passes_nothing() {
    let document = Document::new("prd.md", "# X\n\nWords.\n");
    let forms: Vec<Critique> = Role::ALL.iter().map(|role| form(&document, *role)).collect();
    let all = consolidate(&forms);
    assert_eq!((all.overall_grade, all.average_score), (Grade::NotRead, None));
    let one_read = consolidate(&[forms[0].clone(), forms[1].clone(), critique(Role::Engineering, 100)]);
    assert_eq!((one_read.overall_grade, one_read.average_score), (Grade::NeedsRevision, Some(100.0)));
    assert_eq!(consolidate(&[]).overall_grade, Grade::NotRead);
}

#[test]
fn two_critics_agree_by_code_and_place_or_by_their_words() {
    let agreed = |one: Issue, other: Issue| {
        let all =
            [critique(Role::Director, 50).with_issues(vec![one]), critique(Role::Design, 50).with_issues(vec![other])];
        consolidate(&all).consensus_issues.len()
    };
    let base = || issue("metric", Some(4), "No metric has a baseline");
    assert_eq!(agreed(base(), base()), 1, "the same text");
    assert_eq!(agreed(base(), issue("user", None, "no metrics have baselines")), 1, "the same words");
    assert_eq!(agreed(base(), issue("metric", Some(4), "Nobody can tell whether it worked")), 1, "code and line");
    assert_eq!(
        agreed(base(), issue("metric", None, "A baseline of the metric is absent")),
        1,
        "code and half of the words"
    );
    assert_eq!(agreed(base(), issue("risk", Some(4), "The vendor may be late")), 0, "another code");
    assert_eq!(agreed(base(), issue("metric", Some(9), "Targets lie too far in the future")), 0, "another matter");
    // An issue that one critic names twice has one critic.
    let alone = critique(Role::Director, 50).with_issues(vec![base(), base()]);
    assert_eq!(consolidate(&[alone]).consensus_issues, []);
}

#[test]
fn consensus_is_ordered_by_severity_and_cut_to_five_revisions() {
    let issues = |role: Role| {
        let mut all: Vec<Issue> =
            (0..7).map(|at| issue(&format!("c{at}"), Some(at + 1), &format!("matter {at} alone"))).collect();
        all[6].severity = GapSeverity::Critical;
        critique(role, 50).with_issues(all)
    };
    let all = consolidate(&[issues(Role::Design), issues(Role::Director)]);
    assert_eq!((all.consensus_issues.len(), all.priority_revisions.len()), (7, 5));
    assert_eq!(all.consensus_issues[0].what, "matter 6 alone");
    assert_eq!(all.consensus_issues[0].critics, [Role::Director, Role::Design]);
    assert_eq!((all.strategic_changes.len(), all.design_changes.len(), all.technical_changes.len()), (7, 7, 0));
}

#[test]
fn opposing_suggestions_about_one_thing_are_a_choice() {
    let conflicts = |one: &str, other: &str| {
        let with =
            |role: Role, suggestion: &str| Critique { suggestions: vec![suggestion.to_owned()], ..critique(role, 50) };
        consolidate(&[with(Role::Director, one), with(Role::Engineering, other)]).conflicting_feedback.len()
    };
    for (one, other) in [
        ("Add the export of reports", "Remove the export of reports"),
        ("REMOVE the export", "add an export for partners"),
        ("Increase the limit per account", "Decrease the limit"),
        ("Expand the onboarding", "Simplify the onboarding"),
        ("More detail on pricing", "Less detail on pricing"),
        ("增加导出功能", "删除导出功能"),
    ] {
        assert_eq!(conflicts(one, other), 1, "{one} | {other}");
    }
    for (one, other) in [
        ("Address the export", "Remove the export"),
        ("Add a baseline to the metrics", "Remove the login page"),
        ("Add the export", "Add the import"),
    ] {
        assert_eq!(conflicts(one, other), 0, "{one} | {other}");
    }
}

#[test]
fn only_what_every_critic_praises_is_a_unanimous_approval() {
    let praised = |role: Role, texts: &[&str]| Critique {
        commendations: texts.iter().map(|text| Commendation { text: (*text).to_owned(), place: None }).collect(),
        ..critique(role, 90)
    };
    let three = [
        praised(Role::Director, &["Clear targets for each quarter", "Good pricing"]),
        praised(Role::Design, &["clear target for each quarter"]),
        praised(Role::Engineering, &["Clear targets for each quarter"]),
    ];
    assert_eq!(consolidate(&three).unanimous_approvals, ["Clear targets for each quarter"]);
    assert_eq!(consolidate(&three[..1]).unanimous_approvals, Vec::<String>::new());
}

/// The decision after critiques with these scores of the three critics, one critique for each version.
fn after(settings: &LoopSettings, rounds: &[[u8; 3]], human_override: bool) -> LoopDecision {
    let mut state = LoopState { human_override, ..LoopState::default() };
    for (version, scores) in (1..).zip(rounds) {
        state = state.with_round(settings, version, &scored(*scores));
    }
    control(settings, &state)
}

fn stop(reason: StopReason, deliver: u32, is_approved: bool) -> LoopDecision {
    LoopDecision::Stop { reason, deliver, is_approved }
}

#[test]
fn the_loop_stops_in_the_order_of_the_source() {
    let settings = LoopSettings::default();
    let most = settings.max_refinement_iterations;
    let (low, mid, high) = ([40, 40, 40], [60, 60, 60], [90, 90, 90]);
    for (rounds, human, expected) in [
        (vec![], false, LoopDecision::GoOn { iteration: 1 }),
        (vec![low], false, LoopDecision::GoOn { iteration: 1 }),
        (vec![low, mid], false, LoopDecision::GoOn { iteration: 2 }),
        (vec![high], false, stop(StopReason::Approved { score: 90.0 }, 1, true)),
        (vec![low, high], false, stop(StopReason::Approved { score: 90.0 }, 2, true)),
        // A difference of less than 5 points, up or down.
        (vec![low, [44, 44, 44]], false, stop(StopReason::Plateau, 2, false)),
        (vec![mid, [56, 56, 56]], false, stop(StopReason::Plateau, 1, false)),
        (vec![low, [45, 45, 45]], false, LoopDecision::GoOn { iteration: 2 }),
        // Approval comes before the plateau, and the plateau before the override.
        (vec![[74, 74, 74], [76, 76, 76]], false, stop(StopReason::Approved { score: 76.0 }, 2, true)),
        (vec![mid, [62, 62, 62]], true, stop(StopReason::Plateau, 2, false)),
        // There are three revisions between four critiques; the best draft is delivered.
        (vec![low, mid, [50, 50, 50], low], false, stop(StopReason::MaximumIterations { most }, 2, false)),
        (vec![low, mid, low, high], false, stop(StopReason::MaximumIterations { most }, 4, true)),
        (vec![mid, low], true, stop(StopReason::HumanOverride, 2, false)),
        (vec![high], true, stop(StopReason::Approved { score: 90.0 }, 1, true)),
    ] {
        assert_eq!(after(&settings, &rounds, human), expected, "{rounds:?}");
    }
}

#[test]
fn settings_change_what_approves() {
    let one_fails = [[95, 95, 60]];
    let default = LoopSettings::default();
    assert!(matches!(after(&default, &one_fails, false), LoopDecision::Stop { is_approved: true, .. }));
    let unanimous = LoopSettings { require_unanimous_approval: true, ..default };
    assert_eq!(after(&unanimous, &one_fails, false), LoopDecision::GoOn { iteration: 1 });
    // Most critics pass, but the mean does not.
    assert_eq!(after(&default, &[[80, 80, 10]], false), LoopDecision::GoOn { iteration: 1 });
    let strict = LoopSettings { min_approval_score: 95, ..default };
    assert_eq!(after(&strict, &[[90, 90, 90]], false), LoopDecision::GoOn { iteration: 1 });
    // The floor applies to all settings.
    let lax = LoopSettings { min_approval_score: 10, ..default };
    assert_eq!(after(&lax, &[[80, 80, 10]], false), LoopDecision::GoOn { iteration: 1 });
    let no_override = LoopSettings { allow_override: false, ..default };
    assert_eq!(after(&no_override, &[[40, 40, 40]], true), LoopDecision::GoOn { iteration: 1 });
    let small_steps = LoopSettings { improvement_threshold: 2.0, ..default };
    assert_eq!(after(&default, &[[60; 3], [63; 3]], false), stop(StopReason::Plateau, 2, false));
    assert_eq!(after(&small_steps, &[[60; 3], [63; 3]], false), LoopDecision::GoOn { iteration: 2 });
    let none = LoopSettings { max_refinement_iterations: 0, ..default };
    assert!(matches!(after(&none, &[[40, 40, 40]], false), LoopDecision::Stop { .. }));
    assert!(default.critiques(3) && !LoopSettings { final_critique: false, ..default }.critiques(3));
    let read: LoopSettings = serde_json::from_str("{}").expect("everything has a default");
    assert_eq!(read, default);
}

#[test]
fn rounds_that_nobody_read_neither_approve_nor_plateau() {
    let settings = LoopSettings::default();
    let document = Document::new("prd.md", "# X\n\nWords.\n");
    let unread = consolidate(&[form(&document, Role::Director)]);
    let state = LoopState::default().with_round(&settings, 1, &unread).with_round(&settings, 2, &unread);
    assert_eq!(control(&settings, &state), LoopDecision::GoOn { iteration: 2 });
    assert_eq!(state.best_version(), Some(2), "of two unread drafts the later");
    let accepted = LoopState { human_override: true, ..state };
    assert_eq!(control(&settings, &accepted), stop(StopReason::HumanOverride, 2, false));
}

#[test]
fn reasons_and_summaries_are_those_of_the_source() {
    for (reason, en, zh) in [
        (StopReason::MaximumIterations { most: 3 }, "Maximum iterations (3) reached", "已达到最大修改轮数（3）"),
        (StopReason::Approved { score: 81.25 }, "PRD approved with score 81.2", "PRD 已通过评审，得分 81.2"),
        (StopReason::HumanOverride, "Human override - proceeding with current version", "人工决定：采用当前版本"),
        (StopReason::Plateau, "Score improvement plateaued", "得分不再提高"),
    ] {
        assert_eq!((reason.words(Language::En).as_str(), reason.words(Language::Zh).as_str()), (en, zh));
    }
    let settings = LoopSettings::default();
    let mut feedback = scored([60, 60, 61]);
    let state =
        LoopState::default().with_round(&settings, 1, &scored([50, 50, 50])).with_round(&settings, 2, &feedback);
    assert_eq!(next_steps(None, Language::En), "Awaiting initial critic feedback");
    assert_eq!(next_steps(Some(&feedback), Language::En), "General refinement based on feedback");
    feedback.consensus_issues = vec![ConsensusIssue {
        what: "No metric has a baseline".to_owned(),
        suggestion: "Write it".to_owned(),
        severity: GapSeverity::High,
        critics: vec![Role::Director, Role::Design],
        place: None,
    }];
    feedback.priority_revisions = ["a", "b", "c", "d"].map(str::to_owned).to_vec();
    feedback.unanimous_approvals = vec!["Clear targets".to_owned()];
    assert_eq!(
        summary(&settings, &state, Some(&feedback), Language::En),
        "Refinement Summary:\n- Total iterations: 1\n- Score progression: 50.0 → 60.3\n- Final score: 60.3\n- Final grade: needs \
         revision\n\nRemaining issues (1):\n  - No metric has a baseline\n\nStrengths identified:\n  ✓ Clear targets\n"
    );
    assert_eq!(next_steps(Some(&feedback), Language::En), "Focus areas:\n• a\n• b\n• c");
    let chinese = summary(&settings, &state, Some(&feedback), Language::Zh);
    assert!(chinese.starts_with("修改小结：\n- 修改轮数：1\n- 得分变化：50.0 → 60.3\n"), "{chinese}");
    // The report distinguishes the grade of the majority from the decision.
    let all = LoopSettings { require_unanimous_approval: true, ..settings };
    for (settings, scores, told) in [
        (settings, [80, 76, 60], "pass by most critics, but the average is below 75: not approved"),
        (all, [90, 90, 60], "pass by most critics, but not by all, as is required: not approved"),
        (settings, [90, 90, 60], "Final grade: pass\n"),
    ] {
        let text = summary(&settings, &state, Some(&scored(scores)), Language::En);
        assert!(text.contains(told), "{text}");
    }
}

#[test]
fn two_readings_are_one_critique_with_means_and_marks() {
    let scores = |all: [(&str, u8); 2]| all.into_iter().map(|(id, score)| (id.to_owned(), score)).collect();
    let read = |score: u8, all: [(&str, u8); 2], issues: Vec<Issue>| {
        Critique { category_scores: scores(all), ..critique(Role::Director, score) }.with_issues(issues)
    };
    let both = || issue("metric", Some(4), "No metric has a baseline");
    let by_form = Issue { category: "other".to_owned(), ..issue("missing-risks", None, "No section names risks") };
    let form = Critique { score: None, ..critique(Role::Director, 0) }.with_issues(vec![by_form.clone()]);
    let worse =
        Issue { severity: GapSeverity::Critical, what: "A baseline is absent from every metric".to_owned(), ..both() };
    let one = read(80, [("a", 95), ("b", 60)], vec![both(), by_form.clone()]);
    let other = read(71, [("a", 80), ("b", 76)], vec![worse.clone(), issue("risk", Some(9), "The vendor is late")]);
    let two = of_two(one, other, PASS_MARK, &form);
    assert_eq!((two.score, two.grade), (Some(75), Grade::Pass), "the mean of 80 and 71, rounded down");
    assert_eq!(two.category_scores, scores([("a", 87), ("b", 68)]));
    // A difference of 15 points is one band; 16 is a disagreement.
    let opinion = two.second_opinion.as_ref().expect("there were two");
    let apart: Vec<_> = opinion.disagreements.iter().map(|one| (one.category.as_str(), one.grades)).collect();
    assert_eq!((opinion.scores, apart), ([80, 71], vec![("b", [60, 76])]));
    let named: Vec<_> = two.issues_found.iter().map(|issue| (issue.what.as_str(), issue.is_of_one)).collect();
    assert_eq!(
        named,
        [(worse.what.as_str(), false), ("The vendor is late", true), ("No section names risks", false)],
        "what both name stands there once as the worse of them, and what code found is nobody's alone"
    );
    assert!(two.issues_found[1].what_in_words(Language::Zh).contains("两次阅读中的一次"));
    let agreed = read(80, [("a", 80), ("b", 80)], Vec::new());
    let two = of_two(agreed.clone(), agreed, PASS_MARK, &critique(Role::Director, 0));
    assert_eq!(opinion_in_lines(&two, Language::En), ["Two readings: 80 and 80, of which the score is the mean"]);
}

#[test]
fn a_proven_finding_stays_whatever_else_a_reader_says_of_its_category() {
    let text = "# Loans\n\n## Risks\n\n- Staff may not use it\n- The card reader may fail\n";
    let document = Document::new("prd.md", text);
    let form = form(&document, Role::Director);
    let code = |issue: &Issue| issue.code.clone();
    let unowned = form.issues_found.iter().find(|found| found.code == "risk-without-owner").expect("it is found");
    let left = |code_of_reader: &str, line: Option<u32>| -> Vec<String> {
        let read =
            Issue { category: unowned.category.clone(), ..issue(code_of_reader, line, "The reader's own words") };
        super::finding::not_repeated(&form.issues_found, &[read]).map(code).collect()
    };
    let all: Vec<String> = form.issues_found.iter().map(code).collect();
    let line = unowned.place.as_ref().map(|place| place.line);
    assert_eq!(left("market", line), all, "another subject at the same place");
    assert_eq!(left("risk", line.map(|line| line + 1)), all, "the same subject at another place");
    let without = |code: &str| all.iter().filter(|one| *one != code).cloned().collect::<Vec<_>>();
    assert!(!left("risk", line).contains(&"risk-without-owner".to_owned()), "the reader says the same");
    assert_eq!(left("metric", None), without("missing-metrics"), "the same part is absent");
}
