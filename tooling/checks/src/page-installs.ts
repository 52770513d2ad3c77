import { listCodeBlocks } from './code-blocks.ts';
import type { ExamplePage } from './example-types.ts';
import type { Problem } from './problem.ts';

const withoutVersion = (word: string): string => word.replace(/(?<=.)@[\^~]?\d.*$/, '');

/** Finds packages that the programs of a page import, and its `npm install` lines forget. Skips pages without such a line. */
export function findForgottenInstalls({ path, text }: Pick<ExamplePage, 'path' | 'text'>): readonly Problem[] {
  const blocks = listCodeBlocks(text);
  const lines = blocks.filter(({ language }) => language === 'sh').flatMap(({ code }) => code.split('\n'));
  const commands = lines.filter((line) => line.startsWith('npm install '));
  if (commands.length === 0) return [];
  const installed = new Set(commands.flatMap((line) => line.replace(/ #.*/, '').split(/\s+/)).map(withoutVersion));
  const programs = blocks.filter(({ language, note }) => language === 'ts' && note === '');
  const imported = programs.flatMap(({ code }) =>
    [...code.matchAll(/ from '([^'.][^']*)'/g)].map(([, from = '']) => from),
  );
  const names = imported
    .filter((from) => !from.startsWith('node:'))
    .map((from) =>
      from
        .split('/')
        .slice(0, from.startsWith('@') ? 2 : 1)
        .join('/'),
    );
  return [...new Set(names)]
    .filter((name) => !installed.has(name))
    .map((name) => ({ where: path, what: `its programs import ${name}`, remedy: 'Add it to the `npm install` line' }));
}
