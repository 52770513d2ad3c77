import { compileEntryGlob, type EntryGlob } from '../globs/glob.ts';
import type { SandboxFailure } from '../sandbox-failure.ts';

/** The rules of one ignore file. */
export interface IgnoreFile {
  /**
   * Returns whether an entry is ignored, re-included or not matched. `prefix` is the path from the file's directory to
   * the entry's directory with a trailing slash, or empty.
   */
  match(prefix: string, name: string, isDirectory: boolean): 'ignored' | 'kept' | undefined;
}

interface IgnoreRule {
  readonly isKept: boolean;
  readonly forDirectories: boolean;
  /** True if the rule is relative to the directory of the file; false if it matches a name at any depth. */
  readonly isPath: boolean;
  /** The literal text of a rule without wildcards. */
  readonly literal: string | undefined;
  /** The suffix of a rule such as `*.log`. */
  readonly suffix: string | undefined;
  readonly glob: EntryGlob;
}

// Ignore files may come from untrusted repositories, so the cost of all rules together is bounded per name.
const maxRuleLength = 1_000;
const maxRules = 5_000;
const maxWildcardCharacters = 20_000;

/**
 * Parses an ignore file like git: the last matching rule decides, `!` re-includes, a slash before the end anchors a
 * rule to the directory of the file, and a slash at the end matches directories only. `?` matches a character, in git a
 * byte. Rules that git would not understand match nothing. Rules beyond 5,000, beyond a total of 20,000 characters of
 * wildcard rules, or longer than 1,000 characters are skipped.
 */
export function readIgnoreFile(text: string): IgnoreFile {
  const rules: IgnoreRule[] = [];
  let remaining = maxWildcardCharacters;
  for (const line of text.split('\n')) {
    const isWild = /[*?[\\]/.test(line);
    if (line.length > maxRuleLength || (isWild && line.length > remaining)) continue;
    const rule = readRule(line.endsWith('\r') ? line.slice(0, -1) : line);
    if (!rule) continue;
    if (isWild) remaining -= line.length;
    if (rules.push(rule) >= maxRules) break;
  }
  return indexRules(rules);
}

/** Indexes rules: literal names and suffixes are looked up, and only the others are compared one by one. */
function indexRules(rules: readonly IgnoreRule[]): IgnoreFile {
  const names = createLookup();
  const paths = createLookup();
  /** The names that the paths end in: most entries have another one, and need no path. */
  const endsOfPaths = new Set<string>();
  const suffixes = createLookup();
  const others: { readonly at: number; readonly rule: IgnoreRule }[] = [];
  for (const [at, rule] of rules.entries()) {
    if (rule.literal !== undefined) (rule.isPath ? paths : names).add(rule.literal, at, rule.forDirectories);
    if (rule.literal !== undefined && rule.isPath)
      endsOfPaths.add(rule.literal.slice(rule.literal.lastIndexOf('/') + 1));
    else if (rule.suffix !== undefined) suffixes.add(rule.suffix, at, rule.forDirectories);
    else others.unshift({ at, rule });
  }
  return {
    match(prefix, name, isDirectory) {
      let last = names.last(name, isDirectory);
      if (endsOfPaths.has(name)) last = Math.max(last, paths.last(prefix + name, isDirectory));
      if (!suffixes.isEmpty()) {
        for (let dot = name.indexOf('.'); dot !== -1; dot = name.indexOf('.', dot + 1))
          last = Math.max(last, suffixes.last(name.slice(dot), isDirectory));
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

/** An index from text to the position of its last rule. */
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
  const literal = /[*?[\\]/.test(anchored) || anchored.includes('//') ? undefined : anchored;
  const suffix = !isPath && /^\*\.[^*?[\\]+$/.test(anchored) ? anchored.slice(1) : undefined;
  return { isKept, forDirectories, isPath, literal, suffix, glob };
}

/**
 * Git compares the literal prefix of a path separately. Stars after it are at the start of the rest, so they match
 * directories.
 */
function compilePath(pattern: string): EntryGlob | SandboxFailure {
  const [, text = '', rest = pattern] = /^([^*?[\\]*[^*?[\\/])(\*{2,}(?:\/.*)?)$/.exec(pattern) ?? [];
  // Matches the content of a directory, but not the directory.
  const glob = compileEntryGlob(/\/\*{2,}$/.test(rest) ? `${rest}/*` : rest, { braces: false });
  if (!glob.ok || text === '') return glob;
  const matches = (path: string): boolean => path.startsWith(text) && glob.matches(path.slice(text.length));
  return { ok: true, matches, matchesEntry: (prefix, name) => matches(prefix + name) };
}

/** Removes trailing blanks unless a backslash precedes them. */
function trimBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === ' ') {
    const backslashes = /\\*$/.exec(line.slice(0, end - 1))![0].length;
    if (backslashes % 2 === 1) break;
    end -= 1;
  }
  return line.slice(0, end);
}
