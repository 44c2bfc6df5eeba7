// Uses the pages of a running service like a person: by keyboard, without scripts, in two languages, in light, dark and print;
// fails on whatever axe finds, whatever the console says, and whatever does not fit into the window.
//
// service.mjs ADDRESS [FOLDER]: with a folder, it also takes the pictures of the documentation.
import { AxeBuilder } from '@axe-core/playwright';
import { ended, started, tooWide } from './browser.mjs';

const [address, folder] = process.argv.slice(2);
const faults = [];
let checks = 0;
const check = (holds, what) => {
  checks += 1;
  if (!holds) faults.push(what);
};

const TICKET = `Better export

The export should be fast and user-friendly, etc. TBD.
`;
const BETTER = `Export orders as CSV

As a support agent I want to export the orders of a customer quickly, so that I need not copy them by hand.

Acceptance criteria:
- The export of 10,000 orders takes at most 10 seconds.
- The file has the columns order number, date, amount and status.
- If the export fails, the page shows the reason and offers to try again.
`;

const NOTES = `Problem: Drivers lose delivery notes, 4 a week.

Goals:

- A driver prints a delivery note within 20 seconds.

Users:

- Drivers

Out of scope:

- Notes by mail.
`;
const QUESTION = `How can I export the orders of one customer?

Is there a button for it, or do I have to ask support?
`;

const browser = await started();

/** A page that collects complaints. */
async function opened(options = {}) {
  const context = await browser.newContext({ baseURL: address, locale: 'en-US', ...options });
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' && !/status of (4(03|04|09|22)|501)/.test(message.text())) faults.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
  page.on('request', (request) => {
    if (!request.url().startsWith(address)) faults.push(`asks for ${request.url()}`);
  });
  return page;
}

async function fits(page, where) {
  const wide = await tooWide(page);
  check(wide <= 0, `${where}: ${wide} px wider than the window`);
}

async function accessible(page, where) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const told = violations.map((one) => `${one.id} (${one.nodes[0].target}: ${one.nodes[0].failureSummary})`);
  check(told.length === 0, `${where}: ${told.join('; ')}`);
}

async function picture(page, name, options = {}) {
  if (folder) await page.screenshot({ path: `${folder}/${name}`, ...options });
}

/** Presses Tab until the focus is where it should be. */
async function tabTo(page, selector, most = 60) {
  for (let at = 0; at < most; at += 1) {
    if (await page.locator(`${selector}:focus`).count()) return true;
    await page.keyboard.press('Tab');
  }
  faults.push(`${page.url()}: ${selector} cannot be reached by keyboard`);
  return false;
}

