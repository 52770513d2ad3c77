import { describe, expect, it } from 'vitest';

import { asExamplePages, listApiExamplesOf } from './api-examples.ts';
import { listExamplePages, readExamplePage } from './example-pages.ts';
import { findExampleTypeErrors } from './example-types.ts';
import { assertNoProblems, describeProblems } from './problem.ts';
import { readPublishedPackages } from './workspace.ts';

const page = (code: string, info = 'ts') => ({
  path: 'README.md',
  folder: 'tooling/checks',
  text: `# A\n\n\`\`\`${info}\n${code}\n\`\`\`\n`,
});

describe(
  'the examples of pages and of documentation comments, compiled with strict options',
  { timeout: 120_000 },
  () => {
    it('compile', () => {
      const comments = readPublishedPackages().flatMap((each) => asExamplePages(each.folder, listApiExamplesOf(each)));
      expect(comments.length).toBeGreaterThan(100);
      assertNoProblems(findExampleTypeErrors([...listExamplePages().map(readExamplePage), ...comments]));
    });

    it('are rejected with the line of the mistake', () => {
      const text = describeProblems(
        findExampleTypeErrors([page(`import { toLf } from '@haft/sandbox';\nconst a: number = toLf('');`)]),
      );
      expect(text).toContain('- README.md:5: the example does not compile under strict (TS2322');
    });

    it('are required: a check without examples fails', () => {
      expect(() => findExampleTypeErrors([page('const a = 1;', 'js')])).toThrow('no example to compile');
    });
  },
);
