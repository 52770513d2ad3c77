import { compileGlob } from '@haft/sandbox';
import type { TreeReading } from './protected-below.ts';
import type { RunCommand } from '../shell/run/run-command.ts';
import { gitCommandOf } from '../shell/programs/git-command.ts';
import { compileOptions, hasOption, type OptionTable } from '../shell/programs/read-options.ts';
import type { RunWord } from '../shell/run/run-word.ts';

/** A command that reads or changes whole folders, with those folders. */
export interface TreeReader {
  readonly reading: TreeReading;
  /** The words that may name folders. */
  readonly words: readonly RunWord[];
  /** True if the command works on its current folder when it names none. */
  readonly startsHere: boolean;
}

const searchers: ReadonlySet<string> = new Set('grep egrep fgrep zgrep ggrep gegrep rgrep rg ag ack ugrep'.split(' '));
const recursiveGrep = compileOptions({ tree: '-r -R -d --recursive --dereference-recursive --directories=' });
const hiddenSearch = compileOptions({ tree: '-u -. -a --hidden --no-ignore --unrestricted --all-types' });

/**
 * Programs that work on whole folders, either always or with one of these options. Programs of the last kind write to
 * their last word.
 */
const always: ReadonlySet<string> = new Set(
  'rsync tar bsdtar gtar star 7z 7za 7zr 7zz rar pax ditto robocopy xcopy rclone borg restic duplicity mv ln mount'.split(
    ' ',
  ),
);
const withOption: ReadonlyMap<string, OptionTable<'tree'>> = compileTables({
  cp: '-r -R -a --recursive --archive',
  gcp: '-r -R -a --recursive --archive',
  scp: '-r',
  zip: '-r -R --recurse-paths --recurse-patterns',
  diff: '-r --recursive',
  colordiff: '-r --recursive',
  sdiff: '-r --recursive',
  delta: '-r --recursive',
  cpio: '-o -p --create --pass-through',
  gsutil: '-r -R',
  gcloud: '-r -R --recursive',
  mc: '-r --recursive',
  gzip: '-r --recursive',
  zstd: '-r',
  kubectl: '--from-file=',
  fd: '-x -X --exec --exec-batch',
  fdfind: '-x -X --exec --exec-batch',
  docker: '-v --volume --mount',
  podman: '-v --volume --mount',
  nerdctl: '-v --volume --mount',
  'git diff': '--no-index',
  'git difftool': '--no-index',
  'git grep': '--no-index --untracked --no-exclude-standard',
  'git add': '-f --force',
  'git stash': '-a -u --all --include-untracked --only-untracked',
});
/** Subcommands that work on a whole folder. */
const withCommand: ReadonlyMap<string, RegExp> = new Map([
  ...'docker podman nerdctl kubectl oc buildah'.split(' ').map((name) => [name, /^(?:build|cp|bud)$/] as const),
  ['aws', /^(?:sync|--recursive)$/],
  ['gsutil', /^rsync$/],
  ['gcloud', /^rsync$/],
  ['mc', /^mirror$/],
  ...'python python3'.split(' ').map((name) => [name, /^(?:-m)?(?:zipfile|tarfile)$/] as const),
  ['hg', /^(?:archive|addremove)$/],
]);
/** All programs that may work on whole folders, in addition to search programs. */
const works: ReadonlySet<string> = new Set(['find', 'git', ...always, ...withOption.keys(), ...withCommand.keys()]);
const acts = /^-(?:exec|execdir|ok|okdir|delete|fprintf?|fls)/;
const lastIsWritten = /^(?:cp|gcp|mv|ln|ditto|mount)$/;
const targets = compileOptions({ target: '-t= --target-directory=' });

function compileTables(lists: Readonly<Record<string, string>>): ReadonlyMap<string, OptionTable<'tree'>> {
  return new Map(Object.entries(lists).map(([program, tree]) => [program, compileOptions({ tree })]));
}

