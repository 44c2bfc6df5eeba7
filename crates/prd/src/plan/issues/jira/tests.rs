//! Tests of the issues against the fake Jira, on Cloud and on Server: created once, found again, never overwritten
//! after an edit by a person.

use super::*;
use crate::plan::issues::{IssueChange, carried_out, compared};
use crate::plan::tests::planned;
use reqgate_net::jira::stand_in::{StandIn, answer};
use reqgate_net::{Method, Reply, Request};

const APIS: [Api; 2] = [Api::Cloud, Api::Server];

fn shop(api: Api) -> StandIn {
    let jira = StandIn::new(api);
    let blocks = json!({ "id": "1", "name": "Blocks", "inward": "is blocked by", "outward": "blocks" });
    jira.jira.borrow_mut().link_types = vec![json!({ "id": "2", "name": "Relates", "inward": "relates to" }), blocks];
    jira
}

/// Runs with `--yes` and returns the changes, or the error.
fn tried(jira: &StandIn, plan: &ExecutionPlan) -> Result<Vec<IssueChange>, JiraError> {
    let (client, target) = (jira.client(), "PAY".parse()?);
    let tracker = JiraIssues::open(&client, &target)?;
    let compared = compared(&tracker, plan)?;
    let changes = compared.changes.clone();
    carried_out(&tracker, plan, compared, |_, _| ())?;
    Ok(changes)
}

fn run(jira: &StandIn, plan: &ExecutionPlan) -> Vec<IssueChange> {
    tried(jira, plan).expect("Jira takes them")
}

fn writes(jira: &StandIn) -> Vec<Request> {
    let jira = jira.jira.borrow();
    jira.requests.iter().filter(|request| request.method != Method::Get).cloned().collect()
}

fn field(jira: &StandIn, index: usize, name: &str) -> Value {
    jira.jira.borrow().issues[index]["fields"][name].clone()
}

fn is_same(changes: &[IssueChange]) -> bool {
    changes.iter().all(|change| matches!(change, IssueChange::Same { .. }))
}

#[test]
fn a_dry_run_writes_nothing_and_a_second_run_changes_nothing() {
    for api in APIS {
        let (jira, plan) = (shop(api), planned());
        let (client, target) = (jira.client(), "PAY".parse().expect("a project"));
        let tracker = JiraIssues::open(&client, &target).expect("Jira answers");
        let dry = compared(&tracker, &plan).expect("Jira answers").changes;
        assert_eq!((dry.len(), writes(&jira).len()), (3, 0));
        assert!(dry.iter().all(|change| matches!(change, IssueChange::Open { .. })), "{dry:?}");
        run(&jira, &plan);
        let paths: Vec<String> =
            writes(&jira).iter().map(|one| one.address.rsplit('/').next().unwrap().into()).collect();
        assert_eq!(paths, ["issue", "issue", "issueLink", "issue", "issueLink"]);
        assert_eq!(field(&jira, 1, "summary"), "Put the file into the folder at night");
        assert_eq!(field(&jira, 1, "labels"), json!(["reqgate-004-export-orders", "reqgate-shp-exp-002"]));
        let words = words_of(&field(&jira, 1, "description"));
        assert!(words.contains("At 02:05 the folder has the file.") || words.contains("At 02&#58;05"), "{words}");
        assert!(words.contains("PAY-1") || words.contains("PAY&#45;1"), "{words}");
        // The first issue blocks the other two.
        let links = json!([{ "type": { "name": "Blocks" }, "inwardIssue": { "key": "PAY-1" } }]);
        assert_eq!(field(&jira, 1, "issuelinks"), links);
        assert!(is_same(&run(&jira, &plan)) && is_same(&run(&jira, &plan)));
        assert_eq!((writes(&jira).len(), jira.jira.borrow().issues.len()), (5, 3));
    }
}

