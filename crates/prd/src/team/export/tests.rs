//! Tests that the page shows all content, and that no content is active.

use super::*;

fn body(markdown: &str) -> String {
    let page = html(markdown, "file.md").expect("the template is valid");
    page.split_once("<main>\n").expect("a body").1.split_once("</main>").expect("an end").0.to_owned()
}

#[test]
fn a_page_has_title_contents_and_language() {
    let page = html("---\nowner: x\n---\n# PRD: Order <b>export</b>\n\n## Timeline\n\n## Timeline\n\n### FR-001: a & b\n\n#### deep\n", "x").expect("valid");
    for words in [
        "<html lang=\"en\">",
        "<title>PRD: Order &lt;b&gt;export&lt;&#x2f;b&gt;</title>",
        "<li><a href=\"#timeline\">Timeline</a></li>",
        "<li><a href=\"#timeline-2\">Timeline</a></li>",
        "<li class=\"sub\"><a href=\"#fr-001-a-b\">FR-001: a &amp; b</a></li>",
        "<h2 id=\"timeline-2\">Timeline</h2>",
        "<h4 id=\"deep\">deep</h4>",
    ] {
        assert!(page.contains(words), "{words}\n{page}");
    }
    assert!(!page.contains("owner") && page.matches("<h1>").count() == 1, "{page}");
    let chinese = html("## 时间线\n\n没有标题的文档。\n", "需求.md").expect("valid");
    assert!(
        chinese.contains("<html lang=\"zh-Hans\">") && chinese.contains("<h1>需求.md</h1>") && chinese.contains("目录")
    );
    assert!(!html("words", "x").expect("valid").contains("<nav"));
}

#[test]
fn markdown_becomes_html() {
    for (markdown, expected) in [
        ("a **b** `c<d>`", "<p>a <strong>b</strong> <code>c&lt;d&gt;</code></p>\n"),
        (
            "[x](https://a.example/?a=1&b=\"2\")",
            "<p><a href=\"https://a.example/?a=1&amp;b=&quot;2&quot;\">x</a></p>\n",
        ),
        (
            "<mailto:a@b.example> [up](#timeline)",
            "<p><a href=\"mailto:a@b.example\">mailto:a@b.example</a> <a href=\"#timeline\">up</a></p>\n",
        ),
        ("[x](docs/a.md) and [y](javascript:alert(1))", "<p>x and y</p>\n"),
        ("a <cite:src-1>, <cite:2>.", "<p>a [src-1], [2].</p>\n"),
        ("![shot **b**](a.png)", "<p>[picture: shot b]</p>\n"),
        ("- [ ] a\n- [x] b", "<ul>\n<li>☐ a</li>\n<li>☑ b</li>\n</ul>\n"),
        ("a<br>b <!-- hidden --> c", "<p>a<br>b  c</p>\n"),
        ("a\\\nb\n\n---", "<p>a<br>\nb</p>\n<hr>\n"),
        ("<!-- hidden\nwords -->\n\nx", "<p>x</p>\n"),
        ("```js\" onload=\"x\nlet a;\n```", "<pre><code>let a;\n</code></pre>\n"),
        (
            "|a b|b|\n|-:|:-:|\n|1 &amp; 2|FR-001|",
            "<div class=\"table\" tabindex=\"0\"><table><thead><tr><th>a b</th><th><span class=\"word\">b</span></th></tr></thead><tbody>\n<tr><td>1 &amp; 2</td><td><span class=\"word\">FR-001</span></td></tr>\n</tbody></table>\n</div>\n",
        ),
    ] {
        assert_eq!(body(markdown), expected, "{markdown}");
    }
}

