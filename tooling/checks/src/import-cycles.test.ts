import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { repositoryRoot } from './workspace.ts';

/** Lints files with the configuration of the repository and returns the rules that they break. */
function lint(files: Readonly<Record<string, string>>): readonly string[] {
  const directory = mkdtempSync(join(tmpdir(), 'haft-cycles-'));
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    const oxlint = join(repositoryRoot, 'node_modules', 'oxlint', 'bin', 'oxlint');
    const config = join(repositoryRoot, '.oxlintrc.json');
    const { stdout, stderr } = spawnSync(process.execPath, [oxlint, '-c', config, '--format=json', directory], {
      encoding: 'utf8',
    });
    if (stdout === '') throw new Error(`oxlint printed nothing: ${stderr}`);
    const { diagnostics } = JSON.parse(stdout) as { readonly diagnostics: readonly { readonly code: string }[] };
    return diagnostics.map(({ code }) => code);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

describe('the lint rule against import cycles', () => {
  it('rejects two files that import each other', () => {
    const found = lint({
      'a.ts': `import { b } from './b.ts';\nexport const a = (): unknown => b;\n`,
      'b.ts': `import { a } from './a.ts';\nexport const b = (): unknown => a;\n`,
    });
    expect(found).toContain('import(no-cycle)');
  });

  it('rejects a cycle in which one import is of types only', () => {
    const found = lint({
      'a.ts': `import { b } from './b.ts';\nexport interface A {\n  readonly b: typeof b;\n}\n`,
      'b.ts': `import type { A } from './a.ts';\nexport const b = (value: A): A => value;\n`,
    });
    expect(found).toContain('import(no-cycle)');
  });

  it('accepts imports in one direction', () => {
    const found = lint({
      'a.ts': `import { b } from './b.ts';\nexport const a = (): number => b;\n`,
      'b.ts': `export const b = 1;\n`,
    });
    expect(found).not.toContain('import(no-cycle)');
  });
});