#[test]
fn a_run_that_broke_off_makes_no_issue_twice_even_if_the_index_lags_behind() {
    for api in APIS {
        let (jira, plan) = (shop(api), planned());
        jira.jira.borrow_mut().loses_an_answer = true;
        let error = tried(&jira, &plan).expect_err("the answer was lost");
        assert!(error.to_string().contains("502"), "{error}");
        assert_eq!(jira.jira.borrow().issues.len(), 1, "it was made all the same");
        // Issues created a moment ago are missing from the search, and there are gaps of deleted issues between them.
        jira.jira.borrow_mut().unseen = 10;
        jira.jira.borrow_mut().issues.extend([Value::Null, Value::Null]);
        jira.jira.borrow_mut().faults.push_back((Method::Post, "issueLink", answer(500, json!({}))));
        tried(&jira, &plan).expect_err("the link failed");
        let made = |jira: &StandIn| jira.jira.borrow().issues.iter().filter(|issue| !issue.is_null()).count();
        assert_eq!(made(&jira), 2);
        let third = run(&jira, &plan);
        let [IssueChange::Same { .. }, IssueChange::Update { issue, .. }, IssueChange::Open { .. }] = third.as_slice()
        else {
            panic!("{third:?}")
        };
        assert_eq!((issue.as_str(), made(&jira)), ("PAY-4", 3));
        assert_eq!(field(&jira, 3, "issuelinks")[0]["inwardIssue"]["key"], "PAY-1");
        assert!(is_same(&run(&jira, &plan)));
    }
}

#[test]
fn what_a_person_wrote_stays_when_the_plan_changes() {
    for api in APIS {
        let (jira, mut plan) = (shop(api), planned());
        run(&jira, &plan);
        let around = |description: &mut Value| match description {
            Value::String(wiki) => *wiki = format!("Ask *Bo* first.\r\n\r\n{wiki}\r\n\r\nSee the mail."),
            document => {
                let words =
                    |words: &str| json!({ "type": "paragraph", "content": [{ "type": "text", "text": words }] });
                let content = document["content"].as_array_mut().expect("nodes");
                content.insert(0, words("Ask Bo first."));
                content.push(words("See the mail."));
            }
        };
        around(&mut jira.jira.borrow_mut().issues[1]["fields"]["description"]);
        jira.jira.borrow_mut().issues[2]["fields"]["summary"] = json!("Fast export (Q1)");
        assert!(is_same(&run(&jira, &plan)), "words around the block and another title are not a reason to write");
        plan.stories[1].story.acceptance_criteria.push("The file has a header.".to_owned());
        plan.stories[2].story.title = "Export quickly".to_owned();
        plan.stories[2].story.complexity = Some(2);
        run(&jira, &plan);
        assert_eq!(field(&jira, 2, "summary"), "Fast export (Q1)");
        let words = words_of(&field(&jira, 1, "description"));
        assert!(words.starts_with("Ask") && words.ends_with("See the mail."), "{words}");
        assert!(words.contains("The file has a header."), "{words}");
        let before = writes(&jira).len();
        assert!(is_same(&run(&jira, &plan)));
        assert_eq!(writes(&jira).len(), before);
    }
}

#[test]
fn a_block_that_was_changed_by_hand_a_closed_issue_and_one_that_is_not_planned_stay() {
    for api in APIS {
        let (jira, mut plan) = (shop(api), planned());
        run(&jira, &plan);
        let description = field(&jira, 0, "description").to_string().replace("3 rows", "4 rows");
        jira.jira.borrow_mut().issues[0]["fields"]["description"] = serde_json::from_str(&description).expect("JSON");
        jira.jira.borrow_mut().issues[1]["fields"]["status"]["statusCategory"]["key"] = json!("done");
        for planned in &mut plan.stories {
            planned.story.complexity = Some(7);
        }
        plan.stories.remove(2);
        let before = writes(&jira).len();
        let changes = run(&jira, &plan);
        let [IssueChange::EditedByHand { .. }, IssueChange::Closed { .. }, IssueChange::NotPlanned { issue, .. }] =
            changes.as_slice()
        else {
            panic!("{changes:?}")
        };
        assert_eq!((issue.as_str(), writes(&jira).len()), ("PAY-3", before));
        // If the property was lost or replaced, the issue is not written.
        for property in [
            json!(null),
            json!({ "plan": "x" }),
            json!({ "plan": "004-export-orders", "story": "shp-exp-001",
            "title": "", "block": "", "parts": 0 }),
        ] {
            jira.jira.borrow_mut().issues[0]["properties"][PROPERTY] = property;
            assert!(matches!(run(&jira, &plan)[0], IssueChange::EditedByHand { .. }));
        }
        assert_eq!(writes(&jira).len(), before);
    }
}