/// Raw HTML is always shown as text; the page has no external resources and no scripts.
#[test]
fn nothing_of_a_document_lives_on_the_page() {
    let hostile = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "x <svg/onload=alert(1)> y",
        "<!-- a --> <script>alert(1)</script>",
        "<!-- a\n--> <b onclick=x>\n",
        "<style>body{}</style>",
        "# <iframe src=x></iframe>",
        "## <b id=\"x\">\" onclick=\"y</b>",
        "[a](java&#10;script:alert(1)) [b](data:text/html,x) [c](vbscript:x) <javascript:alert(1)>",
        "[![i](https://e.example/p.png)](javascript:alert(1))",
        "[ref]\n\n[ref]: javascript:alert(1) \"title\" ",
        "[x](https://a.example/\"onmouseover=\"alert(1))",
        "| <td onclick=x> |\n|---|\n| <script> |",
        "\u{1b}]0;title\u{7}\u{202e}abc",
        "</main></body><script>",
    ];
    for text in hostile {
        for markdown in [text.to_owned(), format!("- {text}"), format!("> {text}"), format!("### {text}")] {
            let page = html(&markdown, text).expect("the template is valid");
            let style = page.split_once("</style>").expect("a style sheet").1;
            let mut rest = style;
            while let Some(at) = rest.find('<') {
                rest = &rest[at + 1..];
                let tag = rest.split('>').next().unwrap_or_default();
                let name = tag.trim_start_matches('/').split([' ', '/']).next().unwrap_or_default();
                let known = [
                    "head",
                    "body",
                    "html",
                    "header",
                    "h1",
                    "h2",
                    "h3",
                    "nav",
                    "p",
                    "ul",
                    "li",
                    "a",
                    "main",
                    "div",
                    "table",
                    "thead",
                    "tbody",
                    "tr",
                    "th",
                    "td",
                    "blockquote",
                    "br",
                    "span",
                ];
                assert!(known.contains(&name), "{markdown}: <{tag}>\n{style}");
                let attributes: Vec<&str> = tag.split('"').step_by(2).skip(1).collect();
                let is_quoted = tag.matches('"').count().is_multiple_of(2)
                    && attributes
                        .iter()
                        .all(|words| matches!(words.trim(), "" | "/" | "class=" | "id=" | "href=" | "tabindex="));
                assert!(is_quoted, "{markdown}: <{tag}>");
                if let Some(address) = tag.split("href=\"").nth(1) {
                    assert!(
                        address.starts_with(['#']) || address.starts_with("https://a.example/"),
                        "{markdown}: <{tag}>"
                    );
                }
            }
            assert!(!page.chars().any(|c| c != '\n' && clean::is_unsafe(c)), "{markdown}");
        }
    }
}

#[test]
fn no_entity_comes_back_as_a_control_character() {
    let hostile = "# T&#27;[31m&#x202e;x\n\na&#27;[2J&#x202E;b&#0;c&#9;d\n\n- `&#27;`\n\n[w&#x200b;eb](https://e.example/&#x202e;a \"t&#7;\")\n\n\
                   | a&#27; |\n|---|\n| b&#x2066; |\n\n![&#27;p](x.png)\n";
    let (_, contents) = html_contents(hostile);
    for shown in [html(hostile, "x").expect("valid"), typst(hostile, "x"), contents] {
        let unsafe_ones: Vec<char> = shown.chars().filter(|c| *c != '\n' && clean::is_unsafe(*c)).collect();
        assert!(unsafe_ones.is_empty(), "{unsafe_ones:?}: {shown}");
    }
}

#[test]
fn the_page_loads_nothing() {
    for address in ["http:", "https:", "url(", "@import", "src="] {
        assert!(!STYLE.contains(address) && !TEMPLATE.contains(&format!("\"{address}")), "{address}");
    }
}

/// The words of a document are always strings of the typesetter's language, never its code.
#[test]
fn the_words_of_a_document_are_strings_for_the_typesetter() {
    let hostile = "# T #import \"x\"\n\n\\\\\" + read(\"/etc/passwd\") + \" $x$ @a <b> `c\"d` **#evil** [l](https://a.example/?\"#x) \
                   [j](javascript:x)\n\n```typ\n#read(\"/x\")\n```\n\n| a |\n|---|\n| #b |\n\n3. x <cite:src-2>\n\n<i>#h</i>\n";
    let program = typst(hostile, "x");
    let code = program.split_once("#{").expect("the block of the document").1;
    // Without its strings, the program consists only of names of elements.
    let (mut bare, mut inside, mut escaped) = (String::new(), false, false);
    for c in code.chars() {
        match (inside, c) {
            (true, _) if escaped => escaped = false,
            (true, '\\') => escaped = true,
            (_, '"') => inside = !inside,
            (false, c) => bare.push(c),
            (true, _) => {}
        }
    }
    assert!(!inside && !bare.contains(['#', '$', '@', '<', '\\', '`', '_']), "{bare}");
    assert!(!bare.contains("read") && !bare.contains("import"), "{bare}");
    assert!(
        code.contains("link(\"https://a.example/?%22#x\"") || code.contains("link(\"https://a.example/?\\\"#x\""),
        "{code}"
    );
    assert!(!code.contains("javascript") && code.contains("enum(start: 3, ") && code.contains("\"[src-2]\""), "{code}");
}
