import { compileGlob } from '@haft/sandbox';
import type { TreeReading } from '../paths/protected-below.ts';
import type { RunCommand } from './expand-commands.ts';
import type { RunWord } from './run-word.ts';

/** A command that reads or changes whole folders, and which. */
export interface TreeReader {
  readonly reading: TreeReading;
  /** The words that may name folders. */
  readonly words: readonly RunWord[];
  /** Where it names none, it works on the folder it stands in. */
  readonly startsHere: boolean;
}

const searchers = /^(?:[efz]?grep|rg|ag|ack|ugrep)$/;
const copiers: ReadonlyMap<string, RegExp> = new Map([
  ['cp', /^(?:-[a-zA-Z]*[rRa][a-zA-Z]*|--recursive|--archive)$/],
  ['scp', /^-[a-zA-Z]*r/],
  ['rsync', /^/],
  ['tar', /^/],
  ['zip', /^(?:-[a-zA-Z]*r|--recurse-paths)/],
  ['7z', /^/],
  ['find', /^-(?:exec|execdir|ok|okdir|delete|fprintf?|fls)/],
  ['fd', /^(?:-[xX]|--exec(?:-batch)?)$/],
  ['fdfind', /^(?:-[xX]|--exec(?:-batch)?)$/],
]);

/** Finds out whether a command works on whole folders, file by file. */
export function readTreeReader({ program, args }: RunCommand): TreeReader | undefined {
  const texts = args.map(({ text }) => text);
  const words = args.filter(({ text }) => !text.startsWith('-'));
  if (searchers.test(program)) {
    const isRecursive =
      !program.endsWith('grep') ||
      texts.some((text) => /^-[a-zA-Z]*[rR]|^--(?:dereference-)?recursive$|^-d$/.test(text));
    if (!isRecursive) return undefined;
    const hidden =
      program.endsWith('grep') ||
      texts.some((text) =>
        /^(?:-[a-zA-Z]*u+[a-zA-Z]*|-\.|--hidden|--no-ignore\S*|--unrestricted|--all-types|-a)$/.test(text),
      );
    return {
      reading: { hidden, ...takesOf(valuesAfter(texts, /^--include$/, /^--include=/)) },
      words,
      startsHere: true,
    };
  }
  const works = copiers.get(program);
  if (!works || !texts.some((text) => works.test(text))) return undefined;
  // What is joined by other than "and" takes more than its names say.
  const isPlain = program === 'find' && !texts.some((text) => /^(?:!|-not|-o|-or|,|\()$/.test(text));
  const names = isPlain ? valuesAfter(texts, /^-i?name$/) : [];
  return { reading: { hidden: true, ...takesOf(names) }, words, startsHere: program.startsWith('f') };
}

function takesOf(patterns: readonly string[]): Pick<TreeReading, 'takes'> {
  const globs = patterns.map((pattern) => compileGlob(pattern.toLowerCase(), { braces: false }));
  if (globs.length === 0 || !globs.every((glob) => glob.ok)) return {};
  return { takes: (name) => globs.some((glob) => glob.matches(name.toLowerCase())) };
}

function valuesAfter(texts: readonly string[], option: RegExp, joined?: RegExp): readonly string[] {
  return texts.flatMap((text, index) => {
    if (joined?.test(text)) return [text.slice(text.indexOf('=') + 1)];
    return option.test(text) ? texts.slice(index + 1, index + 2) : [];
  });
}