#[test]
fn a_copy_of_an_issue_and_labels_of_others_do_not_take_its_place() {
    let (jira, plan) = (shop(Api::Cloud), planned());
    run(&jira, &plan);
    let mut copy = jira.jira.borrow().issues[0].clone();
    copy["key"] = json!("PAY-4");
    copy["properties"] = json!({});
    jira.jira.borrow_mut().issues.push(copy);
    jira.jira.borrow_mut().issues[0]["fields"]["labels"] =
        json!(["reqgate-ready", "urgent", "reqgate-004-export-orders", "reqgate-shp-exp-001"]);
    let doubled = |issue: &str| IssueChange::Doubled { story: "shp-exp-001".to_owned(), issue: issue.to_owned() };
    let changes = run(&jira, &plan);
    assert!(is_same(&changes[..3]) && changes[3..] == [doubled("PAY-4")], "{changes:?}");
    // An older issue that only has the labels, or a full copy, is not written either.
    let mut made = jira.jira.borrow_mut().issues[0].clone();
    jira.jira.borrow_mut().issues[0]["properties"] = json!({});
    for key in ["PAY-5", "PAY-6"] {
        made["key"] = json!(key);
        jira.jira.borrow_mut().issues.push(made.clone());
    }
    let before = writes(&jira).len();
    let changes = run(&jira, &plan);
    assert!(matches!(&changes[0], IssueChange::Same { issue, .. } if issue == "PAY-5"), "{changes:?}");
    assert_eq!(changes[3..], [doubled("PAY-4"), doubled("PAY-1"), doubled("PAY-6")]);
    let is_of_others =
        |request: &Request| ["/PAY-1", "/PAY-4", "/PAY-6"].iter().any(|key| request.address.ends_with(key));
    assert!(!writes(&jira)[before..].iter().any(is_of_others));
}

#[test]
fn issues_are_not_made_beside_ones_that_could_not_be_looked_at() {
    let (jira, plan) = (shop(Api::Cloud), planned());
    run(&jira, &plan);
    let other = |number: u64| json!({ "key": format!("PAY-{number}"), "fields": {}, "properties": {} });
    jira.jira.borrow_mut().issues.extend((4..=250).map(other));
    jira.jira.borrow_mut().unseen = 249;
    let error = tried(&jira, &plan).expect_err("too many").to_string();
    assert!(error.contains("more than 200 are not in its index"), "{error}");
    assert_eq!(jira.jira.borrow().issues.len(), 250);
}

#[test]
fn a_site_without_links_for_dependencies_gets_them_in_words_only() {
    let (jira, plan) = (shop(Api::Cloud), planned());
    jira.jira.borrow_mut().link_types.pop();
    run(&jira, &plan);
    assert!(is_same(&run(&jira, &plan)));
    assert!(writes(&jira).iter().all(|request| request.address.ends_with("/issue")));
    // When the site has a link type for them, in either direction, the links are created.
    let depends = json!({ "name": "Dependency", "inward": "is a dependency of", "outward": "depends on" });
    jira.jira.borrow_mut().link_types.push(depends);
    assert!(matches!(run(&jira, &plan)[1], IssueChange::Update { .. }));
    assert_eq!(field(&jira, 1, "issuelinks")[0]["outwardIssue"]["key"], "PAY-1");
    assert!(is_same(&run(&jira, &plan)));
    assert!(
        writes(&jira).iter().all(|request| request.method == Method::Post),
        "the issues themselves were not written"
    );
}

