import { statSync } from 'node:fs';
import { resolvePath } from '@haft/sandbox';
import { expandCurlPattern } from '../paths/curl-path-patterns.ts';
import { expandGlob } from '../paths/expand-path-glob.ts';
import { readGitPaths, tracksProtected } from '../paths/git-paths.ts';
import { findQuestion, listFolders, partsOf } from '../paths/command-line-paths.ts';
import { createPathAliases } from '../paths/path-aliases.ts';
import type { ScanBudget } from '../paths/list-folder.ts';
import { findProtectedBelow } from '../paths/protected-below.ts';
import { secretFile, writtenFile, type ProtectedFinding, type Protection } from './judge-protection.ts';
import type { ExpandedShell, RunCommand } from '../shell/run/run-command.ts';
import { readsFileList } from '../shell/dangers/reads-file-list.ts';
import { readListedWords } from '../paths/listed-path-words.ts';
import { opensNothing } from '../shell/programs/programs.ts';
import type { RunWord } from '../shell/run/run-word.ts';
import { readTreeReader, type TreeReader } from '../paths/tree-readers.ts';
import { onlyReads, writtenWords } from '../shell/programs/written-words.ts';

/** How a command accesses a file that it names. */
export type Access = 'reads' | 'writes' | 'reads or writes';

/** Inspects words of a command line. */
export interface Look {
  at(word: RunWord, access: Access): Promise<ProtectedFinding | undefined>;
  atWords(run: RunCommand): Promise<ProtectedFinding | undefined>;
}

const maxEntries = 10_000;
const maxBefore = 20;
const maxPieces = 8;
const maxPaths = 1_500;

/**
 * Creates an inspector for the files that a command line names or finds. Adds uncertainties and risks to the given
 * sets.
 */
