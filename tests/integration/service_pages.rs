//! The pages of `reqgate serve` over a real socket: login, cross-site forms, headers, an answer and its status.

use crate::cli::Sandbox;
use crate::service::{Response, Service, token};

/// The value of a hidden field.
pub fn field<'p>(page: &'p str, name: &str) -> &'p str {
    let begin = format!("name=\"{name}\" value=\"");
    page.split_once(&begin).and_then(|(_, rest)| rest.split_once('"')).map(|(value, _)| value).expect("the field")
}

pub fn header<'r>(response: &'r Response, name: &str) -> &'r str {
    let found = response.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
    found.unwrap_or_else(|| panic!("no {name}: {}", response.head))
}

pub fn post(service: &Service, path: &str, headers: &[(&str, &str)], body: &str) -> Response {
    let mut all = vec![("Content-Type", "application/x-www-form-urlencoded")];
    all.extend(headers);
    service.send("POST", path, &all, body)
}

/// Sends a form with files like a browser.
fn judged(service: &Service, headers: &[(&str, &str)], fields: &[(&str, &str)]) -> Response {
    let part = |(name, value): &(&str, &str)| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let body = format!("{}--x--\r\n", fields.iter().map(part).collect::<String>());
    let mut all = vec![("Content-Type", "multipart/form-data; boundary=x")];
    all.extend(headers);
    service.send("POST", "/", &all, &body)
}

#[test]
fn people_log_in_with_their_token_and_nobody_else_gets_in() {
    let sandbox = Sandbox::new();
    let secret = token(&sandbox, "dana", "answer");
    let service = Service::start(&sandbox, &[], &[]);
    let refused = service.send("GET", "/inbox", &[], "");
    assert_eq!((refused.status, header(&refused, "location")), (303, "/login?next=/inbox"));
    // A link on another site sends no cookie, so the page makes the browser load it again.
    let link = service.send("GET", "/inbox", &[("Sec-Fetch-Site", "cross-site")], "");
    assert!(link.status == 200 && link.body.contains("http-equiv=\"refresh\""), "{link:#?}");
    let form = service.send("GET", "/login?next=/inbox", &[], "").body;
    let csrf = field(&form, "csrf").to_owned();
    let log_in =
        |csrf: &str, token: &str| post(&service, "/login", &[], &format!("csrf={csrf}&next=/inbox&token={token}"));
    assert_eq!(log_in(&csrf, "rqg_wrong").status, 403);
    assert_eq!(log_in("forged", &secret).status, 403);
    let done = log_in(&csrf, &secret);
    assert_eq!((done.status, header(&done, "location")), (303, "/inbox"));
    let attributes = header(&done, "set-cookie").split_once("; ").expect("attributes").1;
    assert_eq!(attributes, "path=/; httponly; samesite=strict");
    let cookie = format!("reqgate_token={secret}");
    let inbox = service.send("GET", "/inbox", &[("Cookie", &cookie)], "");
    assert!(inbox.status == 200 && inbox.body.contains("<span class=\"name\">dana</span>"), "{inbox:#?}");
    sandbox.run(&["serve", "token", "remove", "dana"]).ends_with(0);
    token(&sandbox, "other", "read");
    assert_eq!(
        service.send("GET", "/inbox", &[("Cookie", &cookie)], "").status,
        303,
        "a removed token is refused at once"
    );
}

#[test]
fn pages_load_nothing_from_elsewhere_and_are_not_kept() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    for path in ["/", "/inbox", "/threads", "/audit", "/login", "/threads/none"] {
        let page = service.send("GET", path, &[], "");
        assert!(header(&page, "content-security-policy").starts_with("default-src 'none'; style-src 'self'"), "{path}");
        assert_eq!(header(&page, "referrer-policy"), "same-origin");
        assert_eq!(header(&page, "x-content-type-options"), "nosniff");
        assert_eq!(header(&page, "cache-control"), "no-store");
        assert!(header(&page, "content-type").starts_with("text/html"), "{path}");
    }
    assert_eq!(service.send("GET", "/threads/none", &[], "").status, 404);
    let style = service.send("GET", "/assets/site.css", &[], "");
    assert!(style.status == 200 && header(&style, "cache-control").contains("immutable"));
    let chinese = service.send("GET", "/?lang=zh", &[("Accept-Language", "en")], "");
    assert!(
        chinese.body.contains("<html lang=\"zh-Hans\">")
            && header(&chinese, "set-cookie").starts_with("reqgate_lang=zh")
    );
}

