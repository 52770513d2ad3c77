/**
 * `pnpm docs:check`: opens the built site in Chromium at three widths, and looks for broken links, violations of
 * accessibility rules, and pages that are wider than the screen. It tries the search. Lighthouse rates the start page, a
 * guide and an API page.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

import { chromiumPath, startChromium } from '@haft-tooling/browser';

import { findBrokenLinks } from './find-broken-links.ts';
import { lookAtPages, screens } from './look-at-pages.ts';
import { ratePages } from './rate-pages.ts';
import { readSite } from './read-site.ts';
import { serveFiles } from './serve-files.ts';
import { trySearch } from './try-search.ts';

/**
 * The check opens every n-th page of the API reference, because all are made from one template. It checks the links of
 * all of them.
 */
const shareOfMembers = 40;

/** Number of pages that are open at the same time. */
const pagesAtOnce = 2;

/** Pages that Lighthouse rates, and the lowest rating that passes. */
const ratedPages = ['/', '/guides/ask-a-person/', '/api/haft/core/functions/createdispatcher/'];
const lowestRating = 95;

const directory = fileURLToPath(new URL('../../dist', import.meta.url));
const { pages, files } = readSite(directory);
const problems = [...findBrokenLinks(pages, files)];

const members = pages.filter(({ address }) =>
  /^\/api\/.*\/(?:classes|functions|interfaces|type-aliases|variables)\//.test(address),
);
const opened = pages
  .filter((page) => !members.includes(page))
  .concat(members.filter((_, index) => index % shareOfMembers === 0))
  .map(({ address }) => address);

if (chromiumPath === undefined) throw new Error('Chromium is missing (expected it on the PATH, or CHROME_PATH)');
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const only = process.argv.slice(2);
const pictures = process.env['HAFT_PICTURES'];
const served = await serveFiles(directory);
try {
  const browser = await startChromium(chromiumPath);
  try {
    problems.push(...(await trySearch(browser.page, served.url)));
    const shared = { url: served.url, addresses: only.length > 0 ? only : opened, screens, axe };
    const browserPages = [
      browser.page,
      ...(await Promise.all(Array.from({ length: pagesAtOnce - 1 }, () => browser.openPage()))),
    ];
    problems.push(...(await lookAtPages(browserPages, pictures === undefined ? shared : { ...shared, pictures })));
  } finally {
    await browser.close();
  }
  const addresses = only.length > 0 ? [] : ratedPages;
  for (const { address, ratings, failed } of await ratePages({ url: served.url, addresses, chromiumPath })) {
    console.log(
      `${address}: ${Object.entries(ratings)
        .map((entry) => entry.join(' '))
        .join(', ')}`,
    );
    const isLow = Object.values(ratings).some((rating) => rating < lowestRating);
    if (isLow) problems.push(`${address}: Lighthouse rates it below ${lowestRating}: ${failed.join('; ')}`);
  }
} finally {
  await served.close();
}

for (const problem of problems) console.error(problem);
console.log(
  `${pages.length} pages, ${opened.length} of them opened at ${screens.length} widths: ${problems.length} problems`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
