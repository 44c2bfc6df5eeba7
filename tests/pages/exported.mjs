// Opens every page of a folder in Chromium, without scripts, and fails if it loads, complains or does not fit.
import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ended, started, tooWide } from './browser.mjs';

const folder = resolve(process.argv[2]);
const browser = await started();
const faults = [];
let views = 0;
const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
for (const name of pages) {
  const address = `file://${join(folder, name)}`;
  for (const colorScheme of ['light', 'dark']) {
    for (const width of [1280, 400]) {
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 }, javaScriptEnabled: false });
      const where = `${name}, ${colorScheme}, ${width} px`;
      page.on('console', (message) => faults.push(`${where}: ${message.text()}`));
      page.on('request', (request) => {
        if (request.url() !== address) faults.push(`${where}: asks for ${request.url()}`);
      });
      await page.goto(address);
      // The tool itself may look, with the scripts of the page switched off.
      const wide = await tooWide(page);
      if (wide > 0) faults.push(`${where}: ${wide} px wider than the window`);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      if ((ground === 'rgb(255, 255, 255)') !== (colorScheme === 'light')) faults.push(`${where}: the ground is ${ground}`);
      views += 1;
      await page.close();
    }
  }
  const page = await browser.newPage();
  await page.goto(address);
  const print = await page.pdf({ preferCSSPageSize: true });
  if (print.length < 5000) faults.push(`${name}: the print is empty`);
  await page.close();
}
await ended(browser, faults, `${pages.length} pages in ${views} views`);
