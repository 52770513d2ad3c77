import { statSync } from 'node:fs';
import { resolvePath } from '@haft/sandbox';
import { expandGlob } from './paths/expand-glob.ts';
import { listPlaces } from './paths/list-places.ts';
import type { LookingRoom } from './paths/look-around.ts';
import { findProtectedBelow } from './paths/protected-below.ts';
import type { ProtectedPaths } from './paths/protected-paths.ts';
import { secretFile, writtenFile, type ProtectedFinding, type Protection } from './protection.ts';
import { findDestructiveIn } from './shell/destructive-commands.ts';
import { findDoubts } from './shell/doubts.ts';
import { findLosses } from './shell/find-losses.ts';
import { expandCommands, type ExpandedShell, type RunCommand } from './shell/expand-commands.ts';
import { opensNothing } from './shell/programs.ts';
import type { RunWord } from './shell/run-word.ts';
import { readTreeReader, type TreeReader } from './shell/tree-readers.ts';
import { onlyReads, writtenWords } from './shell/written-words.ts';

/** What is known of a command line before it runs. */
export interface CommandJudgement {
  /** Why it is never run, when it is not. */
  readonly finding?: ProtectedFinding;
  /** What of it can't be told from its text, for people. */
  readonly doubts: readonly string[];
  /** What it would destroy or stop for good, for people. */
  readonly losses: readonly string[];
  /** How it would come across secrets that it does not name. */
  readonly risks: readonly string[];
}

/** Looks at what a command line would run and touch; files are looked for on the disk, and nothing is run. */
async function judgeCommand(line: string, cwd: string, protection: Protection): Promise<CommandJudgement> {
  const expanded = expandCommands(line, { cwd, home: protection.home });
  const destructive = findDestructiveIn(expanded, line, protection.home);
  if (destructive) {
    const reason = `this command is never run: ${destructive.reason}`;
    const hint = 'Name exactly what to change, inside the working directory.';
    return { finding: { ruleKey: destructive.key, reason, hint }, doubts: [], losses: [], risks: [] };
  }
  const doubts = new Set(findDoubts(expanded));
  const risks = new Set<string>();
  const look = createLook(expanded, cwd, protection, doubts, risks);
  for (const { operator, target } of expanded.redirections) {
    // `2>&1` names an open file; `>& x` writes x.
    const isOpen = operator.endsWith('&') && /^(?:\d+-?|-)$/.test(target.text);
    const finding = await look.at(target, operator.includes('>') && !isOpen ? 'writes' : 'reads');
    if (finding) return { finding, doubts: [], losses: [], risks: [] };
  }
  for (const run of expanded.commands) {
    const finding = await look.atWords(run);
    if (finding) return { finding, doubts: [], losses: [], risks: [] };
  }
  return { doubts: [...doubts], losses: findLosses(expanded), risks: [...risks] };
}

/** Looks at all that a call may run, the first reason to refuse it first. */
export async function judgeCommands(
  lines: readonly string[],
  cwd: string,
  protection: Protection,
): Promise<CommandJudgement> {
  const doubts: string[] = [];
  const losses: string[] = [];
  const risks: string[] = [];
  for (const line of lines) {
    const judged = await judgeCommand(line, cwd, protection);
    if (judged.finding) return judged;
    doubts.push(...judged.doubts);
    losses.push(...judged.losses);
    risks.push(...judged.risks);
  }
  return { doubts, losses, risks };
}

/** What a command does with a file that it names. */
type Access = 'reads' | 'writes' | 'reads or writes';

interface Look {
  at(word: RunWord, access: Access): Promise<ProtectedFinding | undefined>;
  atWords(run: RunCommand): Promise<ProtectedFinding | undefined>;
}

const mostEntries = 10_000;
const mostFolders = 8;
const mostPaths = 1_500;

function createLook(
  expanded: ExpandedShell,
  cwd: string,
  protection: Protection,
  doubts: Set<string>,
  risks: Set<string>,
): Look {
  const room: LookingRoom = { entries: mostEntries };
  const folders = listFolders(expanded, cwd, doubts);
  // The same words stand in every rest of a wrapper's words, and looking at one costs.
  const seen = new Set<string>();
  let looks = 0;

  const isNew = (word: RunWord, access: Access): boolean => {
    const key = `${access} ${word.hasQuotedPattern ? 'q' : ''}${word.text}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  const at = async (word: RunWord, access: Access): Promise<ProtectedFinding | undefined> => {
    if (!isNew(word, access)) return undefined;
    for (const folder of folders) {
      const paths = await pathsOf(word, folder, room);
      if (!paths) doubts.add(`too much fits ${word.text.slice(0, 40)}`);
      for (const path of paths ?? []) {
        looks += 1;
        // Beyond that, only what a name itself tells is seen.
        if (looks > mostPaths) doubts.add('it names too many files to look at');
        for (const place of looks > mostPaths ? [path] : await listPlaces(path, protection.secrets)) {
          const secret = protection.secrets(place);
          if (secret !== undefined) return secretFile(word.text, secret);
          const written = access === 'reads' ? undefined : protection.writes(place);
          // The system's own folders are read by everybody.
          if (access === 'reads or writes' && written !== undefined && !written.startsWith('/')) {
            doubts.add(`it can't be told whether it writes ${word.text.slice(0, 40)}, which others run or trust`);
          }
          // Writing to /dev/null is no writing.
          if (access === 'writes' && written !== undefined && !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path))
            return writtenFile(word.text, written);
        }
      }
    }
    return undefined;
  };

  return {
    at,
    async atWords(run) {
      if (opensNothing.has(run.program)) return undefined;
      const written = new Set(writtenWords(run));
      const other = onlyReads(run) ? 'reads' : 'reads or writes';
      for (const [index, word] of run.args.entries()) {
        if (isQuestion(run, index)) continue;
        const finding = await at(word, written.has(word) ? 'writes' : other);
        if (finding) return finding;
      }
      if (run.isDirect) await lookBelow(run, folders, protection.secrets, room, risks);
      return undefined;
    },
  };
}

