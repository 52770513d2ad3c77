import { compileEntryGlob, type EntryGlob } from '../globs/glob.ts';
import type { SandboxFailure } from '../sandbox-failure.ts';

/** The rules of one ignore file. */
export interface IgnoreFile {
  /**
   * Whether an entry is ignored, taken in again, or not spoken of. `prefix` leads from the file's folder to the entry's, with
   * a slash at its end, or is empty.
   */
  judge(prefix: string, name: string, isDirectory: boolean): 'ignored' | 'kept' | undefined;
}

interface IgnoreRule {
  readonly isKept: boolean;
  readonly forDirectories: boolean;
  /** It names a path from the folder of the file, not a name at any depth. */
  readonly isPath: boolean;
  /** Without backslashes, when it stands for itself alone. */
  readonly plain: string | undefined;
  /** `.log` of `*.log`, when that is all. */
  readonly ending: string | undefined;
  readonly glob: EntryGlob;
}

// A repository may come from anybody: all rules of a file together cost little for every name.
const longestRule = 1_000;
const mostRules = 5_000;
const mostWild = 20_000;

/**
 * Reads an ignore file as git does: the last rule that fits decides, `!` takes in again, a slash before the end ties a rule
 * to the folder of the file, one at the end means folders. A `?` is a character, where git takes a byte. Rules that git would
 * not understand fit nothing. Beyond 5,000
 * rules, 20,000 characters of rules with stars, or 1,000 characters in one, the rest is left out.
 */
export function readIgnoreFile(text: string): IgnoreFile {
  const rules: IgnoreRule[] = [];
  let room = mostWild;
  for (const line of text.split('\n')) {
    const isWild = /[*?[\\]/.test(line);
    if (line.length > longestRule || (isWild && line.length > room)) continue;
    const rule = readRule(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (!rule) continue;
    if (isWild) room -= line.length;
    if (rules.push(rule) >= mostRules) break;
  }
  return indexRules(rules);
}

/** Most rules are plain names and endings: those are looked up, and only the others compared one by one. */
function indexRules(rules: readonly IgnoreRule[]): IgnoreFile {
  const names = createLookup();
  const paths = createLookup();
  const endings = createLookup();
  const others: { readonly at: number; readonly rule: IgnoreRule }[] = [];
  for (const [at, rule] of rules.entries()) {
    if (rule.plain !== undefined) (rule.isPath ? paths : names).add(rule.plain, at, rule.forDirectories);
    else if (rule.ending !== undefined) endings.add(rule.ending, at, rule.forDirectories);
    else others.unshift({ at, rule });
  }
  return {
    judge(prefix, name, isDirectory) {
      let last = Math.max(names.last(name, isDirectory), paths.isEmpty() ? -1 : paths.last(prefix + name, isDirectory));
      if (!endings.isEmpty()) {
        for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
          last = Math.max(last, endings.last(name.slice(dot), isDirectory));
      }
      for (const { at, rule } of others) {
        if (at < last) break;
        if (rule.forDirectories && !isDirectory) continue;
        if (!rule.glob.matchesEntry(rule.isPath ? prefix : '', name)) continue;
        last = at;
        break;
      }
      const decisive = rules[last];
      return decisive && (decisive.isKept ? 'kept' : 'ignored');
    },
  };
}

/** The place of the last rule that a text is looked up by. */
interface Lookup {
  add(text: string, at: number, forDirectories: boolean): void;
  last(text: string, isDirectory: boolean): number;
  isEmpty(): boolean;
}

function createLookup(): Lookup {
  const forAll = new Map<string, number>();
  const forDirectories = new Map<string, number>();
  return {
    add: (text, at, directoriesOnly) => void (directoriesOnly ? forDirectories : forAll).set(text, at),
    last: (text, isDirectory) => Math.max(forAll.get(text) ?? -1, isDirectory ? (forDirectories.get(text) ?? -1) : -1),
    isEmpty: () => forAll.size + forDirectories.size === 0,
  };
}

function readRule(line: string): IgnoreRule | undefined {
  if (line.startsWith('#')) return undefined;
  const isKept = line.startsWith('!');
  const trimmed = trimBlanks(isKept ? line.slice(1) : line);
  const forDirectories = trimmed.endsWith('/');
  const pattern = forDirectories ? trimmed.slice(0, -1) : trimmed;
  if (pattern === '') return undefined;
  const isPath = pattern.includes('/');
  const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  const glob = isPath ? compilePath(anchored) : compileEntryGlob(anchored, { braces: false });
  if (!glob.ok) return undefined;
  const plain = /[*?[\\]/.test(anchored) || anchored.includes('//') ? undefined : anchored;
  const ending = !isPath && /^\*\.[^*?[\\]+$/.test(anchored) ? anchored.slice(1) : undefined;
  return { isKept, forDirectories, isPath, plain, ending, glob };
}

/** Git compares the text that a path begins with by itself: stars behind it stand at the beginning of what is left, and mean folders. */
function compilePath(pattern: string): EntryGlob | SandboxFailure {
  const [, text = '', rest = pattern] = /^([^*?[\\]*[^*?[\\/])(\*{2,}(?:\/.*)?)$/.exec(pattern) ?? [];
  // What is in a folder, but not the folder.
  const glob = compileEntryGlob(/\/\*{2,}$/.test(rest) ? `${rest}/*` : rest, { braces: false });
  if (!glob.ok || text === '') return glob;
  const matches = (path: string): boolean => path.startsWith(text) && glob.matches(path.slice(text.length));
  return { ok: true, matches, matchesEntry: (prefix, name) => matches(prefix + name) };
}

/** Without blanks at the end, unless a backslash stands before them. */
function trimBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') {
    const backslashes = /\\*$/.exec(line.slice(0, end - 1))![0].length;
    if (backslashes % 2 === 1) break;
    end -= 1;
  }
  return line.slice(0, end);
}
