import type { RunCommand } from '../shell/run/run-command.ts';
import { gitCommandOf } from '../shell/programs/git-command.ts';
import { opensNothing } from '../shell/programs/programs.ts';
import { readOptions, compileOptions } from '../shell/programs/read-options.ts';
import { isOpenSed } from '../shell/scripts/sed-script.ts';
import { takesOf, treeOfFind, type TreeReader } from './tree-readers.ts';

const options = compileOptions({
  plain:
    '-0 -r -t -x -n= -P= -L= -l? -s= -E= -I= -i? -d= --null --no-run-if-empty --max-args= --max-procs= --delimiter= --replace=? --verbose --max-lines=? --max-chars= --exit',
});

/** Programs that are safe for any file names: they print counts and names, but no file contents. */
const tellsNames: ReadonlySet<string> = new Set(
  'wc stat ls file du basename dirname realpath readlink md5sum sha1sum sha256sum cksum'.split(' '),
);
/** Programs that print, change or check the files that they are given. */
const takesFiles: ReadonlySet<string> = new Set(
  'cat head tail grep egrep fgrep rg nl less sed rm touch chmod cp mv git eslint prettier black ruff isort flake8 gofmt rustfmt clang-format shellcheck tsc biome stylelint oxlint oxfmt'.split(
    ' ',
  ),
);
const keepsLines = /^(?:grep|egrep|fgrep|head|tail|sort|uniq)$/;

/** The knowledge about the words that `xargs` receives from the commands before it. */
export type ListedWords =
  /** The program is harmless with any words. */
  | 'harmless'
  /** The words are names of files below a folder. */
  | TreeReader
  | 'unknown';

/**
 * Determines what an `xargs` runs and where its words come from. `before` holds the commands in front of it in its
 * pipeline.
 */
export function readListedWords({ args }: RunCommand, before: readonly RunCommand[]): ListedWords {
  const read = readOptions(args, options);
  if (read.options.some(({ effect }) => effect === undefined)) return 'unknown';
  let inner = read.operands;
  if (inner[0] === undefined || opensNothing.has(inner[0].text)) return 'harmless';
  if (/^(?:npx|bunx|pnpx)$/.test(inner[0].text)) inner = inner.slice(1);
  const [first, ...words] = inner;
  const program = first?.text ?? '';
  if (tellsNames.has(program) && !words.some(({ text }) => text.startsWith('--files0'))) return 'harmless';
  if (!takesFiles.has(program) || !words.every(({ isKnown }) => isKnown)) return 'unknown';
  if (program === 'git' && !/^(?:add|rm|diff|log|checkout)$/.test(words[0]?.text ?? '')) return 'unknown';
  if (program === 'sed' && isOpenSed({ ...noCommand, program, args: words })) return 'unknown';
  return treeOfList(before) ?? 'unknown';
}

const noCommand: Omit<RunCommand, 'program' | 'args'> = {
  written: '',
  isNamed: true,
  isDirect: false,
  command: { words: [], assignments: [], redirections: [], pipeline: 0 },
  pipeline: 0,
};

/** Returns the files that a pipeline lists, if every command in it is known to list files of a folder. */
function treeOfList(before: readonly RunCommand[]): TreeReader | undefined {
  const [lister, ...others] = before;
  if (
    !lister ||
    !others.every(
      ({ program, args }) => keepsLines.test(program) && !args.some(({ text }) => /^-[a-zA-Z]*o|^--only/.test(text)),
    )
  )
    return undefined;
  const { program, args } = lister;
  if (args.some(({ isKnown }) => !isKnown)) return undefined;
  if (program === 'find')
    return args.some(({ text }) => /^-(?:printf|fprint|exec|ok|files0)/.test(text)) ? undefined : treeOfFind(args);
  if (program !== 'git') return undefined;
  const { name, args: rest } = gitCommandOf(args);
  const isList =
    (name === 'ls-files' && !rest.some(({ text }) => /^-[a-z]*[oisu]|^--(?:o|i|s|f|d)/.test(text))) ||
    (/^(?:diff|show|log)$/.test(name) &&
      rest.some(({ text }) => text === '--name-only') &&
      rest.every(({ text }) => !/^--(?:format|pretty|no-index)/.test(text)));
  if (!isList) return undefined;
  const names = rest
    .filter(({ text }) => /^[\w*?./-]*\*\.\w+$/.test(text))
    .map(({ text }) => text.slice(text.lastIndexOf('/') + 1));
  return { reading: { hidden: true, isTracked: true, ...takesOf(names) }, words: [], startsHere: true };
}