/** The folders that the line may be in: where it starts, and wherever it changes to. */
function listFolders({ commands }: ExpandedShell, cwd: string, doubts: Set<string>): readonly string[] {
  const folders = [cwd];
  for (const { program, args, isDirect } of commands) {
    if (!isDirect || (program !== 'cd' && program !== 'pushd')) continue;
    const target = args.find(({ text }) => !/^-[LPe@]+$/.test(text)) ?? { text: '~', isKnown: true, glob: undefined };
    if (!target.isKnown || target.glob !== undefined || target.text === '-' || folders.length >= mostFolders) {
      doubts.add('it changes to a folder that can not be told');
      continue;
    }
    for (const folder of folders.slice()) {
      const next = resolvePath(folder, target.text);
      if (!folders.includes(next) && folders.length < mostFolders) folders.push(next);
    }
  }
  return folders;
}

const mostParts = 20;

/** The paths a word may mean: itself, what follows the `=` of an option, the `@` or `<` of an upload or the `:` of a copy; or what its pattern matches. */
async function pathsOf(word: RunWord, folder: string, room: LookingRoom): Promise<readonly string[] | undefined> {
  const { text, glob, hasQuotedPattern } = word;
  const parts = [text, ...text.split(/[=@:,;<]/, mostParts).slice(1), ...joinedToOption(text)].filter(
    // A pattern in quotes is looked for, not opened.
    (part) =>
      part !== '' && part.length < 4_096 && !/[|(){}<>;"'\n]/.test(part) && !(hasQuotedPattern && /[*?[]/.test(part)),
  );
  const named = parts.flatMap((part) => (part.endsWith('*') ? [part, part.replace(/\*+$/, '')] : [part]));
  const paths = named.map((part) => resolvePath(folder, part));
  if (glob === undefined) return paths;
  const matching = await expandGlob(folder, glob, room);
  return matching && [...paths, ...matching];
}

/** The file of `-ofile` and `if=file`, which has no sign before it. */
function joinedToOption(text: string): readonly string[] {
  const joined = /^-[A-Za-z](?=[./~\w])(.+)$/s.exec(text)?.[1];
  return joined === undefined ? [] : [joined];
}

/** Whether a word is a question to a document, such as `.env` for `jq`, and no file. */
function isQuestion({ program, args }: RunCommand, index: number): boolean {
  if (!/^(?:jq|yq|gojq|jaq)$/.test(program)) return false;
  const first = args.findIndex(({ text }) => !text.startsWith('-'));
  return index === first && !/^--?(?:f|from-file|rawfile|slurpfile|argfile)$/.test(args[index - 1]?.text ?? '');
}

async function lookBelow(
  run: RunCommand,
  folders: readonly string[],
  isProtected: ProtectedPaths,
  room: LookingRoom,
  risks: Set<string>,
): Promise<void> {
  const tree = readTreeReader(run);
  if (!tree) return;
  for (const folder of folders) {
    for (const path of foldersOf(tree, folder)) {
      const found = await findProtectedBelow(path, isProtected, tree.reading, room);
      if (found === 'none') continue;
      const what = found === 'too much' ? 'more than could be looked at' : 'also on files that hold secrets';
      risks.add(`${run.program} works on everything in a folder, ${what}`);
      return;
    }
  }
}

/** The folders that a command names; where it names nothing that is there, the one it stands in. */
function foldersOf({ words, startsHere }: TreeReader, folder: string): readonly string[] {
  const named = words
    .filter(({ isKnown, glob }) => isKnown && glob === undefined)
    .map(({ text }) => resolvePath(folder, text));
  const there = named.map((path) => ({ path, kind: kindOf(path) })).filter(({ kind }) => kind !== undefined);
  const isOpen = words.some(({ isKnown, glob }) => !isKnown || glob !== undefined);
  if (isOpen || (there.length === 0 && startsHere)) return [folder];
  return there.filter(({ kind }) => kind === 'folder').map(({ path }) => path);
}

function kindOf(path: string): 'folder' | 'other' | undefined {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch {
    return undefined;
  }
}
