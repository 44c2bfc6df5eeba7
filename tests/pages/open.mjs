// Opens every page of a folder in Chromium, without scripts, and fails if it loads, complains or does not fit.
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import chromium from '@sparticuz/chromium';
import puppeteer from 'puppeteer-core';

const folder = resolve(process.argv[2]);
const browser = await puppeteer.launch({
  executablePath: await chromium.executablePath(),
  args: ['--no-sandbox', '--headless=shell', '--disable-gpu', '--single-process', '--no-zygote'],
});
const faults = [];
let views = 0;
const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
for (const name of pages) {
  for (const scheme of ['light', 'dark']) {
    for (const width of [1280, 400]) {
      const page = await browser.newPage();
      const where = `${name}, ${scheme}, ${width} px`;
      const address = `file://${join(folder, name)}`;
      page.on('console', (message) => faults.push(`${where}: ${message.text()}`));
      page.on('request', (request) => {
        if (request.url() !== address) faults.push(`${where}: asks for ${request.url()}`);
      });
      await page.setJavaScriptEnabled(false);
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height: 900 });
      await page.goto(address);
      // The tool itself may look, with the scripts of the page switched off.
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      if (wide > 0) faults.push(`${where}: ${wide} px wider than the window`);
      const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      if ((ground === 'rgb(255, 255, 255)') !== (scheme === 'light')) faults.push(`${where}: the ground is ${ground}`);
      views += 1;
      await page.close();
    }
  }
  const page = await browser.newPage();
  await page.goto(`file://${join(folder, name)}`);
  const file = join(folder, name.replace(/html$/, 'pdf'));
  await page.pdf({ path: file, preferCSSPageSize: true });
  if (statSync(file).size < 5000) faults.push(`${name}: the print is empty`);
  await page.close();
}
await browser.close();
console.log([...faults, `${pages.length} pages in ${views} views, ${faults.length} faults`].join('\n'));
process.exit(faults.length === 0 ? 0 : 1);
