/** The value that a word stands for, and the risk of reading it so. */
interface Word {
  readonly value: boolean | null;
  readonly risk: 'none' | 'safe' | 'lossy';
}

const meanings: readonly (readonly [Word['value'], Word['risk'], string])[] = [
  [true, 'none', 'true'],
  [false, 'none', 'false'],
  [null, 'none', 'null'],
  [true, 'safe', 'True TRUE'],
  [false, 'safe', 'False FALSE'],
  [null, 'safe', 'None NULL Null nil'],
  [null, 'lossy', 'undefined NaN nan Infinity inf -Infinity -NaN -inf +Infinity +NaN'],
];

/** The words of JSON, of Python, JavaScript and other languages, also for values that JSON lacks. */
export const words: ReadonlyMap<string, Word> = new Map(
  meanings.flatMap(([value, risk, names]) => names.split(' ').map((name) => [name, { value, risk }] as const)),
);

/** Words that can only be a value, unlike the others, which also occur in prose. */
export const certainWords: readonly string[] = 'true false null True False None TRUE FALSE NULL'.split(' ');

/** Returns the boolean that a word stands for where one is declared. */
export function booleanOf(word: string): boolean | undefined {
  if (/^(?:true|yes|on)$/i.test(word)) return true;
  return /^(?:false|no|off)$/i.test(word) ? false : undefined;
}
