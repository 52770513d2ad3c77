import type { Issue } from '../issue.ts';
import type { Catalogue } from './locales/catalogue.ts';
import { en } from './locales/en.ts';
import { zh } from './locales/zh.ts';

/** The languages that issues can be described in: English and simplified Chinese. */
export type IssueLocale = 'en' | 'zh';

/** How issues are described. */
export interface DescribeIssuesOptions {
  /** Default `en`. */
  readonly locale?: IssueLocale;
}

/** Every language. Adding one is a file and a line here. */
const catalogues: Readonly<Record<IssueLocale, Catalogue>> = { en, zh };

/**
 * The text a model reads after a refused call: one line an issue with path, what was expected, what was received and,
 * where one is known, a valid example. Nothing else: no class names, no echo of the arguments.
 */
export function describeIssues(issues: readonly Issue[], { locale = 'en' }: DescribeIssuesOptions = {}): string {
  const catalogue = Object.hasOwn(catalogues, locale) ? catalogues[locale] : en;
  return issues.map((issue) => describeIssue(issue, catalogue)).join('\n');
}

function describeIssue(issue: Issue, catalogue: Catalogue): string {
  const { path, code, expected, example } = issue;
  // An example that only repeats what was expected teaches nothing.
  const isRepeated = example === undefined || code === 'const' || example === expected;
  return catalogue.line({
    path,
    expected: catalogue.expected(issue),
    received: catalogue.received(issue),
    ...(isRepeated ? {} : { example }),
  });
}