// Judge a text by keyboard alone, without scripts; edit it; see what was fixed.
{
  const page = await opened({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  await page.goto('/');
  await page.keyboard.press('Tab');
  check(await page.locator('a.skip:focus').count(), 'the first stop is the link to the content');
  await tabTo(page, '#text');
  await page.keyboard.insertText(TICKET);
  await tabTo(page, 'button.main');
  await Promise.all([page.waitForURL('**/#result'), page.keyboard.press('Enter')]);
  check((await page.title()).startsWith('Not ready'), 'the title says the verdict');
  check((await page.locator('#text').inputValue()).trim() === TICKET.trim(), 'the text stays in the form');
  const marks = await page.locator('.marked mark').count();
  check(marks > 0, 'places are marked in the text');
  // Every mark leads to a finding, and every finding with a place back to a mark.
  for (const link of await page.locator('.marked a, .place a').all()) {
    const target = (await link.getAttribute('href')).slice(1);
    check((await page.locator(`[id="${target}"]`).count()) === 1, `nothing is at #${target}`);
  }
  check((await page.locator('li.issue').count()) > 0, 'findings are listed');
  check((await page.locator('li.issue:not(:has(p.write))').count()) === 0, 'each finding says what to write');
  await picture(page, 'service-judge.png', { fullPage: true, clip: { x: 0, y: 0, width: 1280, height: 820 } });
  await tabTo(page, '#text');
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(BETTER);
  await tabTo(page, 'button.main');
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  check((await page.locator('.progress .fixed li').count()) > 0, 'it shows what was fixed');
}

// The language: by header, by link, kept in a cookie; what was typed stays.
{
  const page = await opened({ locale: 'zh-CN' });
  await page.goto('/');
  check((await page.locator('html').getAttribute('lang')) === 'zh-Hans', 'Accept-Language counts');
  await page.goto('/inbox?lang=en');
  await page.goto('/threads');
  check((await page.locator('html').getAttribute('lang')) === 'en', 'the choice is kept');
  await page.goto('/');
  await page.locator('#text').fill(TICKET);
  await Promise.all([page.waitForEvent('load'), page.locator('.person button').click()]);
  check((await page.locator('html').getAttribute('lang')) === 'zh-Hans', 'the button changes the language');
  check((await page.locator('#text').inputValue()).trim() === TICKET.trim(), 'and keeps the text');
}

// The inbox by keyboard alone, without scripts: the oldest question first, a refusal that loses nothing, an answer, its true status.
let answered;
{
  const page = await opened({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  await page.goto('/inbox');
  const asks = await page.locator('.row-item .title a').all();
  check(asks.length >= 2, 'two questions wait');
  const review = page.locator('.row-item .title a', { hasText: 'Review the feature brief' });
  answered = await review.first().getAttribute('href');
  await tabTo(page, `a[href="${answered}"]`);
  await Promise.all([page.waitForURL(`**${answered}`), page.keyboard.press('Enter')]);
  check((await page.locator('.document .source q').count()) > 0, 'the quotes are shown');
  await picture(page, 'service-question.png');
  await tabTo(page, '[name="feedback"]');
  await page.keyboard.insertText('Name the person who decides.');
  await tabTo(page, '#answer button.main', 200);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  check((await page.locator('#problems').count()) === 1, 'without a decision nothing is sent');
  check((await page.locator('[name="feedback"]').inputValue()) === 'Name the person who decides.', 'what was typed stays');
  await page.locator('[name="decision"][value="change"]').focus();
  await page.keyboard.press('Space');
  await tabTo(page, '#answer button.main', 200);
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')]);
  check(page.url().endsWith(answered), 'after the answer comes its status');
  check((await page.locator('#closed').textContent()).startsWith('Answered by'), 'it says who answered');
  check(await page.locator('.closed a[href^="/inbox/"]').count(), 'and what waits now');
}

// Somebody else was faster: it is said plainly and nothing is lost.
{
  const slow = await opened({ javaScriptEnabled: false });
  await slow.goto('/inbox');
  await slow.locator('.row-item .title a', { hasText: 'Review the feature brief' }).first().click();
  const fast = await opened();
  await fast.goto(slow.url());
  await fast.locator('[name="decision"][value="change"]').check();
  await fast.locator('[name="feedback"]').fill('Shorter, please.');
  const notice = await opened();
  await notice.goto(slow.url());
  await fast.locator('#answer button.main').click();
  await fast.waitForSelector('#closed');
  await slow.locator('[name="decision"][value="approve"]').check();
  await slow.locator('[name="feedback"]').fill('Mine.');
  await slow.locator('#answer button.main').click();
  await slow.waitForSelector('#kept');
  check((await slow.locator('main').textContent()).includes('Mine.'), 'the words of the slower person are kept');
  check((await slow.locator('main').textContent()).includes('Shorter, please.'), 'and those of the faster one shown');
  await notice.waitForSelector('#changed:not([hidden])', { timeout: 5000 }).catch(() => faults.push('no notice that the thread has moved on'));
}

// A thread from its first question to its end, by the page alone.
{
  const page = await opened();
  let steps = 0;
  for (; steps < 20; steps += 1) {
    await page.goto('/inbox');
    const next = page.locator('.row-item', { hasText: 'Export orders as CSV' }).locator('.title a');
    if ((await next.count()) === 0) break;
    await next.first().click();
    for (const field of await page.locator('[name^="answer."]').all()) await field.fill('UTC, decided by Dana on 1 December.');
    for (const decision of ['approve', 'go-on', 'continue']) {
      const radio = page.locator(`[name="decision"][value="${decision}"]`);
      if (await radio.count()) await radio.check();
    }
    if (await page.locator('[name="because"]').count()) await page.locator('[name="because"]').fill('Good enough to start.');
    const all = page.locator('button[name="others"]');
    await ((await all.count()) ? all : page.locator('#answer button.main')).click();
    await page.waitForSelector('#closed, #problems');
    if (await page.locator('#problems').count()) {
      faults.push(`an answer is refused: ${await page.locator('#problems').textContent()}`);
      break;
    }
  }
  await page.goto('/threads');
  const row = await page.locator('tr', { hasText: 'Export orders as CSV' }).textContent();
  check(row.includes('Completed'), `after ${steps} answers the thread is not complete: ${row}`);
}

// A PRD from a form to its downloads, without scripts; each fault at its field; the bar with the decision stays in view.
{
  const page = await opened({ javaScriptEnabled: false, viewport: { width: 1280, height: 900 } });
  await page.goto('/threads');
  await page.locator('a.button').click();
  await page.locator('#name').fill('Delivery notes');
  await page.locator('#text').fill(NOTES);
  await page.setInputFiles('#file', { name: 'rules.md', mimeType: 'text/markdown', buffer: Buffer.from('Constraints:\n\n- A note has at most 3 pages.\n') });
  await page.locator('#start button.main').click();
  await page.waitForURL('**/inbox/delivery-notes.*');
  for (let steps = 0; steps < 12; steps += 1) {
    const bar = page.locator('.decision-bar');
    const box = await bar.boundingBox();
    check(box.y + box.height <= 901, `${page.url()}: the decision is out of view`);
    if (await page.locator('table.review').count()) {
      const first = page.locator('select[name^="verdict."]').first();
      const id = (await first.getAttribute('name')).slice('verdict.'.length);
      check(!(await page.locator(`[id="criteria.${id}"]`).isVisible()), 'fields that the decision does not need are hidden');
      await first.selectOption('reject');
      check(await page.locator(`[id="reason.${id}"]`).isVisible(), 'a rejection has a field for its reason');
      await page.locator('#answer button.main').click();
      await page.waitForSelector(`[id="reason.${id}-fault"]`);
      await page.locator(`#problems a[href="#reason.${id}"]`).click();
      await page.locator(`[id="verdict.${id}"]`).selectOption('modify');
      await page.locator(`[id="criteria.${id}"]`).fill('Given a note of 3 pages, when it is printed, then all 3 are there.');
      await page.locator(`[id="reason.${id}"]`).fill('To test it.');
    }
    for (const field of await page.locator('[name^="answer."]').all()) await field.fill('Mei decided on UTC.');
    for (const decision of ['approve', 'go-on']) {
      const radio = page.locator(`[name="decision"][value="${decision}"]`);
      if (await radio.count()) await radio.check();
    }
    if (await page.locator('[name="because"]').count()) await page.locator('[name="because"]').fill('Good enough to start.');
    const all = page.locator('button[name="others"]');
    await ((await all.count()) ? all : page.locator('#answer button.main')).click();
    await page.waitForSelector('#closed, #problems');
    const next = page.locator('.closed a[href^="/inbox/"]');
    if ((await next.count()) === 0) break;
    await next.click();
  }
  await page.goto('/threads/delivery-notes');
  check((await page.locator('.steps .finished').count()) === 6, 'all six steps are finished');
  check(!(await page.locator('#graph').isVisible()), 'the log is folded away');
  await page.locator('.next a.go').click();
  check((await page.locator('.document h3', { hasText: 'FR-' }).count()) > 0, 'requirements are under headings');
  check((await page.locator('.document li', { hasText: 'Given a note' }).locator('br').count()) === 2, 'each step is on its line');
  for (const link of await page.locator('.downloads a').all()) {
    const response = await page.request.get(await link.getAttribute('href'));
    check(response.ok() || response.status() === 501, `${response.url()}: ${response.status()}`);
  }
}

// The judge page: an example, and another kind for a text that was not judged.
{
  const page = await opened({ javaScriptEnabled: false });
  await page.goto('/');
  await page.locator('a.example').click();
  await page.locator('button.main').click();
  await page.waitForSelector('#result');
  await page.locator('#text').fill(QUESTION);
  await page.locator('button.main').click();
  await page.locator('.judge-as button').first().click();
  await page.waitForSelector('#result');
  check(!(await page.locator('.judge-as').count()), 'it is judged as the chosen kind');
}

// Every page, in light and dark, wide and narrow, in both languages: nothing that axe finds.
const first = await (async () => {
  const page = await opened();
  await page.goto('/inbox');
  return page.locator('.row-item .title a').evaluateAll((links) => links.map((link) => link.getAttribute('href')));
})();
const thread = `/threads/${answered.split('/').pop().split('.')[0]}`;
for (const colorScheme of ['light', 'dark']) {
  for (const locale of ['en-US', 'zh-CN']) {
    for (const width of [1280, 380]) {
      const page = await opened({ colorScheme, locale, viewport: { width, height: 900 } });
      const where = (path) => `${path}, ${colorScheme}, ${locale}, ${width} px`;
      for (const path of ['/', '/inbox', ...first, answered, '/threads', thread, '/threads/delivery-notes', '/threads/delivery-notes/documents/prd.md', '/start', '/audit', '/login', '/threads/none', '/none']) {
        await page.goto(path);
        await fits(page, where(path));
        await accessible(page, where(path));
      }
      await page.goto(first[0]);
      await page.locator('#answer button.main').click();
      await page.waitForSelector('#problems');
      await fits(page, where('a fault at its field'));
      await accessible(page, where('a fault at its field'));
      await page.goto('/');
      await page.locator('#text').fill(TICKET);
      await page.locator('button.main').click();
      await page.waitForSelector('#result');
      await fits(page, where('judged'));
      await accessible(page, where('judged'));
      await page.locator('#text').fill(BETTER);
      await page.locator('button.main').click();
      await page.waitForSelector('.progress');
      await accessible(page, where('judged again'));
      if (colorScheme === 'dark' && locale === 'en-US' && width === 1280) {
        await picture(page, 'service-judged-again.png', { fullPage: true, clip: { x: 0, y: 0, width: 1280, height: 820 } });
      }
      await page.setInputFiles('#file', { name: 'ticket.md', mimeType: 'text/markdown', buffer: Buffer.from(TICKET) });
      await page.locator('button.main').click();
      await page.waitForSelector('#result');
      check((await page.locator('#text').inputValue()).trim() === TICKET.trim(), where('an uploaded text is in the form'));
      await page.goto('/audit');
      const lines = [TICKET, BETTER].map((body, at) => JSON.stringify({ key: `A-${at}`, title: 'Export', body }));
      await page.setInputFiles('#file', { name: 'backlog.jsonl', mimeType: 'text/plain', buffer: Buffer.from(lines.join('\n')) });
      await page.locator('main form button').click();
      await page.waitForSelector('main .sentence');
      await fits(page, where('audit'));
      await accessible(page, where('audit'));
      // No column of a table is as narrow as a letter.
      const broken = await page.locator('main td').evaluateAll((cells) => cells.filter((cell) => cell.clientHeight > 3 * cell.clientWidth).length);
      check(broken === 0, where(`${broken} cells of the audit are broken into letters`));
      if (colorScheme === 'light' && locale === 'en-US' && width === 1280) {
        await page.goto(thread);
        await page.emulateMedia({ media: 'print' });
        check(!(await page.locator('.bar').isVisible()), 'the navigation is not printed');
      }
      await page.context().close();
    }
  }
}

await ended(browser, faults, `${checks} checks`);