#[test]
fn a_text_is_judged_and_what_was_fixed_is_shown() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let csrf = field(&service.send("GET", "/", &[], "").body, "csrf").to_owned();
    let text = "Export of orders\r\n\r\nThe export should be fast. The <b>key</b> is AKIAIOSFODNN7EXAMPL9.";
    let from_here = [("Sec-Fetch-Site", "same-origin")];
    let page = judged(&service, &from_here, &[("csrf", &csrf), ("text", text), ("policy", "triage")]);
    assert!(page.status == 200 && page.body.contains("id=\"result\"") && page.body.contains("<mark>"), "{page:#?}");
    // The report is masked; the field keeps the text of its author.
    let (report, form) = page.body.split_once("<form id=\"judge\"").expect("the form");
    assert!(!report.contains("AKIAIOSFODNN7EXAMPL9") && form.contains("AKIAIOSFODNN7EXAMPL9"), "{page:#?}");
    assert!(form.contains("&lt;b&gt;key&lt;&#x2f;b&gt;") && !page.body.contains("<b>key"), "{page:#?}");
    let better = "Export of orders\n\nThe export of 1,000 orders takes at most 10 seconds.";
    let fields = [("csrf", csrf.as_str()), ("text", better), ("before", text), ("policy", "triage")];
    let again = judged(&service, &from_here, &fields);
    assert!(again.body.contains("Since the last judgement"), "{again:#?}");
    // A cross-site form is refused, and the typed text is kept.
    for (headers, proof) in [(&[("Sec-Fetch-Site", "cross-site")], csrf.as_str()), (&from_here, "forged")] {
        let page = judged(&service, headers, &[("csrf", proof), ("text", better)]);
        assert!(!page.body.contains("id=\"result\"") && page.body.contains("at most 10 seconds"), "{page:#?}");
    }
}

#[test]
fn an_answer_is_recorded_under_the_name_of_the_person() {
    let sandbox = Sandbox::new();
    sandbox.run(&["prd", "start", "Remind customers of open invoices", "--id", "remind"]).ends_with(4);
    let (person, reader) = (token(&sandbox, "dana", "answer"), token(&sandbox, "rob", "read"));
    let service = Service::start(&sandbox, &[], &[]);
    let (person, reader) = (format!("reqgate_token={person}"), format!("reqgate_token={reader}"));
    let inbox = service.send("GET", "/inbox", &[("Cookie", &person)], "").body;
    let path = inbox.split("href=\"").find(|rest| rest.starts_with("/inbox/")).and_then(|rest| rest.split('"').next());
    let path = path.expect("a question").to_owned();
    let shown = service.send("GET", &path, &[("Cookie", &person)], "").body;
    assert!(
        shown.contains("<span class=\"source\">utterance:1 <q>Remind customers of open invoices</q></span>"),
        "{shown}"
    );
    let looking = service.send("GET", &path, &[("Cookie", &reader)], "").body;
    assert!(!looking.contains("id=\"answer\""), "{looking}");
    let csrf = field(&shown, "csrf");
    let send = |cookie: &str, csrf: &str, rest: &str| {
        post(&service, &path, &[("Cookie", cookie)], &format!("csrf={csrf}{rest}"))
    };
    let change = "&decision=change&feedback=Name+the+owner";
    assert_eq!(send(&reader, field(&looking, "csrf"), change).status, 403, "a reader does not answer");
    assert_eq!(send(&person, "forged", change).status, 403);
    let undecided = send(&person, csrf, "&feedback=Name+the+owner");
    assert!(undecided.body.contains("<a href=\"#decision\">Choose a decision.</a>"), "{undecided:#?}");
    assert!(undecided.status == 422 && undecided.body.contains("Name the owner</textarea>"), "{undecided:#?}");
    let sent = send(&person, csrf, change);
    assert_eq!((sent.status, header(&sent, "location")), (303, path.as_str()));
    let status = service.send("GET", &path, &[("Cookie", &person)], "").body;
    assert!(status.contains("Answered by dana") && status.contains("Name the owner"), "{status}");
    let history = sandbox.run(&["prd", "history", "remind", "--format", "json"]).ends_with(0).stdout;
    assert!(history.contains("\"channel\": \"page\"") && history.contains("\"actor\": \"dana\""), "{history}");
    // The same answer again has no effect; a different answer is too late, and its words are kept.
    assert_eq!(send(&person, csrf, change).status, 303);
    let late = send(&person, csrf, "&decision=approve&feedback=Mine");
    assert!(late.status == 409 && late.body.contains("Mine") && late.body.contains("Answered by dana"), "{late:#?}");
}

