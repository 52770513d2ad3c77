import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Lighthouse rates each of these from 0 to 100. */
export const categories = ['performance', 'accessibility', 'best-practices', 'seo'] as const;

/** A page, and its rating in each category, from 0 to 100. */
export interface PageRating {
  readonly address: string;
  readonly ratings: Readonly<Record<(typeof categories)[number], number>>;
  /** Audits that lower a rating. */
  readonly failed: readonly string[];
}

interface Report {
  readonly categories: Readonly<
    Record<
      string,
      { readonly score: number; readonly auditRefs: readonly { readonly id: string; readonly weight: number }[] }
    >
  >;
  readonly audits: Readonly<Record<string, { readonly score: number | null; readonly title: string }>>;
}

const lighthouse = fileURLToPath(new URL('../../node_modules/lighthouse/cli/index.js', import.meta.url));
const chromiumFlags = '--headless=new --no-sandbox --disable-dev-shm-usage';

/** Rates pages with Lighthouse, as a telephone on a slow network loads them. */
export async function ratePages(options: {
  readonly url: string;
  readonly addresses: readonly string[];
  readonly chromiumPath: string;
}): Promise<readonly PageRating[]> {
  const { url, addresses, chromiumPath } = options;
  const rated: PageRating[] = [];
  // One after the other: pages that load at the same time slow each other down.
  for (const address of addresses) {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        lighthouse,
        `${url}${address}`,
        '--quiet',
        '--no-enable-error-reporting',
        `--only-categories=${categories.join(',')}`,
        '--output=json',
        '--output-path=stdout',
        `--chrome-flags=${chromiumFlags}`,
      ],
      { env: { ...process.env, CHROME_PATH: chromiumPath }, maxBuffer: 64 * 1024 * 1024, timeout: 120_000 },
    );
    rated.push(readRating(address, JSON.parse(stdout) as Report));
  }
  return rated;
}

function readRating(address: string, report: Report): PageRating {
  const ratings = Object.fromEntries(
    categories.map((name) => [name, Math.round((report.categories[name]?.score ?? 0) * 100)]),
  ) as PageRating['ratings'];
  const failed = Object.values(report.categories)
    .flatMap(({ auditRefs }) => auditRefs)
    .filter(({ id, weight }) => weight > 0 && (report.audits[id]?.score ?? 1) < 0.9)
    .map(({ id }) => report.audits[id]?.title ?? id);
  return { address, ratings, failed };
}