#[test]
fn refusals_say_what_to_do_and_limits_are_waited_for() {
    let plan = planned();
    for (status, told) in [(401, "JIRA_API_TOKEN"), (403, "Create issues"), (500, "500")] {
        let jira = shop(Api::Cloud);
        jira.jira.borrow_mut().faults.push_back((Method::Post, "issue", answer(status, json!({}))));
        let error = tried(&jira, &plan).expect_err("it was refused").to_string();
        assert!(error.contains(told) && error.contains("creating “Download the orders of a day” in PAY"), "{error}");
        assert_eq!(writes(&jira).len(), 1, "what would make two is not repeated");
    }
    let jira = shop(Api::Cloud);
    let limit = Reply::new(429, &[("retry-after", "7")], Vec::new());
    jira.jira.borrow_mut().faults.push_back((Method::Post, "issue", limit));
    run(&jira, &plan);
    assert_eq!((jira.waited.get(), jira.jira.borrow().issues.len()), (7, 3));

    let site = reqgate_net::jira::Site::new("https://nordwind.example", None, None).expect("a site");
    let client = Client::with(site, Box::new(jira.clone()), Box::new(jira.clone()));
    let target = "PAY".parse().expect("a project");
    assert_eq!(JiraIssues::open(&client, &target).err(), Some(JiraError::NoCredentials));
}

#[test]
fn a_field_that_the_project_requires_is_named_and_nothing_is_half_made() {
    let (jira, plan) = (shop(Api::Cloud), planned());
    jira.jira.borrow_mut().required = Some(("customfield_10011", "Epic Name is required."));
    let error = tried(&jira, &plan).expect_err("it was refused").to_string();
    assert_eq!(
        error,
        "creating “Download the orders of a day” in PAY: Jira refused the field `customfield_10011` (Epic Name is required): \
         fields that it requires must be optional or have a default for this type of issue, and summary, description and labels \
         must be on its screens; jira=PAY:Task names another type"
    );
    let jira = shop(Api::Server);
    let unknown = json!({ "errorMessages": ["The value 'PAY' does not exist for the field 'project'."], "errors": {} });
    jira.jira.borrow_mut().faults.push_back((Method::Get, "search", answer(400, unknown)));
    let error = tried(&jira, &plan).expect_err("it was refused").to_string();
    assert!(
        error.ends_with("Jira refused the request (The value 'PAY' does not exist for the field 'project')"),
        "{error}"
    );
}

#[test]
fn words_of_a_story_are_not_markup_of_the_issue() {
    for api in APIS {
        let (jira, mut plan) = (shop(api), planned());
        let story = &mut plan.stories[0].story;
        story.title = format!("\u{202e}h1. {{code}}\n[~admin]\u{1b}[31m {}", "长".repeat(400));
        story.acceptance_criteria = vec!["[~admin] {code} !x.png!\nh1. a | b PAY-2 http://e.example".to_owned()];
        plan.stories[1].story.title = " \n".to_owned();
        run(&jira, &plan);
        let title = field(&jira, 0, "summary").as_str().expect("a title").to_owned();
        assert!(title.chars().count() <= 240 && !title.contains(['\n', '\u{202e}', '\u{1b}']), "{title}");
        assert_eq!(field(&jira, 1, "summary"), "shp-exp-002");
        let description = field(&jira, 0, "description");
        if let Value::String(wiki) = &description {
            for wild in ["[~", "{code}", "!x", "\nh1.", "PAY-2", "http:"] {
                assert!(!wiki.contains(wild), "{wild}: {wiki}");
            }
        }
        assert!(is_same(&run(&jira, &plan)), "it is found again");
    }
}
