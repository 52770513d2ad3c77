import type { Matcher } from '../paths/path-matchers.ts';
import type { RunWord } from '../shell/run/run-word.ts';
import { placeholder } from '../shell/programs/wrappers.ts';

/** A word of a command pattern. */
export interface PatternWord {
  readonly text: string;
  readonly matches: Matcher;
}

/**
 * Returns whether globs and placeholders may become names that match a pattern. Each becomes one or more words.
 * `isOpen`: the pattern allows any further words.
 */
export function mayExpandTo(args: readonly RunWord[], words: readonly PatternWord[], isOpen: boolean): boolean {
  // The numbers of pattern words that the words so far may have consumed.
  let reached: ReadonlySet<number> = new Set([0]);
  for (const arg of args) {
    if (isOpen && reached.has(words.length)) return true;
    const next = new Set<number>();
    for (const from of reached)
      for (let at = from; at < words.length && mayBe(arg, words[at]!); at += 1) {
        next.add(at + 1);
        if (!isOpenWord(arg)) break;
      }
    if (isOpen && isOpenWord(arg) && next.has(words.length)) return true;
    reached = next;
  }
  return reached.has(words.length);
}

/** Returns whether a word becomes names that are not in the line. */
export function isOpenWord({ text, glob }: RunWord): boolean {
  return glob !== undefined || text.includes(placeholder);
}

function mayBe({ text, glob }: RunWord, word: PatternWord): boolean {
  if (word.matches(text) || text.includes(placeholder)) return true;
  if (glob === undefined) return false;
  const [prefix, suffix] = endsOf(glob);
  // Names with a leading dot match only if the glob has that dot.
  if (/(?:^|\/)$/.test(prefix) && word.text[prefix.length] === '.') return false;
  const star = word.text.indexOf('*');
  if (star === -1)
    return (
      word.text.length >= prefix.length + suffix.length && word.text.startsWith(prefix) && word.text.endsWith(suffix)
    );
  const before = word.text.slice(0, star);
  const behind = word.text.slice(word.text.lastIndexOf('*') + 1);
  return (
    (before.startsWith(prefix) || prefix.startsWith(before)) && (behind.endsWith(suffix) || suffix.endsWith(behind))
  );
}

/** Returns the literal text before the first and after the last wildcard of a glob. */
function endsOf(glob: string): readonly [prefix: string, suffix: string] {
  const characters = glob.match(/\\?[^]/g) ?? [];
  const first = characters.findIndex((character) => /^[*?[]$/.test(character));
  const last = characters.findLastIndex((character) => /^[*?\]]$/.test(character));
  const plain = (part: readonly string[]): string => part.map((character) => character.slice(-1)).join('');
  return [plain(characters.slice(0, first)), plain(characters.slice(last + 1))];
}
