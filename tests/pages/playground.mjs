// Uses the playground like a visitor: pastes every ticket of the fixtures, and compares each verdict with that of the program.
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, resolve } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { ended, started, tooWide } from './browser.mjs';

const [site, binary, ...folders] = process.argv.slice(2).map((argument) => resolve(argument));
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm', '.json': 'application/json', '.svg': 'image/svg+xml' };
const server = createServer((request, response) => {
  const name = new URL(request.url, 'http://x').pathname.slice(1) || 'index.html';
  try {
    const body = readFileSync(join(site, name.replaceAll('/', '')));
    response.writeHead(200, { 'content-type': TYPES[extname(name)] }).end(body);
  } catch {
    response.writeHead(404).end();
  }
}).listen(0, '127.0.0.1');
await new Promise((done) => server.once('listening', done));
const address = `http://127.0.0.1:${server.address().port}/`;

const browser = await started();
const faults = [];
const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
const page = await context.newPage();
page.on('console', (message) => faults.push(message.text()));
page.on('pageerror', (error) => faults.push(String(error)));
page.on('request', (request) => {
  if (!request.url().startsWith(address)) faults.push(`asks for ${request.url()}`);
});

// The state of the page once the text that was pasted last is judged.
async function verdict(text) {
  const before = await page.evaluate(() => document.body.dataset.judged);
  await page.fill('#text', text);
  await page.waitForFunction((number) => document.body.dataset.judged !== number, before, { timeout: 20_000 });
  return page.evaluate(() => ({
    verdict: document.getElementById('result').className.replace('result ', ''),
    stamp: document.getElementById('stamp').textContent,
  }));
}

const opened = Date.now();
await page.goto(address);
await page.waitForFunction(() => document.body.dataset.judged);
const first = Date.now() - opened;

const CLASSES = { PASS: 'pass', REJECT: 'reject', NOT_APPLICABLE: 'not-applicable', GUARDRAIL_REJECTED: 'guardrail' };
let compared = 0;
let slowest = 0;
for (const folder of folders) {
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.md'))) {
    const path = join(folder, name);
    if (statSync(path).size > 60_000) continue;
    const text = readFileSync(path, 'utf8');
    let report;
    try {
      report = execFileSync(binary, ['score', '--no-config', '--format', 'json', '--exit-zero', path], { stdio: ['ignore', 'pipe', 'ignore'] });
    } catch {
      continue;
    }
    const [outcome] = JSON.parse(report).outcomes;
    const began = Date.now();
    const shown = await verdict(text);
    slowest = Math.max(slowest, Date.now() - began);
    const expected = [CLASSES[outcome.decision.verdict], outcome.stamp ?? ''].join(' ');
    const got = [shown.verdict, shown.stamp].join(' ');
    if (expected !== got) faults.push(`${name}: the program says ${expected}, the page ${got}`);
    compared += 1;
  }
}

// A hostile text is shown as text, and a link brings it back in another window without asking a server for it.
const hostile = '# <img src=x onerror="document.title=1">\n\nAs a user I want <script>document.title=1</script> to be fast. TBD 🎉 导出';
await verdict(hostile);
if ((await page.title()) !== 'reqgate playground') faults.push('a script of the text ran');
if ((await page.locator('#marks mark').count()) === 0) faults.push('no finding is marked in the text');

// A tab and a masked value have other lengths in the report than in the field.
await verdict('# Export\n\n\tMail ana.silva@example.com, then 导出 🎉: the export is fast. The format is TBD.\n');
await page.locator('#card a[href^="#mark-b"]').first().click();
const chosen = await page.evaluate(() => {
  const field = document.getElementById('text');
  return field.value.slice(field.selectionStart, field.selectionEnd);
});
if (!chosen.includes('TBD') || chosen.includes('fast')) faults.push(`a finding leads to “${chosen}”`);
await verdict(hostile);
await page.click('#share');
await page.waitForFunction(() => location.hash.includes('t='));
const link = page.url();
const other = await context.newPage();
await other.goto(link);
await other.waitForFunction(() => document.body.dataset.judged);
if ((await other.inputValue('#text')) !== hostile) faults.push('the link brings another text back');
await other.close();

await page.click('#language');
if ((await page.textContent('#share')) !== '复制链接') faults.push('the page is not in Chinese');
for (const colorScheme of ['light', 'dark']) {
  await page.emulateMedia({ colorScheme });
  const { violations } = await new AxeBuilder({ page }).analyze();
  faults.push(...violations.map(({ id, nodes }) => `${colorScheme}: ${id}: ${nodes[0].html.slice(0, 200)}`));
}
for (const width of [1280, 400]) {
  await page.setViewportSize({ width, height: 900 });
  const wide = await tooWide(page);
  if (wide > 0) faults.push(`${width}: ${wide} px wider than the window`);
}
const picture = process.env.PLAYGROUND_PICTURE;
if (picture) {
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: 'light' });
  await page.click('#language');
  await page.selectOption('#example', '0');
  await page.waitForTimeout(1500);
  await page.screenshot({ path: picture });
}
server.close();
await ended(browser, faults, `playground: ${compared} verdicts equal the program's; first after ${first} ms, slowest ${slowest} ms`);
