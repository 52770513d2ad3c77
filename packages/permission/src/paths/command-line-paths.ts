import { resolvePath } from '@haft/sandbox';
import { compileOptions, findValues, hasOption } from '../shell/programs/read-options.ts';
import type { ExpandedShell, RunCommand } from '../shell/run/run-command.ts';
import type { RunWord } from '../shell/run/run-word.ts';

const maxFolders = 8;
const maxParts = 20;
const changesFolder = /^(?:env|git|make|gmake|tar|bsdtar|gtar|sudo|ninja|npm|pnpm|yarn|cmake|just|systemd-run|go|bun)$/;
const folderOptions = compileOptions({
  folder: '-C= --chdir= --directory= --cwd= --prefix= --work-tree= --working-directory= --dir=',
});

const folderOptionsOfSudo = compileOptions({ folder: '-D= --chdir=' });

/** Returns the folders that the line may run in: the initial folder and every folder that it changes to. */
export function listFolders({ commands }: ExpandedShell, cwd: string, uncertainties: Set<string>): readonly string[] {
  const folders = [cwd];
  const enter = (target: RunWord | undefined): void => {
    if (!target) return;
    if (!target.isKnown || target.glob !== undefined || target.text === '-' || folders.length >= maxFolders) {
      uncertainties.add('it changes to an unknown folder');
      return;
    }
    for (const folder of folders.slice()) {
      const next = resolvePath({ cwd: folder, path: withoutTilde(target.text, folder, uncertainties) });
      if (!folders.includes(next) && folders.length < maxFolders) folders.push(next);
    }
  };
  for (const { program, args, isDirect } of commands) {
    if (isDirect && (program === 'cd' || program === 'pushd'))
      enter(args.find(({ text }) => !/^-[LPe@]+$/.test(text)) ?? { ...home, text: '~' });
    else if (
      changesFolder.test(program) &&
      args.length <= maxWords &&
      args.some(({ text }) => /^-[^-]*[CD]|^--[cdpw]/.test(text))
    )
      for (const word of findValues(args, program === 'sudo' ? folderOptionsOfSudo : folderOptions))
        if (isFolderName(word.text)) enter(word);
  }
  return folders;
}

const maxWords = 100;
const home: RunWord = { text: '~', isKnown: true, glob: undefined, hasQuotedPattern: false, nested: [] };

/** Returns whether a text can be a folder name, not an option or another kind of value. */
function isFolderName(text: string): boolean {
  return text !== '' && text.length < 1_000 && !/^[-+]|[=:\s]/.test(text);
}

/** `~+` is the current folder; `~-` and numbers are earlier folders. */
function withoutTilde(text: string, folder: string, uncertainties?: Set<string>): string {
  if (/^~\+(?=\/|$)/.test(text)) return folder + text.slice(2);
  if (/^~(?:-|[-+]?\d+)(?=\/|$)/.test(text)) uncertainties?.add('it changes to an unknown folder');
  return text;
}

/**
 * Returns the paths that a word may mean: the word itself, and the text after the `=` of an option, the `@` or `<` of
 * an upload, or the `:` of a copy.
 */
export function partsOf(
  { text, hasQuotedPattern }: RunWord,
  folder: string,
  folders: readonly string[],
): readonly string[] {
  const unquoted = /[@<]["']([^"']+)["']/.exec(text)?.[1];
  const all = [text, ...text.split(/[=@:,;<]/, maxParts).slice(1), ...joinedToOption(text)];
  if (unquoted !== undefined) all.push(unquoted);
  const file = /(?:^|[^a-z])file:(?:\/\/(?:localhost|127\.0\.0\.1)?)?(\/[^?#]*)/i.exec(text)?.[1];
  if (file !== undefined) all.push(decode(file));
  const parts = all.filter(
    // A quoted pattern is searched for, not opened.
    (part) =>
      part !== '' && part.length < 4_096 && !/[|(){}<>;"'\n]/.test(part) && !(hasQuotedPattern && /[*?[]/.test(part)),
  );
  return parts.flatMap((part) => {
    const named = part.endsWith('*') ? [part, part.replace(/\*+$/, '')] : [part];
    return named.flatMap((path) => inOtherFolders(withoutTilde(path, folder), folders));
  });
}

/**
 * `$PWD` is expanded to the initial folder. After a `cd` it is another folder, and `~-` and `~1` may be any of them.
 */
function inOtherFolders(path: string, folders: readonly string[]): readonly string[] {
  const before = /^~(?:-|[-+]?\d+)(?=\/|$)/.exec(path)?.[0];
  if (before !== undefined) return folders.map((folder) => folder + path.slice(before.length));
  const [start = '', ...others] = folders;
  if (others.length === 0 || !path.startsWith(`${start}/`)) return [path];
  return folders.map((folder) => folder + path.slice(start.length));
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

/** Returns the file of `-ofile` and `if=file`, which is joined to its option. */
function joinedToOption(text: string): readonly string[] {
  const joined = /^-[A-Za-z](?=[./~\w])(.+)$/s.exec(text)?.[1];
  return joined === undefined ? [] : [joined];
}

const givesPattern = compileOptions({ pattern: '-e= -f= --regexp= --file= --files= --type-list= --query=' });

/**
 * Returns the index of the word that is a query and not a file, such as `.env` for `jq` or `grep`. Returns -1 if no
 * word is a query.
 */
export function findQuestion({ program, args }: RunCommand): number {
  if (asksDocuments.test(program)) {
    const first = args.findIndex(({ text }) => !text.startsWith('-'));
    return /^--?(?:f|from-file|rawfile|slurpfile|argfile)$/.test(args[first - 1]?.text ?? '') ? -1 : first;
  }
  if (!asksLines.test(program) || hasOption(args, givesPattern)) return -1;
  // A number after `-A`, `-B`, `-C` or `-m` belongs to the option. The first other word is the pattern.
  return args.findIndex(
    ({ text }, place) =>
      !text.startsWith('-') && !(/^\d+$/.test(text) && /^-\w*[ABCm]$/.test(args[place - 1]?.text ?? '')),
  );
}

const asksDocuments = /^(?:jq|yq|gojq|jaq)$/;
const asksLines = /^(?:[efg]?grep|rg)$/;
