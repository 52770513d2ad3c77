import type { Issue } from '../issue.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { en } from './locales/en.ts';
import { zh } from './locales/zh.ts';

/** Languages of issue descriptions: English and simplified Chinese. */
export type IssueLocale = 'en' | 'zh';

/** Options of `describeIssues`. */
export interface DescribeIssuesOptions {
  /** Default `en`. */
  readonly locale?: IssueLocale;
}

/** All languages. To add one, add a file and a line here. */
const catalogues: Readonly<Record<IssueLocale, Catalogue>> = { en, zh };

/**
 * Renders issues as a model reads them after a refused call: one line per issue with its path, what was expected, what
 * was received and, if known, a valid example. Contains no class names and does not repeat the arguments.
 */
export function describeIssues(issues: readonly Issue[], { locale = 'en' }: DescribeIssuesOptions = {}): string {
  const catalogue = Object.hasOwn(catalogues, locale) ? catalogues[locale] : en;
  return issues.map((issue) => describeIssue(issue, catalogue)).join('\n');
}

function describeIssue(issue: Issue, catalogue: Catalogue): string {
  const { path, code, expected, example } = issue;
  // An example that only repeats the expectation adds nothing.
  const isRepeated = example === undefined || code === 'const' || example === expected;
  return catalogue.line({
    path,
    expected: catalogue.expected(issue),
    received: catalogue.received(issue),
    ...(isRepeated ? {} : { example }),
  });
}
