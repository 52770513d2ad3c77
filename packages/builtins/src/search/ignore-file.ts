import { compileGlob, type Glob } from '@haft/sandbox';

/** The rules of one ignore file. */
export interface IgnoreFile {
  /** Whether an entry, by its path below the file's folder, is ignored, taken in again, or not spoken of. */
  judge(path: string, isDirectory: boolean): 'ignored' | 'kept' | undefined;
}

interface IgnoreRule {
  readonly isKept: boolean;
  readonly forDirectories: boolean;
  /** It names a path from the folder of the file, not a name at any depth. */
  readonly isPath: boolean;
  readonly glob: Glob;
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
  rules.reverse();
  return {
    judge(path, isDirectory) {
      const name = path.slice(path.lastIndexOf('/') + 1);
      const decisive = rules.find(
        ({ forDirectories, isPath, glob }) => (isDirectory || !forDirectories) && glob.matches(isPath ? path : name),
      );
      return decisive && (decisive.isKept ? 'kept' : 'ignored');
    },
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
  // What is in a folder, but not the folder.
  const glob = compileGlob(isPath && anchored.endsWith('/**') ? `${anchored}/*` : anchored, { braces: false });
  return glob.ok ? { isKept, forDirectories, isPath, glob } : undefined;
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