export function createLook(
  expanded: ExpandedShell,
  cwd: string,
  protection: Protection,
  uncertainties: Set<string>,
  risks: Set<string>,
): Look {
  const room: ScanBudget = { entries: maxEntries };
  const folders = listFolders(expanded, cwd, uncertainties);
  // The remaining words of a wrapper repeat the same words, and inspecting a word is expensive.
  const seen: Readonly<Record<Access, SeenTexts>> = {
    reads: createSeenTexts(),
    writes: createSeenTexts(),
    'reads or writes': createSeenTexts(),
  };
  const placesOf = createPathAliases(protection.secrets);
  const looked = new Map<string, 'none' | 'some' | 'too much'>();
  const kinds = new Map<string, PathKind>();
  let looks = 0;

  const isNew = ({ text, hasQuotedPattern }: RunWord, access: Access): boolean => {
    const texts = seen[access][hasQuotedPattern ? 'quoted' : 'plain'];
    if (texts.has(text)) return false;
    texts.add(text);
    return true;
  };
  const lookAt = async (word: RunWord, access: Access): Promise<ProtectedFinding | undefined> => {
    for (const folder of folders) {
      // Values that are already available are not awaited, because awaiting costs more than most inspections.
      const named = namedPaths(word, folder, folders);
      const paths = word.glob === undefined ? named : await withMatching(named, folder, word.glob, room);
      if (!paths) uncertainties.add(`too many paths match ${word.text.slice(0, 40)}`);
      for (const path of paths ?? []) {
        looks += 1;
        const glob = protection.secrets(path);
        if (glob !== undefined) return secretFile(word.text, glob);
        // Beyond this limit, only the name itself is checked.
        if (looks > maxPaths) uncertainties.add('it names too many files to check');
        const found = looks > maxPaths ? [path] : placesOf(path);
        for (const place of found instanceof Promise ? await found : found) {
          const secret = place === path ? undefined : protection.secrets(place);
          if (secret !== undefined) return secretFile(word.text, secret);
          const written = access === 'reads' ? undefined : protection.writes(place);
          // Everyone may read the system's own folders.
          if (access === 'reads or writes' && written !== undefined && !written.startsWith('/')) {
            uncertainties.add(`it may write ${word.text.slice(0, 40)}, which other programs run or trust`);
          }
          // Writing to /dev/null or a terminal does not change a file.
          if (access === 'writes' && written !== undefined && !/^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(path))
            return writtenFile(word.text, written);
        }
      }
    }
    return undefined;
  };

  const at = async (word: RunWord, access: Access): Promise<ProtectedFinding | undefined> =>
    isNew(word, access) ? lookAt(word, access) : undefined;

  const comesAcross = async (tree: TreeReader): Promise<boolean> => {
    for (const folder of folders) {
      if (tree.reading.isTracked === true) {
        if (tracksProtected(folder, protection.secrets, tree.reading.takes)) return true;
        continue;
      }
      for (const path of foldersOf(tree, folder, kinds)) {
        if (looked.get(path) === undefined || tree.reading.takes)
          looked.set(path, await findProtectedBelow(path, protection.secrets, tree.reading, room));
        if (looked.get(path) !== 'none') return true;
      }
    }
    return false;
  };

  const lookAtListed = async (run: RunCommand): Promise<void> => {
    const before = expanded.commands.filter(
      (other) => other.pipeline === run.pipeline && other.isDirect && other !== run,
    );
    const words = readListedWords(run, before.slice(0, maxBefore));
    if (words === 'unknown' || (words !== 'harmless' && (await comesAcross(words))))
      uncertainties.add('xargs gets unknown words');
  };

  const lookAtGit = async (run: RunCommand): Promise<ProtectedFinding | undefined> => {
    const git = readGitPaths(run, protection.secrets);
    if (!git) return undefined;
    for (const word of git.named) {
      const finding = await at(word, 'reads');
      if (finding) return finding;
    }
    if (git.fitsSecret) risks.add('git gets a pattern that matches files with secrets');
    if (git.readsAll && folders.some((folder) => tracksProtected(folder, protection.secrets)))
      risks.add('git has files that contain secrets, and may print them');
    return undefined;
  };

  /** Expands a curl URL pattern. */
  const unfold = (word: RunWord): readonly RunWord[] => {
    if (!/[{[]/.test(word.text)) return [word];
    const texts = expandCurlPattern(word.text);
    // Only URLs and upload names are patterns; any other text is data.
    if (!texts && /^\{?(?:f|[^a-z]*$)|file:/i.test(word.text)) risks.add('curl gets a pattern that may match any file');
    return [word, ...(texts ?? []).map((text) => ({ ...word, text, hasQuotedPattern: false }))];
  };

  return {
    at,
    async atWords(run) {
      if (readsFileList(run)) risks.add(`${run.program} reads file names from a list`);
      if (opensNothing.has(run.program)) return undefined;
      if (run.program === 'xargs') await lookAtListed(run);
      if (run.program === 'git') {
        const finding = await lookAtGit(run);
        if (finding || isCheckIgnore(run)) return finding;
      }
      const written = new Set(writtenWords(run));
      // After `--`, words that look like options are file names.
      const hasOperandsAlone = run.args.some(({ text }) => text === '--');
      const other = onlyReads(run) ? 'reads' : 'reads or writes';
      const question = findQuestion(run);
      for (let index = 0; index < run.args.length; index += 1) {
        const word = run.args[index]!;
        if (index === question || (!hasOperandsAlone && word.text.startsWith('-') && plainOption.test(word.text)))
          continue;
        const access = written.has(word) ? 'writes' : other;
        for (const own of run.program === 'curl' ? unfold(word) : [word]) {
          // Words that were already inspected are not awaited, because a hostile line may have a million of them.
          const finding = isNew(own, access) ? await lookAt(own, access) : undefined;
          if (finding) return finding;
        }
      }
      const tree = readTreeReader(run);
      if (tree && (await comesAcross(tree))) risks.add(`${run.program} works on everything in a folder, ${across}`);
      return undefined;
    },
  };
}

/** Texts of inspected words. Quoted and unquoted patterns are kept apart because they differ in meaning. */
interface SeenTexts {
  readonly plain: Set<string>;
  readonly quoted: Set<string>;
}

function createSeenTexts(): SeenTexts {
  return { plain: new Set(), quoted: new Set() };
}

/** An option without a value, so it does not name a file. */
const plainOption = /^-(?:[A-Za-z]|-[A-Za-z-]+)$/;

const across = 'including files with secrets, or more files than could be checked';

/** `git check-ignore .env` only asks about a name. */
function isCheckIgnore({ args }: RunCommand): boolean {
  return args[0]?.text === 'check-ignore';
}

/** Returns the paths that a word may mean in any of the folders of a line. */
function namedPaths(word: RunWord, folder: string, folders: readonly string[]): readonly string[] {
  return partsOf(word, folder, folders).map((part) => resolvePath({ cwd: folder, path: part }));
}

async function withMatching(
  paths: readonly string[],
  folder: string,
  glob: string,
  room: ScanBudget,
): Promise<readonly string[] | undefined> {
  const matching = await expandGlob(folder, glob, room);
  return matching && [...paths, ...matching];
}

type PathKind = 'folder' | 'other' | 'nothing';

/** Returns the folders that a command names, or its working directory if it names no existing folder. */
function foldersOf({ words, startsHere }: TreeReader, folder: string, kinds: Map<string, PathKind>): readonly string[] {
  const named = new Set<string>();
  for (const { text, isKnown, glob } of words) {
    if (!isKnown || glob !== undefined) continue;
    named.add(text);
    if (/[=:,]/.test(text))
      for (const part of text.split(/[=:,]/, maxPieces).slice(text.includes('=') ? 1 : 0)) named.add(part);
  }
  named.delete('');
  const there = [...named]
    .map((text) => resolvePath({ cwd: folder, path: text }))
    .filter((path) => kindOf(path, kinds) !== 'nothing');
  const isOpen = words.some(({ isKnown, glob }) => !isKnown || glob !== undefined);
  if (isOpen || (there.length === 0 && startsHere)) return [folder];
  return there.filter((path) => kindOf(path, kinds) === 'folder');
}

/** Looks up each path once, because a hostile line may repeat the same paths many times. */
function kindOf(path: string, kinds: Map<string, PathKind>): PathKind {
  const known = kinds.get(path);
  if (known !== undefined) return known;
  const kind = lookAtKind(path);
  kinds.set(path, kind);
  return kind;
}

function lookAtKind(path: string): PathKind {
  try {
    return statSync(path).isDirectory() ? 'folder' : 'other';
  } catch {
    return 'nothing';
  }
}