#[test]
fn an_upload_that_cannot_be_audited_gets_its_own_message() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let csrf = field(&service.send("GET", "/audit", &[], "").body, "csrf").to_owned();
    let audited = |file: &str| {
        let body = format!(
            "--x\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{csrf}\r\n--x\r\nContent-Disposition: form-data; \
             name=\"file\"; filename=\"a.jsonl\"\r\n\r\n{file}\r\n--x--\r\n"
        );
        let headers = [("Content-Type", "multipart/form-data; boundary=x"), ("Sec-Fetch-Site", "same-origin")];
        service.send("POST", "/audit", &headers, &body).body
    };
    assert!(audited("").contains("Choose a file that is not empty."));
    let ticket = "{\"key\":\"A-1\",\"title\":\"Export\",\"body\":\"Crash when saving. Please fix.\"}\n";
    assert!(audited(&ticket.repeat(2)).contains("class=\"sentence\""));
    for file in ["[]", "{\"a\": 1}", "{}\n{}\n"] {
        let refused = audited(file);
        assert!(refused.contains("The file has no tickets.") && !refused.contains("class=\"sentence\""), "{refused}");
    }
    let refused = audited(&ticket.repeat(5_001));
    assert!(refused.contains("holds more than 5000 tickets") && refused.contains("reqgate audit FILE"), "{refused}");
}