/** Returns the folders that a command processes recursively, if any. */
export function readTreeReader({ program, args }: RunCommand): TreeReader | undefined {
  if (!works.has(program) && !searchers.has(program)) return undefined;
  const words = args.filter(({ text }) => !text.startsWith('-') || text.includes('='));
  if (searchers.has(program)) return readSearcher(program, args, words);
  if (program === 'find') return readFind(args, words);
  const git = program === 'git' ? gitCommandOf(args) : undefined;
  const options = withOption.get(git ? `git ${git.name}` : program);
  const command = withCommand.get(program);
  const isOne =
    always.has(program) ||
    (options !== undefined && hasOption(git ? git.args : args, options)) ||
    (command !== undefined && args.some(({ text }) => command.test(text)));
  if (!isOne || (git?.name === 'stash' && !takesUntracked(git.args))) return undefined;
  const isLastWritten = lastIsWritten.test(program) && !hasOption(args, targets) && words.length > 1;
  return {
    reading: { hidden: true },
    words: isLastWritten ? words.slice(0, -1) : git ? git.args.filter(({ text }) => !text.startsWith('-')) : words,
    startsHere: git !== undefined || program.startsWith('f') || /^(?:7z.*|pax|cpio|zip)$/.test(program),
  };
}

function readSearcher(program: string, args: readonly RunWord[], words: readonly RunWord[]): TreeReader | undefined {
  const isGrep = program.endsWith('grep') && program !== 'ugrep';
  if (isGrep && program !== 'rgrep' && !hasOption(args, recursiveGrep)) return undefined;
  const texts = args.map(({ text }) => text);
  const names = valuesAfter(texts, /^(?:--include|-g|--glob)$/, /^--(?:include|glob)=/);
  // A pattern that names a dotfile finds it even though the name begins with a dot.
  const isHidden = isGrep || hasOption(args, hiddenSearch) || names.some((pattern) => !pattern.startsWith('!'));
  return { reading: { hidden: isHidden, ...takesOf(names) }, words, startsHere: true };
}

function readFind(args: readonly RunWord[], words: readonly RunWord[]): TreeReader | undefined {
  return args.some(({ text }) => acts.test(text)) ? treeOfFind(args, words) : undefined;
}

/** Returns the files that a `find` command finds. */
export function treeOfFind(args: readonly RunWord[], words: readonly RunWord[] = args): TreeReader {
  const texts = args.map(({ text }) => text);
  // Operators other than "and" match more files than the names say.
  const isPlain = !texts.some((text) => /^(?:!|-not|-o|-or|,|\()$/.test(text));
  const names = isPlain ? valuesAfter(texts, /^-i?name$/) : [];
  return { reading: { hidden: true, links: true, ...takesOf(names) }, words, startsHere: true };
}

/**
 * Returns whether a `git stash` command may show or take files that git does not track. `git stash push -u` does not
 * count, because it leaves ignored files alone.
 */
function takesUntracked(args: readonly RunWord[]): boolean {
  return args.some(({ text }) => text === 'show' || /^(?:-\w*a|--al)/.test(text));
}

/** Restricts a tree to files with these names. */
export function takesOf(patterns: readonly string[]): Pick<TreeReading, 'takes'> {
  const globs = patterns.map((pattern) => compileGlob(lastOf(pattern.toLowerCase()), { braces: false }));
  if (globs.length === 0 || patterns.some((pattern) => pattern.startsWith('!')) || !globs.every((glob) => glob.ok))
    return {};
  return { takes: (name) => globs.some((glob) => glob.matches(name.toLowerCase())) };
}

/** Returns the last segment of a path pattern, which a file name has to match. */
function lastOf(pattern: string): string {
  const last = pattern.slice(pattern.lastIndexOf('/') + 1);
  return last === '' || last === '**' ? '*' : last;
}

function valuesAfter(texts: readonly string[], option: RegExp, joined?: RegExp): readonly string[] {
  return texts.flatMap((text, index) => {
    if (joined?.test(text)) return [text.slice(text.indexOf('=') + 1)];
    return option.test(text) ? texts.slice(index + 1, index + 2) : [];
  });
}
