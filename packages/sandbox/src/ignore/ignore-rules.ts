import { basename, join, parse, relative, sep } from 'node:path';
import { locate, type Roots } from '../paths/confine.ts';
import { readConfinedFile } from '../files/confined-read.ts';
import { openConfinedDirectory } from '../files/directory-handle.ts';
import { findRealPath, isInside } from '../paths/real-path.ts';
import { decodeText } from '../text/text-encoding.ts';
import { readIgnoreFile, type IgnoreFile } from './ignore-file.ts';

/** The ignore rules of a directory: its own and those of the directories above it. */
export interface IgnoreRules {
  /** Returns true if an entry directly in this directory is ignored. */
  ignores(name: string, isDirectory: boolean): boolean;
  /** Returns the rules of a subdirectory. */
  enter(name: string, folder: ListedDirectory): IgnoreRules | Promise<IgnoreRules>;
}

/** A directory and its ignore files. */
export interface ListedDirectory {
  readonly path: string;
  /** The names of its entries for which {@link isIgnoreFile} returns true. */
  readonly sources: readonly string[];
}

/** An ignore file that applies to a directory. */
interface Layer {
  readonly rules: IgnoreFile;
  /** The path from the directory of the ignore file to the current one, `a/b/`, or empty. */
  readonly prefix: string;
}

/** Ignore files by kind, in order of precedence. Within a kind, the innermost file is last. */
type Layers = readonly [rgignore: readonly Layer[], ignore: readonly Layer[], gitignore: readonly Layer[]];

const kinds = ['.rgignore', '.ignore', '.gitignore'] as const;
/** The directory of version control. */
const repositoryFolder = '.git';
// Dependencies would flood every result, so they are ignored even without a rule.
const alwaysIgnored: ReadonlySet<string> = new Set([repositoryFolder, 'node_modules']);
const maxFileBytes = 1_000_000;
const sources: readonly string[] = [...kinds, repositoryFolder];

/**
 * Returns true if an entry with this name affects what is ignored: an ignore file, or the `.git` of a repository.
 *
 * @example
 * import { isIgnoreFile } from '@haft/sandbox';
 * isIgnoreFile('.gitignore'); // => true
 */
export function isIgnoreFile(name: string): boolean {
  return name.startsWith('.') && sources.includes(name);
}

/** Rules that ignore only the directory of version control. */
export const noIgnoreRules: IgnoreRules = {
  ignores: (name) => name === repositoryFolder,
  enter: () => noIgnoreRules,
};

/**
 * Loads the rules of a directory: every `.gitignore`, `.ignore` and `.rgignore` from the top of its repository down,
 * and the repository's `info/exclude`. If the directory itself is ignored, it was named on purpose, so the rules above
 * it do not apply.
 *
 * @example
 * import { mkdtemp, realpath, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { loadIgnoreRules } from '@haft/sandbox';
 * const root = await mkdtemp(join(await realpath(tmpdir()), 'work-'));
 * await writeFile(join(root, '.gitignore'), '*.log\n');
 * const rules = await loadIgnoreRules([root], root);
 * rules.ignores('debug.log', false); // => true
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

/** Returns the directories from the top of the repository, or from the root, down to `folder`, in one walk. */
function listFromRepository(roots: Roots, folder: string): readonly ListedDirectory[] {
  const location = locate(roots, folder, true);
  const top = location.ok ? findOutermostRoot(roots, location.path) : undefined;
  if (!location.ok || top === undefined) return [];
  const folders: ListedDirectory[] = [];
  const pending = relative(top, location.path)
    .split(sep)
    .filter((name) => name !== '')
    .toReversed();
  let open = openConfinedDirectory(roots, top, { expectedPath: top });
  while (open.ok) {
    const statuses = open.stat(sources);
    const own = sources.filter((_, index) => statuses[index] !== undefined);
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

function findOutermostRoot(roots: Roots, folder: string): string | undefined {
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
        // The innermost file with a matching rule decides.
        for (let index = kind.length - 1; index >= 0; index -= 1) {
          const { rules: file, prefix } = kind[index]!;
          const decision = file.match(prefix, name, isDirectory);
          if (decision !== undefined) return decision === 'ignored';
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
        // The rules of a repository do not apply to repositories inside it.
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
  const file = await readConfinedFile(roots, path, { maxBytes: maxFileBytes });
  return file.ok ? readIgnoreFile(decodeText(file.bytes).text) : undefined;
}
