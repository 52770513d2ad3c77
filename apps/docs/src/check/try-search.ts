import type { BrowserPage } from '@haft-tooling/browser';

/** Searches the site as a reader does, and returns what is wrong. */
export async function trySearch(page: BrowserPage, url: string): Promise<readonly string[]> {
  await page.screen({ width: 1024, height: 768 });
  await page.open(`${url}/`);
  const button = `document.querySelector('site-search button[data-open-modal]')`;
  await page.until(`${button}.disabled === false`);
  // Scripts that wait for an idle moment have begun to load after the second one.
  await page.evaluate(`new Promise((done) => requestIdleCallback(() => requestIdleCallback(done)))`);
  const loadedEarly = page.requests.filter((request) => /\/pagefind\/|\/ui-core/.test(request));
  await page.evaluate(`${button}.click()`);
  try {
    await page.until(`document.activeElement?.tagName === 'INPUT'`);
    await page.type('undo');
    await page.until(`document.querySelector('site-search dialog a[href^="/guides/undo/"]') !== null`);
  } catch (error) {
    return [`/: the search for "undo" does not find its guide (${String(error)})`];
  }
  return loadedEarly.map((request) => `/: loads ${request} before the search is opened`);
}