/// Sends a form with files like a browser.
fn sent(service: &Service, path: &str, fields: &[(&str, &str)], files: &[(&str, &str)], language: &str) -> Response {
    let field = |(name, value): &(&str, &str)| {
        format!("--x\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
    };
    let file = |(name, text): &(&str, &str)| {
        format!("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\r\n{text}\r\n")
    };
    let parts = fields.iter().map(field).chain(files.iter().map(file)).collect::<String>();
    let headers = [
        ("Content-Type", "multipart/form-data; boundary=x"),
        ("Sec-Fetch-Site", "same-origin"),
        ("Accept-Language", language),
    ];
    service.send("POST", path, &headers, &format!("{parts}--x--\r\n"))
}

/// The path of the first open question.
fn first_question(service: &Service) -> Option<String> {
    let inbox = service.send("GET", "/inbox", &[], "").body;
    let path = inbox.split("href=\"").find(|rest| rest.starts_with("/inbox/"))?.split('"').next()?;
    Some(path.to_owned())
}

#[test]
fn a_prd_is_started_and_finished_in_the_browser() {
    let sandbox = Sandbox::new();
    // Without a browser or Typst, the page describes an alternative to the PDF.
    let service = Service::start(&sandbox, &[], &[("PATH", "/nowhere")]);
    let form = service.send("GET", "/start", &[], "").body;
    let csrf = field(&form, "csrf").to_owned();
    let notes = "Problem: Support copies orders by hand.\n\nGoals:\n\n- Support exports the orders as CSV within 10 seconds.\n\n\
                 Out of scope:\n\n- Export as PDF.\n";
    let unnamed = sent(&service, "/start", &[("csrf", &csrf), ("text", notes)], &[], "en");
    assert!(unnamed.status == 422 && unnamed.body.contains("id=\"name-fault\">Name the feature.</p>"), "{unnamed:#?}");
    assert!(unnamed.body.contains("Support copies orders by hand."), "what was typed stays: {unnamed:#?}");
    let forged = sent(&service, "/start", &[("csrf", "forged"), ("name", "Order export")], &[], "en");
    assert_eq!(forged.status, 403);
    let fields = [("csrf", csrf.as_str()), ("name", "Order export"), ("text", notes), ("language", "zh")];
    let more = [("rules.md", "Constraints:\n\n- Only the role \"support\" may export.\n")];
    let started = sent(&service, "/start", &fields, &more, "en");
    assert!(started.status == 303 && header(&started, "location").starts_with("/inbox/order-export."), "{started:#?}");
    for _ in 0..12 {
        let Some(path) = first_question(&service) else { break };
        let page = service.send("GET", &path, &[], "").body;
        let mut body = format!("csrf={}&others=approve", field(&page, "csrf"));
        for decision in ["approve", "go-on"] {
            if page.contains(&format!("name=\"decision\" value=\"{decision}\"")) {
                body.push_str(&format!("&decision={decision}"));
            }
        }
        for name in page.split("name=\"answer.").skip(1).filter_map(|rest| rest.split('"').next()) {
            body.push_str(&format!("&answer.{name}=Dana+decided+on+UTC."));
        }
        if page.contains("name=\"because\"") {
            body.push_str("&because=Good+enough+to+start.");
        }
        let answered = post(&service, &path, &[], &body);
        assert_eq!(answered.status, 303, "{path}: {answered:#?}");
    }
    let thread = service.send("GET", "/threads/order-export", &[("Accept-Language", "en")], "").body;
    assert!(thread.contains("Done.") && thread.contains("/threads/order-export/documents/prd.md"), "{thread}");
    let prd = service.send("GET", "/threads/order-export/documents/prd.md", &[], "");
    assert!(prd.status == 200 && prd.body.contains(">Order export</h1>"), "{prd:#?}");
    // The documents are in the chosen language and contain the words of both sources.
    assert!(prd.body.contains("范围之外") && prd.body.contains("may export"), "{prd:#?}");
    let file = |name: &str| service.send("GET", &format!("/threads/order-export/files/{name}"), &[], "");
    let markdown = file("prd.md");
    assert_eq!(header(&markdown, "content-disposition"), "attachment; filename=\"prd.md\"");
    assert!(header(&markdown, "content-type").starts_with("text/markdown") && markdown.body.contains("# Order export"));
    assert_eq!(file("prd.json").json(200)["frontmatter"]["title"], "Order export");
    assert!(file("prd.html").body.starts_with("<!DOCTYPE html>"));
    let pdf = file("prd.pdf");
    assert!(pdf.status == 501 && pdf.body.contains("print it as a PDF"), "{pdf:#?}");
    for missing in ["none.md", "prd.exe", "..%2Fprd.md", "%2e%2e%2f.reqgate%2fstate.db"] {
        assert_eq!(file(missing).status, 404, "{missing}");
    }
}

#[test]
fn a_text_is_judged_as_the_kind_that_is_chosen() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let example = service.send("GET", "/?example=1", &[("Accept-Language", "zh")], "").body;
    assert!(example.contains("作为客服") && !example.contains("id=\"result\""), "{example}");
    let csrf = field(&example, "csrf").to_owned();
    let text = "How can I export the orders of one customer?\n\nIs there a button for it, or do I have to ask support?";
    let page = sent(&service, "/", &[("csrf", &csrf), ("text", text)], &[], "en").body;
    assert!(
        page.contains("Not applicable") && page.contains("name=\"as\" value=\"Feature\">Feature</button>"),
        "{page}"
    );
    let judged =
        sent(&service, "/", &[("as", "Feature"), ("csrf", &csrf), ("text", text), ("type", "")], &[], "en").body;
    assert!(judged.contains("<h1>Not ready</h1>") || judged.contains("<h1>Ready</h1>"), "{judged}");
    assert!(judged.contains("<option value=\"Feature\" selected>"), "{judged}");
}

#[test]
fn the_backlog_page_is_in_the_language_of_the_visitor() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let csrf = field(&service.send("GET", "/audit", &[], "").body, "csrf").to_owned();
    let ticket = "{\"key\":\"A-1\",\"title\":\"Export\",\"body\":\"Crash when saving. Please fix.\"}\n";
    let page = sent(&service, "/audit", &[("csrf", &csrf)], &[("a.jsonl", ticket)], "zh").body;
    let report = page.split_once("体检报告：").expect("the report").1;
    for english in ["ready", "tickets", "Worth", "What ", "share"] {
        assert!(
            !report.contains(&format!(">{english}")) && !report.contains(&format!(" {english} ")),
            "{english}: {report}"
        );
    }
}

#[test]
fn an_address_that_does_not_exist_is_a_page_for_browsers_and_a_problem_for_programs() {
    let sandbox = Sandbox::new();
    let service = Service::start(&sandbox, &[], &[]);
    let page = service.send("GET", "/none", &[("Accept", "text/html,*/*;q=0.8")], "");
    assert!(
        page.status == 404 && page.body.contains("Page not found") && page.body.contains("<a href=\"&#x2f;\">"),
        "{page:#?}"
    );
    service.send("GET", "/none", &[], "").problem(404);
}
