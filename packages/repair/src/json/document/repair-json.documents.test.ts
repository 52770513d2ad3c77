import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';

const root = fileURLToPath(new URL('../../../../..', import.meta.url));

/** The configuration files of this repository, formatted alike. */
const documents = ['packages', 'apps', 'tooling'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:package|tsconfig)\.json$/.test(name) && !/node_modules|dist|fixtures/.test(name))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(root, folder, name), 'utf8')) as object),
);

/** Returns the texts that lack one of the lines that a pattern matches. */
function withoutLine(text: string, pattern: RegExp, comma: string): readonly string[] {
  const lines = text.split('\n');
  return lines.flatMap((line, index) => {
    if (!pattern.test(line)) return [];
    const before = `${lines[index - 1] ?? ''}${comma}`;
    return [[...lines.slice(0, index - 1), before, ...lines.slice(index + 1)].join('\n')];
  });
}

/** Returns the texts in which one match of a pattern is replaced. */
function replacedOnce(text: string, pattern: RegExp, by: string): readonly string[] {
  return [...text.matchAll(pattern)].map(
    ({ index, 0: found }) => text.slice(0, index) + found.replace(pattern, by) + text.slice(index + found.length),
  );
}

/** What models leave out of a document with a member on each line, and the lowest share that has to be read exactly. */
const damages: Readonly<Record<string, readonly [damaged: (text: string) => readonly string[], least: number]>> = {
  'a closing brace and its comma': [(text) => withoutLine(text, /^\s+\},$/, ''), 1],
  'a closing brace': [(text) => withoutLine(text, /^\s+\},$/, ','), 1],
  'a closing bracket and its comma': [(text) => withoutLine(text, /^\s+\],$/, ''), 1],
  'a closing bracket': [(text) => withoutLine(text, /^\s+\],$/, ','), 1],
  'an opening bracket': [(text) => replacedOnce(text, /: \[\n/g, ':\n'), 0.97],
  'a colon': [(text) => replacedOnce(text, /": /g, '" '), 1],
  'the last quote of a key': [(text) => replacedOnce(text, /": /g, ': '), 0.99],
  'the first quote of a key': [(text) => replacedOnce(text, /^(\s+)"(?=[^"]*": )/gm, '$1'), 0.99],
};

describe('documents with a member on each line', () => {
  it('are many', () => {
    expect(documents.length).toBeGreaterThan(40);
  });

  it.each(Object.entries(damages))('are read exactly without %s', (_, [damaged, least]) => {
    let [texts, exact] = [0, 0];
    for (const document of documents) {
      for (const text of damaged(JSON.stringify(document, null, 2))) {
        const result = repairJson(text);
        texts += 1;
        if (result.ok && JSON.stringify(result.value) === JSON.stringify(document)) exact += 1;
      }
    }
    expect(texts).toBeGreaterThan(80);
    expect(exact / texts).toBeGreaterThanOrEqual(least);
  });
});
