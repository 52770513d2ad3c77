/** The value that a word stands for, and the risk of reading it so. */
export interface Word {
  readonly value: boolean | null;
  readonly risk: 'none' | 'safe' | 'lossy';
}

const json = (value: boolean | null): Word => ({ value, risk: 'none' });
const other = (value: boolean | null): Word => ({ value, risk: 'safe' });
const lossy: Word = { value: null, risk: 'lossy' };

/** The words of JSON, of Python, JavaScript and other languages, also for values that JSON lacks. */
export const words: ReadonlyMap<string, Word> = new Map([
  ['true', json(true)],
  ['false', json(false)],
  ['null', json(null)],
  ['True', other(true)],
  ['False', other(false)],
  ['None', other(null)],
  ['TRUE', other(true)],
  ['FALSE', other(false)],
  ['NULL', other(null)],
  ['Null', other(null)],
  ['nil', other(null)],
  ['undefined', lossy],
  ['NaN', lossy],
  ['nan', lossy],
  ['Infinity', lossy],
  ['inf', lossy],
  ['-Infinity', lossy],
  ['-NaN', lossy],
  ['-inf', lossy],
  ['+Infinity', lossy],
  ['+NaN', lossy],
]);

/** Words that can only be a value, unlike the others, which also occur in prose. */
export const certainWords: readonly string[] = [...words.keys()].slice(0, 9);
