import { describe, expect, it } from 'vitest';

import { listExamplePages, readExamplePage } from './example-pages.ts';
import { findForgottenInstalls } from './page-installs.ts';
import { assertNoProblems, describeProblems } from './problem.ts';

const page = (command: string, program: string): { readonly path: string; readonly text: string } => ({
  path: 'docs/guides/a.md',
  text: `# A\n\n\`\`\`sh\n${command}\n\`\`\`\n\n\`\`\`ts\n${program}\n\`\`\`\n`,
});
const problemsOf = (command: string, program: string): string =>
  describeProblems(findForgottenInstalls(page(command, program)));

describe('the guides', () => {
  it('install everything that their programs import', () => {
    const guides = listExamplePages().filter(({ path }) => /^docs\/(?:guides|start)\//.test(path));
    expect(guides.length).toBeGreaterThan(13);
    assertNoProblems(guides.map(readExamplePage).flatMap(findForgottenInstalls));
  });

  it('are rejected if a package is missing from the command', () => {
    const program = "import { z } from 'zod';\nimport { a } from '@haft/core/events';\nimport { b } from './b.ts';";
    expect(problemsOf('npm install zod@^4 @haft/core # the rest', program)).toBe('');
    expect(problemsOf('npm install zod', program)).toBe(
      '- docs/guides/a.md: its programs import @haft/core. Add it to the `npm install` line.',
    );
  });

  it('may leave the command out', () => {
    expect(problemsOf('node a.ts', "import { z } from 'zod';")).toBe('');
  });
});
