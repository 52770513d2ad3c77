import { dirname, join } from 'node:path';
import { decodeText, readConfinedFile, statConfined, type Roots } from '@haft/sandbox';
import { readIgnoreFile, type IgnoreFile } from './ignore-file.ts';

/** The ignore files that hold for a folder: its own and those of the folders above it. */
export interface IgnoreRules {
  /** Whether an entry directly in this folder is ignored. */
  ignores(name: string, isDirectory: boolean): boolean;
  /** The rules of a folder in this one. */
  enter(name: string): Promise<IgnoreRules>;
}

interface Layer {
  readonly rules: IgnoreFile;
  /** From the folder of the ignore file to the current one, `a/b/`, or empty. */
  readonly prefix: string;
}

// Version control's own folder is nobody's text; dependencies flood every answer, also where no file ignores them.
const alwaysIgnored: ReadonlySet<string> = new Set(['.git', 'node_modules']);
const largestFile = 1_000_000;

/**
 * Reads the rules for a folder: every `.gitignore` from the top of its repository down, and the repository's
 * `info/exclude`. A folder that is itself ignored was named on purpose: the rules above it don't count.
 */
export async function loadIgnoreRules(roots: Roots, folder: string): Promise<IgnoreRules> {
  const folders = [folder];
  for (let at = folder; !(await statConfined(roots, join(at, '.git'))).ok;) {
    const above = dirname(at);
    if (above === at || !(await statConfined(roots, above)).ok) break;
    folders.unshift(above);
    at = above;
  }
  let rules = await startRules(roots, folders[0]!);
  for (const [index, next] of folders.slice(1).entries()) {
    const name = next.slice(folders[index]!.length).replaceAll(/[\\/]/g, '');
    const entered = await rules.enter(name);
    rules = rules.ignores(name, true) ? await startRules(roots, next) : entered;
  }
  return rules;
}

async function startRules(roots: Roots, folder: string): Promise<IgnoreRules> {
  const exclude = await readRules(roots, join(folder, '.git', 'info', 'exclude'));
  return createRules(roots, folder, await extend(roots, folder, exclude ? [{ rules: exclude, prefix: '' }] : []));
}

function createRules(roots: Roots, folder: string, layers: readonly Layer[]): IgnoreRules {
  return {
    ignores(name, isDirectory) {
      if (isDirectory && alwaysIgnored.has(name)) return true;
      // The innermost file that says anything decides.
      for (const { rules, prefix } of layers.toReversed()) {
        const judged = rules.judge(prefix + name, isDirectory);
        if (judged !== undefined) return judged === 'ignored';
      }
      return false;
    },
    async enter(name) {
      const inner = layers.map(({ rules, prefix }) => ({ rules, prefix: `${prefix}${name}/` }));
      const below = join(folder, name);
      return createRules(roots, below, await extend(roots, below, inner));
    },
  };
}

async function extend(roots: Roots, folder: string, layers: readonly Layer[]): Promise<readonly Layer[]> {
  const own = await readRules(roots, join(folder, '.gitignore'));
  return own ? [...layers, { rules: own, prefix: '' }] : layers;
}

async function readRules(roots: Roots, path: string): Promise<IgnoreFile | undefined> {
  const file = await readConfinedFile(roots, path, { maxBytes: largestFile });
  return file.ok ? readIgnoreFile(decodeText(file.bytes).text) : undefined;
}
