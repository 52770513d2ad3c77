import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));

/** Files of this repository of a few kilobytes, with quotes and without escaped quotes. */
function filesIn(folder: string, end: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(end) && !name.includes('node_modules') && !name.includes('dist'))
    .sort()
    .map((name) => readFileSync(join(root, folder, name), 'utf8').replaceAll('\r', ''))
    .filter((text) => text.length < 6_000 && text.includes('"') && !text.includes('\\"'));
}

const files = [
  ...filesIn('docs', '.md'),
  ...filesIn('packages', 'package.json'),
  ...filesIn('packages/builtins/src', '.ts'),
  ...filesIn('packages/mcp/src', '.ts'),
  ...filesIn('packages/sandbox/src', '.ts'),
  ...filesIn('.github', '.yml'),
];

const withoutEscapes = (text: string): string => JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');

/** How models write a file as a value if they do not escape its quotes. */
const layouts: Readonly<Record<string, (text: string) => string>> = {
  'in the middle, a member on each line': (text) =>
    `{\n  "path": "a/b.x",\n  "content": "${withoutEscapes(text)}",\n  "mode": "create"\n}`,
  'at the end, a member on each line': (text) =>
    `{\n    "path": "a/b.x",\n    "mode": "create",\n    "content": "${withoutEscapes(text)}"\n}`,
  'on one line': (text) => `{"path": "a/b.x", "content": "${withoutEscapes(text)}", "mode": "create"}`,
};

describe('files with unescaped quotes', () => {
  it('are many', () => {
    expect(files.length).toBeGreaterThan(60);
  });

  it.each(Object.entries(layouts))('are read as they are, or as incomplete: %s', (_, layout) => {
    let exact = 0;
    let wrong = 0;
    for (const content of files) {
      const result = repairJson(layout(content));
      if (result.ok && contentOf(result.value) === content) exact += 1;
      else if (result.ok && result.complete) wrong += 1;
    }
    expect(exact / files.length).toBeGreaterThan(0.935);
    // Few files contain what can't be told from the object around them.
    expect(wrong / files.length).toBeLessThan(0.02);
  });

  it.each(Object.entries(layouts))('are read, but incomplete, wherever they were cut: %s', (_, layout) => {
    let refused = 0;
    for (const content of files) {
      const whole = layout(content);
      for (const share of [0.2, 0.5, 0.8]) {
        const cut = whole.slice(0, Math.floor(whole.length * share));
        const result = repairJson(cut);
        if (!result.ok) refused += 1;
        else expect({ cut, complete: result.complete }).toEqual({ cut, complete: false });
      }
    }
    expect(refused / files.length).toBeLessThan(0.03);
  });
});

function contentOf(value: unknown): unknown {
  return (value as { readonly content?: unknown }).content;
}
