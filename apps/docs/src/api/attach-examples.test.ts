import { describe, expect, it } from 'vitest';

import { findProgram, listPrograms } from './attach-examples.ts';

const text = (...programs: readonly string[]): string =>
  programs.map((program) => `Words.\n\n\`\`\`ts\n${program}\n\`\`\`\n`).join('\n');
const page = (written: string) => listPrograms({ title: 'Undo', address: '/guides/undo/', text: written });

describe('the examples that the API reference takes from pages', () => {
  it('are the blocks that run', () => {
    const written = `${text('run();')}\n\`\`\`ts no-run: it needs a key\nask();\n\`\`\`\n`;
    expect(page(written)).toEqual([{ title: 'Undo', address: '/guides/undo/', code: 'run();\n' }]);
  });

  it('belong to a function that they import, and the shortest wins', () => {
    const long = "import { a, undo } from '@haft/journal';\nundo(a);\nundo(a);";
    const short = "import { undo } from '@haft/journal/testing';\nundo();";
    const programs = page(text(long, short, "import { undo } from '@haft/other';"));
    expect(findProgram(programs, '@haft/journal', 'undo')?.code).toBe(`${short}\n`);
    expect(findProgram(programs, '@haft/journal', 'a')?.code).toBe(`${long}\n`);
    expect(findProgram(programs, '@haft/journal', 'und')).toBeUndefined();
  });
});
