import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import type { BrowserPage } from '@haft-tooling/browser';

/** A screen on which pages are checked. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly dark: boolean;
}

/** A telephone, a tablet and a large display. */
export const screens: readonly Screen[] = [
  { width: 375, height: 812, dark: true },
  { width: 1024, height: 768, dark: false },
  { width: 1600, height: 900, dark: true },
];

/** Waits until a script has made scrolling code focusable, for at most three seconds. */
const scrollableCodeIsFocusable = `new Promise((resolve) => {
  const end = performance.now() + 3_000;
  const look = () => {
    const isReady = [...document.querySelectorAll('pre')].every((each) => each.scrollWidth <= each.clientWidth || each.tabIndex === 0);
    if (isReady || performance.now() > end) resolve();
    else requestAnimationFrame(look);
  };
  look();
})`;

/**
 * Opens each address once, looks at it on every screen, and returns what is wrong: violations of axe, overflow, errors
 * of the page. Several pages of a browser share the addresses.
 */
export async function lookAtPages(
  pages: readonly BrowserPage[],
  options: {
    readonly url: string;
    readonly addresses: readonly string[];
    readonly screens: readonly Screen[];
    /** Source of axe-core. */
    readonly axe: string;
    /** Folder for screenshots. Default: no screenshots. */
    readonly pictures?: string;
  },
): Promise<readonly string[]> {
  const problems: string[] = [];
  const addresses = options.addresses.values();
  const look = async (page: BrowserPage): Promise<void> => {
    for (const address of addresses) problems.push(...(await lookAtPage(page, address, options)));
  };
  await Promise.all(pages.map(look));
  return problems;
}

async function lookAtPage(
  page: BrowserPage,
  address: string,
  { url, screens, axe, pictures }: Parameters<typeof lookAtPages>[1],
): Promise<readonly string[]> {
  const problems: string[] = [];
  const before = page.complaints.length;
  for (const screen of screens.slice(0, 1)) await page.screen(screen);
  await page.open(`${url}${address}`);
  await page.evaluate(axe);
  for (const screen of screens) {
    const where = `${address} at ${screen.width} pixels`;
    await page.screen(screen);
    await page.until(`document.documentElement.dataset.theme === '${screen.dark ? 'dark' : 'light'}'`);
    const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
    if (overflow > 0) problems.push(`${where}: it is ${overflow} pixels wider than the screen`);
    await page.evaluate(scrollableCodeIsFocusable);
    const violations = await page.evaluate<readonly string[]>(
      `axe.run({ resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.slice(0, 3).map(({ html }) => html.slice(0, 200)).join(' ')))`,
    );
    problems.push(...violations.map((violation) => `${where}: ${violation}`));
    if (pictures !== undefined) {
      const name = `${address.replaceAll('/', '_')}-${screen.width}-${screen.dark ? 'dark' : 'light'}.png`;
      await writeFile(join(pictures, name), await page.picture());
    }
  }
  problems.push(...page.complaints.slice(before).map((complaint) => `${address}: ${complaint}`));
  return problems;
}
