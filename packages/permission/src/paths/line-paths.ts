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

/** The folders that the line may be in: where it starts, and wherever it changes to. */
export function listFolders({ commands }: ExpandedShell, cwd: string, uncertainties: Set<string>): readonly string[] {
  const folders = [cwd];
  const enter = (target: RunWord | undefined): void => {
    if (!target) return;
    if (!target.isKnown || target.glob !== undefined || target.text === '-' || folders.length >= maxFolders) {
      uncertainties.add('it changes to a folder that can not be told');
      return;
    }
    for (const folder of folders.slice()) {
      const next = resolvePath(folder, withoutTilde(target.text, folder, uncertainties));
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

/** What can't be an option or a value of another kind. */
function isFolderName(text: string): boolean {
  return text !== '' && text.length < 1_000 && !/^[-+]|[=:\s]/.test(text);
}

/** `~+` is the folder that the line is in; `~-` and numbers mean folders that it was in. */
function withoutTilde(text: string, folder: string, uncertainties?: Set<string>): string {
  if (/^~\+(?=\/|$)/.test(text)) return folder + text.slice(2);
  if (/^~(?:-|[-+]?\d+)(?=\/|$)/.test(text)) uncertainties?.add('it changes to a folder that can not be told');
  return text;
}

/** The paths a word may mean: itself, what follows the `=` of an option, the `@` or `<` of an upload or the `:` of a copy. */
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
    // A pattern in quotes is looked for, not opened.
    (part) =>
      part !== '' && part.length < 4_096 && !/[|(){}<>;"'\n]/.test(part) && !(hasQuotedPattern && /[*?[]/.test(part)),
  );
  return parts.flatMap((part) => {
    const named = part.endsWith('*') ? [part, part.replace(/\*+$/, '')] : [part];
    return named.flatMap((path) => inOtherFolders(withoutTilde(path, folder), folders));
  });
}

/** `$PWD` is known as the folder that the line starts in; behind a `cd` it is another one. `~-` and `~1` are one of them. */
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

/** The file of `-ofile` and `if=file`, which has no sign before it. */
function joinedToOption(text: string): readonly string[] {
  const joined = /^-[A-Za-z](?=[./~\w])(.+)$/s.exec(text)?.[1];
  return joined === undefined ? [] : [joined];
}

const givesPattern = compileOptions({ pattern: '-e= -f= --regexp= --file= --files= --type-list= --query=' });

/** The index of the word that is a question to a document, such as `.env` for `jq` or `grep`, and no file; -1 for none. */
export function findQuestion({ program, args }: RunCommand): number {
  if (asksDocuments.test(program)) {
    const first = args.findIndex(({ text }) => !text.startsWith('-'));
    return /^--?(?:f|from-file|rawfile|slurpfile|argfile)$/.test(args[first - 1]?.text ?? '') ? -1 : first;
  }
  if (!asksLines.test(program) || hasOption(args, givesPattern)) return -1;
  // A number behind `-A`, `-B`, `-C` or `-m` is the option's; any other word in front is the pattern.
  return args.findIndex(
    ({ text }, place) =>
      !text.startsWith('-') && !(/^\d+$/.test(text) && /^-\w*[ABCm]$/.test(args[place - 1]?.text ?? '')),
  );
}

const asksDocuments = /^(?:jq|yq|gojq|jaq)$/;
const asksLines = /^(?:[efg]?grep|rg)$/;
