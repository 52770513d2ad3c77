import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { coercionCodes } from '@haft/schema';
import { describe, expect, it } from 'vitest';
import { explainCoercion, explainRepair } from './explain-repair.ts';

const repairSources = fileURLToPath(new URL('../../../repair/src/', import.meta.url));

const codePattern =
  /(?:code: |\b(?:replace|attempt)\(|\bnote\((?:machine, )?|\bcreateRepair\((?:text|''), )'([a-z]+(?:-[a-z]+)+)'/g;

/** Collects the codes of repairs from the source of `@haft/repair` and from its fixtures. */
function collectCodes(): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const path of globSync('**/*.ts', { cwd: repairSources })) {
    if (path.endsWith('.test.ts') || path.startsWith('fixtures')) continue;
    const text = readFileSync(`${repairSources}${path}`, 'utf8');
    for (const [, code = ''] of text.matchAll(codePattern)) codes.add(code);
  }
  for (const path of globSync('fixtures/*.json', { cwd: repairSources }))
    for (const [, list = ''] of readFileSync(`${repairSources}${path}`, 'utf8').matchAll(/"fixes":\s*\[([^\]]*)\]/g))
      for (const [, code = ''] of list.matchAll(/"([^"]+)"/g)) codes.add(code);
  return codes;
}

describe('explainRepair', () => {
  it('has a sentence for every code of a repair', () => {
    const codes = collectCodes();
    expect(codes.size).toBeGreaterThan(90);
    const unexplained = [...codes].filter((code) => explainRepair({ code, assumed: '' }).includes('by the repair'));
    expect(unexplained).toEqual([]);
  });

  it('names a code that it does not know', () => {
    expect(explainRepair({ code: 'new-code', assumed: '' })).toBe('The text was changed by the repair new-code.');
  });

  it('tells an omitted value from a constructor of a programming language', () => {
    expect(explainRepair({ code: 'other-value', assumed: '' })).toContain('more than one value');
    expect(explainRepair({ code: 'other-value', assumed: '{' })).toContain('constructor');
  });
});

describe('explainCoercion', () => {
  it('has a sentence for every code of a coercion', () => {
    const sentences = [...coercionCodes, 'preference'].map(explainCoercion);
    expect(sentences.filter((sentence) => sentence.includes('by the coercion'))).toEqual([]);
  });
});
