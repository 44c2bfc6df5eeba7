//! Tests of sources, citations and uncited assertions.

use pulldown_cmark::{Event, Parser, Tag};

use super::*;

fn source(url: &str, title: &str, domain: &str) -> ResearchSource {
    ResearchSource {
        id: SourceId(9),
        url: url.to_owned(),
        title: title.to_owned(),
        domain: domain.to_owned(),
        agent: "market_researcher".to_owned(),
        timestamp: "2026-11-24T10:00:00Z".to_owned(),
        confidence: None,
    }
}

fn sources() -> ResearchSources {
    let mut sources = ResearchSources::default();
    sources.add(source("https://a.example/report?x=1&y=2", "CSV exports: a survey", "a.example"));
    sources.add(source("notes/interviews.md:12", "Interview with Ana", ""));
    sources
}

/// Ids are consecutive; the same page is the same source.
#[test]
fn sources_get_the_next_id() {
    let mut sources = sources();
    assert_eq!(sources.0.iter().map(|source| source.id.to_string()).collect::<Vec<_>>(), ["src-1", "src-2"]);
    assert_eq!(sources.add(source("notes/interviews.md:12", "again", "")), SourceId(2));
    assert_eq!(sources.add(source("https://b.example", "", "")), SourceId(3));
    for wrong in ["src-0", "src-", "src-x", "1", "src--1"] {
        assert!(wrong.parse::<SourceId>().is_err(), "{wrong}");
    }
}

/// The three citation styles, for `<cite:i>` from 1 and for `<cite:src-N>`.
#[test]
fn citations_are_written_in_three_styles() {
    let text = "It takes 20 minutes <cite:1>, says Ana <cite:src-2>. `<cite:7>` and \\<cite:8> are text.";
    let shown = |style| inject(text, &sources(), style).expect("every source exists");
    let rest = ". `<cite:7>` and \\<cite:8> are text.";
    assert_eq!(
        shown(CitationStyle::Markdown),
        format!(
            "It takes 20 minutes [CSV exports: a survey](https://a.example/report?x=1&y=2), says Ana Interview with Ana (notes/interviews.md:12){rest}"
        )
    );
    assert_eq!(
        shown(CitationStyle::Apa),
        format!(
            "It takes 20 minutes a.example. (2026). CSV exports: a survey. Retrieved from <https://a.example/report?x=1&y=2>, says Ana (2026). Interview with Ana. Retrieved from notes/interviews.md:12{rest}"
        )
    );
    assert_eq!(
        shown(CitationStyle::default()),
        format!("It takes 20 minutes <https://a.example/report?x=1&y=2>, says Ana notes/interviews.md:12{rest}")
    );
}

#[test]
fn references_list_what_is_cited_in_its_order() {
    let text = "B <cite:src-2>, A <cite:1>, B <cite:2>";
    let listed = references(text, &sources(), CitationStyle::Markdown, Language::Zh).expect("every source exists");
    let expected = "## 参考资料\n\n- src-2：Interview with Ana (notes/interviews.md:12)\n\
        - src-1：[CSV exports: a survey](https://a.example/report?x=1&y=2)\n";
    assert_eq!(listed, expected);
    assert_eq!(references("nothing", &sources(), CitationStyle::Url, Language::En), Ok(String::new()));
}

#[test]
fn dangling_citations_are_errors_with_their_lines() {
    let text = "A <cite:0>\n```\n<cite:99>\n```\nB <cite:src-3> and <cite:x>\n";
    let errors = inject(text, &sources(), CitationStyle::Url).expect_err("three do not exist");
    let told: Vec<_> = errors.iter().map(|error| (error.line, error.mark.as_str())).collect();
    assert_eq!(told, [(1, "<cite:0>"), (5, "<cite:src-3>"), (5, "<cite:x>")]);
    assert!(errors[0].in_words(Language::Zh).starts_with("第 1 行"));
}

/// A space is before a citation, and a file without another title is named once.
#[test]
fn a_citation_is_apart_from_its_statement() {
    let mut sources = ResearchSources::default();
    sources.add(ResearchSource { timestamp: String::new(), ..source("ticket.md", "ticket.md", "") });
    let shown = |style| inject("It takes 20 minutes.<cite:1>", &sources, style).expect("it exists");
    assert_eq!(shown(CitationStyle::Url), "It takes 20 minutes. ticket.md");
    assert_eq!(shown(CitationStyle::Apa), "It takes 20 minutes. (n.d.). ticket.md.");
    let inside = |style| inject("It takes 20 minutes (<cite:1>), as agents say<cite:1>.", &sources, style);
    let expected = "It takes 20 minutes (ticket.md), as agents say ticket.md.";
    assert_eq!(inside(CitationStyle::Url).expect("it exists"), expected);
    let expected = "It takes 20 minutes ((n.d.). ticket.md.), as agents say (n.d.). ticket.md.";
    assert_eq!(inside(CitationStyle::Apa).expect("it exists"), expected);
}

