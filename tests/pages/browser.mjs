// The browser that every check of a page uses: the Chromium of this machine.
import { chromium } from 'playwright-core';

/** Starts Chromium; the variable CHROMIUM names the program. */
export const started = () =>
  chromium.launch({ executablePath: process.env.CHROMIUM, args: ['--no-sandbox', '--disable-gpu'] });

/** Ends with the faults, one line each, and 1 if there are any. */
export const ended = async (browser, faults, what) => {
  await browser.close();
  console.log([...faults, `${what}, ${faults.length} faults`].join('\n'));
  process.exit(faults.length === 0 ? 0 : 1);
};

/** What does not fit into the window, in pixels. */
export const tooWide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
