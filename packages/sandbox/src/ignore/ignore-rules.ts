import { basename, join, parse, relative, sep } from 'node:path';
import { locate, type Roots } from '../paths/confine.ts';
import { readConfinedFile } from '../files/confined-read.ts';
import { openConfinedDirectory } from '../files/directory-handle.ts';
import { findRealPath, isInside } from '../paths/real-path.ts';
import { decodeText } from '../text/text-encoding.ts';
import { readIgnoreFile, type IgnoreFile } from './ignore-file.ts';

/** The ignore files that hold for a folder: its own and those of the folders above it. */
export interface IgnoreRules {
  /** Whether an entry directly in this folder is ignored. */
  ignores(name: string, isDirectory: boolean): boolean;
  /** The rules of a folder in this one. */
  enter(name: string, folder: ListedDirectory): IgnoreRules | Promise<IgnoreRules>;
}

/** A folder whose entries are known. */
export interface ListedDirectory {
  readonly path: string;
  /** Those of its entries that {@link isIgnoreFile}. */
  readonly sources: readonly string[];
}

/** What a folder's ignore files of one kind say, the innermost last. */
interface Layer {
  readonly rules: IgnoreFile;
  /** From the folder of the ignore file to the current one, `a/b/`, or empty. */
  readonly prefix: string;
}

/** By kind, in the order in which they decide: the first kind that says anything. */
type Layers = readonly [rgignore: readonly Layer[], ignore: readonly Layer[], gitignore: readonly Layer[]];

const kinds = ['.rgignore', '.ignore', '.gitignore'] as const;
/** Version control's own folder, which is nobody's text. */
const repositoryFolder = '.git';
// Dependencies flood every answer, also where no file ignores them.
const alwaysIgnored: ReadonlySet<string> = new Set([repositoryFolder, 'node_modules']);
const largestFile = 1_000_000;
const sources: readonly string[] = [...kinds, repositoryFolder];

/** Whether an entry of that name has a say in what is ignored: an ignore file, or the top of a repository. */
export function isIgnoreFile(name: string): boolean {
  return name.startsWith('.') && sources.includes(name);
}

/** Rules that keep out nothing but version control's own folder. */
export const noIgnoreRules: IgnoreRules = {
  ignores: (name) => name === repositoryFolder,
  enter: () => noIgnoreRules,
};

/**
 * Reads the rules for a folder: every `.gitignore`, `.ignore` and `.rgignore` from the top of its repository down, and the
 * repository's `info/exclude`. A folder that is itself ignored was named on purpose: the rules above it don't count.
 */
export async function loadIgnoreRules(roots: Roots, folder: string): Promise<IgnoreRules> {
  const [top, ...below] = listFromRepository(roots, folder);
  let rules = await startRules(roots, top ?? { path: folder, sources: kinds });
  for (const next of below) {
    const name = basename(next.path);
    rules = rules.ignores(name, true) ? await startRules(roots, next) : await rules.enter(name, next);
  }
  return rules;
}

/** The folders from the top of a folder's repository, or from the root that holds it, down to the folder: found in one walk. */
function listFromRepository(roots: Roots, folder: string): readonly ListedDirectory[] {
  const place = locate(roots, folder, true);
  const top = place.ok ? outermostRoot(roots, place.path) : undefined;
  if (!place.ok || top === undefined) return [];
  const folders: ListedDirectory[] = [];
  const pending = relative(top, place.path)
    .split(sep)
    .filter((name) => name !== '')
    .toReversed();
  let open = openConfinedDirectory(roots, top, { expectedPath: top });
  while (open.ok) {
    const looks = open.stat(sources);
    const own = sources.filter((_, index) => looks[index] !== undefined);
    if (own.includes(repositoryFolder)) folders.length = 0;
    folders.push({ path: open.path, sources: own });
    const name = pending.pop();
    const inner: ReturnType<typeof openConfinedDirectory> | undefined =
      name === undefined ? undefined : open.enter(name);
    open.close();
    if (inner === undefined) return folders;
    open = inner;
  }
  return [];
}

function outermostRoot(roots: Roots, folder: string): string | undefined {
  if (roots === 'unrestricted') return parse(folder).root;
  const holding = roots.flatMap((root) => {
    const found = findRealPath(root, true);
    return found.ok && isInside(found.path, folder) ? [found.path] : [];
  });
  return holding.toSorted((left, right) => left.length - right.length)[0];
}

function startRules(roots: Roots, folder: ListedDirectory): Promise<IgnoreRules> {
  return extend(roots, folder, [[], [], []]);
}

function createRules(roots: Roots, layers: Layers): IgnoreRules {
  const isEmpty = layers.every((kind) => kind.length === 0);
  const rules: IgnoreRules = {
    ignores(name, isDirectory) {
      if (isDirectory && alwaysIgnored.has(name)) return true;
      if (isEmpty) return false;
      for (const kind of layers) {
        // The innermost file that says anything decides.
        for (let index = kind.length - 1; index >= 0; index -= 1) {
          const { rules: file, prefix } = kind[index]!;
          const judged = file.judge(prefix, name, isDirectory);
          if (judged !== undefined) return judged === 'ignored';
        }
      }
      return false;
    },
    enter(name, folder) {
      if (isEmpty && folder.sources.length === 0) return rules;
      const [rgignore, ignore, gitignore] = layers;
      const inner: Layers = [
        moveDown(rgignore, name),
        moveDown(ignore, name),
        // What a repository ignores says nothing about the repositories in it.
        folder.sources.includes(repositoryFolder) ? [] : moveDown(gitignore, name),
      ];
      return folder.sources.length === 0 ? createRules(roots, inner) : extend(roots, folder, inner);
    },
  };
  return rules;
}

function moveDown(layers: readonly Layer[], name: string): readonly Layer[] {
  return layers.map(({ rules, prefix }) => ({ rules, prefix: `${prefix}${name}/` }));
}

async function extend(
  roots: Roots,
  folder: ListedDirectory,
  [rgignore, ignore, gitignore]: Layers,
): Promise<IgnoreRules> {
  const exclude = folder.sources.includes(repositoryFolder)
    ? await readRules(roots, join(join(join(folder.path, repositoryFolder), 'info'), 'exclude'))
    : undefined;
  const own = async (kind: (typeof kinds)[number]): Promise<readonly Layer[]> => {
    const rules = folder.sources.includes(kind) ? await readRules(roots, join(folder.path, kind)) : undefined;
    return rules ? [{ rules, prefix: '' }] : [];
  };
  return createRules(roots, [
    [...rgignore, ...(await own('.rgignore'))],
    [...ignore, ...(await own('.ignore'))],
    [...gitignore, ...(exclude ? [{ rules: exclude, prefix: '' }] : []), ...(await own('.gitignore'))],
  ]);
}

async function readRules(roots: Roots, path: string): Promise<IgnoreFile | undefined> {
  const file = await readConfinedFile(roots, path, { maxBytes: largestFile });
  return file.ok ? readIgnoreFile(decodeText(file.bytes).text) : undefined;
}