/// Titles and addresses are untrusted: with any content, a citation contains at most one link to the web.
#[test]
fn strangers_write_no_markup() {
    let hostile = [
        "<script>alert(1)</script>",
        "](javascript:alert(1)) [x",
        "![p](https://e.example/p.png)",
        "a\n\n# heading\n- item | cell",
        "@alice https://evil.example/x `code` &lt;b&gt; **bold**",
        "javascript:alert(1)",
        "https://a.example/)[x](javascript:alert(1))",
        "https://a.example/ <img src=x>",
        "data:text/html,<b>",
        "",
    ];
    for url in hostile {
        for title in hostile {
            for style in [CitationStyle::Markdown, CitationStyle::Apa, CitationStyle::Url] {
                let text = written(&source(url, title, title), style);
                assert!(!text.contains('\n'), "{text}");
                for event in Parser::new(&text) {
                    match event {
                        Event::Start(Tag::Link { dest_url, .. }) => {
                            assert!(dest_url.starts_with("https://a.example/"), "{text}");
                        }
                        Event::Html(_) | Event::InlineHtml(_) | Event::Code(_) => panic!("{text}"),
                        Event::Start(tag) => assert_eq!(tag, Tag::Paragraph, "{text}"),
                        _ => {}
                    }
                }
                assert!(!text.contains("@alice") && (url.contains("evil") || !text.contains("https://evil")), "{text}");
            }
        }
    }
}

fn found(text: &str) -> Vec<(u32, Assertion)> {
    let names = Names { product: &["Order export", "订单导出"], competitors: &["Contoso", "易导", "Export"] };
    uncited(text, &names).into_iter().map(|one| (one.line, one.kind)).collect()
}

#[test]
fn assertions_without_a_citation_are_found() {
    use Assertion as A;
    let text = "\
# PRD: x

## Executive Summary

Saves 20 minutes.

## Problem Statement & Opportunity

Each request takes 20 minutes. A quarter of them, 25 %, come twice <cite:src-1>. The market is worth $5 billion.
<cite:src-2> It doubles by 2030, and the rule has applied since 2019.

- Contoso charges nothing for it.
- 1,200 agents copy by hand [the survey](https://a.example).

| Product | Price | Users |
|---|---|---|
| Contoso | [price] | |
| Fabrikam | €12 | |
| Fabrikam | €12 | 40 <cite:1> |

## Functional Requirements

The file has 5,000 rows.
";
    assert_eq!(
        found(text),
        [(9, A::Figure), (10, A::Forecast), (12, A::Competitor), (17, A::Competitor), (18, A::Money)]
    );
    let chinese = "## 问题陈述\n\n每次需要 20 分钟。市场规模 50 亿元 <cite:1>。预计到 2030 年翻一番。易导不收费。\n\n## 上市策略\n\n占 35%。\n";
    let expected = [(3, A::Figure), (3, A::Forecast), (3, A::Competitor), (7, A::Percentage)];
    assert_eq!(found(chinese), expected);
}

/// Sentences that are not assertions are not reported.
#[test]
fn targets_names_dates_and_blanks_are_left_alone() {
    for sentence in [
        "Agents must answer within 2 minutes.",
        "We want to cut the time from 20 minutes to 2.",
        "The goal is 95 % by June 2027.",
        "The market is worth [… billion, source needed].",
        "See FR-012, US-003 and section 12.",
        "The contract ends on 31 March 2027.",
        "It started in 2019.",
        "ISO 27001 and Windows 11 apply.",
        "There are 3 kinds of agents.",
        "A contoso in lower case is a word.",
        "Run `sleep 600` first.",
        "On 2026-11-24 the team met.",
        "Version 12 came out.",
        "目标是把时间降到 2 分钟。",
        "合同在 2027 年 3 月 31 日到期。",
        "这是一个问题，有三种情况。",
        "见第 12 节。",
        "市场规模 [待补充 亿元]。",
        "Windows 11 is used everywhere, and an iPhone 15 has it too.",
        "The export keeps files for 30 days.",
        "The pilot will have 40 agents.",
        "Agents must answer within 2 minutes, 95 % of the time.",
        "If a customer has more than 5,000 orders, a mail is sent.",
        "Does it take 20 minutes?",
        "Export is a word of the product.",
        "See issue #1234.",
        "A permit is shorter than the 12-hour shift.",
        "In the audit 11 of 40 had none <cite:src-1>. Ana puts the 11 down to a habit.",
        "- Nine start late, 34 minutes on average. Ana wants none <cite:src-1>.",
        "订单导出保留 30 天。",
        "系统在 30 天后删除文件。",
        "The system keeps users signed in for 30 days.",
        "The app shows 20 rows on each page.",
    ] {
        assert_eq!(found(&format!("## Problem Statement\n\n{sentence}\n")), [], "{sentence}");
    }
    for sentence in [
        "Each takes 20 minutes.",
        "Churn is 12.5 %.",
        "It costs US$40.",
        "About 4 million people have it.",
        "有 400 万用户。",
        "Agents must answer within 2 minutes; today it takes 20 minutes.",
        "We want 2 minutes but each request takes 20 minutes.",
        "System administrators lose 20 minutes.",
        "The system needs 20 minutes today.",
        "目标是 2 分钟，目前需要 20 分钟。",
        "系统管理员每次花 20 分钟。",
        "The system administrators lose 20 minutes each day.",
        "The app users waited 45 minutes in May.",
        "The page views fell by 40 % in May.",
        "The application costs 40,000 EUR a year.",
        "应用商店里有 400 万用户。",
    ] {
        assert_eq!(found(&format!("## Problem Statement\n\n{sentence}\n")).len(), 1, "{sentence}");
    }
}
