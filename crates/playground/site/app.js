// The page: sends the text to the worker after each change, and shows the verdict next to it.

const element = (id) => document.getElementById(id);
const text = element("text");
const worker = new Worker("judge.js", { type: "module" });
// Typing pauses for so long, in milliseconds, before the text is judged.
const PAUSE = 120;
// Longer texts do not fit into the address of a page everywhere.
const LONGEST_LINK = 8000;

let language = navigator.language.startsWith("zh") ? "zh" : "en";
let sent = 0;
let pending = false;
let timer;

function translate() {
  document.documentElement.lang = language;
  for (const one of document.querySelectorAll("[data-en]")) one.textContent = one.dataset[language];
}

const WORDS = {
  PASS: { en: "Ready", zh: "就绪" },
  REJECT: { en: "Not ready", zh: "未就绪" },
  NOT_APPLICABLE: { en: "Nothing to judge", zh: "无需判定" },
  GUARDRAIL_REJECTED: { en: "Stopped", zh: "已拦截" },
  EMPTY: { en: "Paste a text", zh: "请粘贴文本" },
  ERROR: { en: "It could not be judged", zh: "无法判定" },
};
const CLASSES = { PASS: "pass", REJECT: "reject", NOT_APPLICABLE: "not-applicable", GUARDRAIL_REJECTED: "guardrail" };

function head(name, explanation, stamp) {
  element("result").className = `result ${CLASSES[name] ?? "waiting"}`;
  const verdict = element("verdict");
  Object.assign(verdict.dataset, WORDS[name]);
  verdict.textContent = WORDS[name][language];
  element("explanation").textContent = explanation;
  element("stamp").textContent = stamp ?? "";
}

function ask() {
  if (!text.value.trim()) {
    sent += 1;
    head("EMPTY", "");
    element("card").replaceChildren();
    element("marks").replaceChildren();
    return;
  }
  // One text at a time: the worker takes the newest when it is done.
  if (pending) return;
  pending = true;
  sent += 1;
  worker.postMessage({ number: sent, request: { text: text.value, policy: element("policy").value } });
  asked = text.value;
}
let asked = "";

worker.onmessage = ({ data: { number, answer } }) => {
  pending = false;
  if (number === sent) {
    if (answer.error) {
      head("ERROR", answer.error);
      element("card").replaceChildren();
    } else {
      head(answer.verdict, answer.explanation, answer.stamp);
      for (const id of ["explanation", "card"]) element(id).lang = answer.language;
      // The program escapes all words of the text, and the policy of the page lets no script in it run.
      element("card").innerHTML = answer.card;
      if (asked === text.value) mark(answer.marked);
    }
    document.body.dataset.judged = number;
  }
  if (asked !== text.value) ask();
};
worker.onerror = () => head("ERROR", "WebAssembly");

// The places of the findings lie under the words of the text field.
function mark(marked) {
  const bytes = new TextEncoder().encode(asked);
  const decoder = new TextDecoder();
  const lines = marked.lines.flatMap(({ parts }) => {
    const spans = parts.map(({ finding, is_blocker, span: place, begins }) => {
      const span = document.createElement(finding ? "mark" : "span");
      span.textContent = decoder.decode(bytes.subarray(place.start, place.end));
      if (finding) span.className = is_blocker ? "blocks" : "warns";
      if (begins.length) span.dataset.begins = begins.join(" ");
      return span;
    });
    return [...spans, document.createTextNode("\n")];
  });
  element("marks").replaceChildren(...lines);
  scrolled();
}

function scrolled() {
  element("marks").scrollTop = text.scrollTop;
}

// A finding leads to its words in the text field.
element("card").addEventListener("click", (event) => {
  const link = event.target.closest("a[href^='#mark-']");
  if (!link) return;
  event.preventDefault();
  const id = link.getAttribute("href").slice("#mark-".length);
  let start = 0;
  for (const node of element("marks").childNodes) {
    if (node.dataset?.begins?.split(" ").includes(id)) {
      text.focus();
      text.setSelectionRange(start, start + node.textContent.length);
      text.scrollTop = node.offsetTop - text.clientHeight / 3;
      return;
    }
    start += node.textContent.length;
  }
});

text.addEventListener("input", () => {
  element("marks").replaceChildren();
  clearTimeout(timer);
  timer = setTimeout(ask, PAUSE);
});
text.addEventListener("scroll", scrolled);
element("policy").addEventListener("change", () => {
  asked = "";
  ask();
});
element("language").addEventListener("click", () => {
  language = language === "en" ? "zh" : "en";
  translate();
});

// The text travels in the part of an address that browsers send to no server.
async function packed(words) {
  const stream = new Blob([words]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
async function unpacked(letters) {
  const bytes = Uint8Array.from(atob(letters.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Response(stream).text();
}

element("share").addEventListener("click", async () => {
  const hash = `#p=${element("policy").value}&t=${await packed(text.value)}`;
  const say = (en, zh) => (element("shared").textContent = language === "en" ? en : zh);
  if (hash.length > LONGEST_LINK) return say("Too long for a link", "文本太长，无法生成链接");
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    say("Copied", "已复制");
  } catch {
    say("The link is in the address bar", "链接在地址栏中");
  }
});

async function opened() {
  const given = new URLSearchParams(location.hash.slice(1));
  if (given.has("p")) element("policy").value = given.get("p");
  if (!element("policy").value) element("policy").value = "ready";
  if (given.has("t")) {
    try {
      return await unpacked(given.get("t"));
    } catch {
      element("shared").textContent = language === "en" ? "The link is damaged" : "链接已损坏";
    }
  }
  return undefined;
}

const examples = await (await fetch("examples.json")).json();
for (const [index, { name }] of examples.entries()) element("example").append(new Option(name, index));
element("example").addEventListener("change", () => {
  text.value = examples[element("example").value].text;
  element("marks").replaceChildren();
  ask();
});
translate();
const first = examples.findIndex((one) => one.language === language);
element("example").value = Math.max(first, 0);
text.value = (await opened()) ?? examples[Math.max(first, 0)].text;
ask();
