import type { RunWord } from '../run/run-word.ts';

/** Options of a program, grouped by effect. Each group is a list such as `-v -o= --output= -0# -l?`. */
export type OptionLists<Effect extends string> = Readonly<Partial<Record<Effect, string>>>;

/**
 * The argument of an option: none; a value, joined or in the next word; a value that can only be joined; or joined
 * digits, after which a cluster of letters continues.
 */
type Takes = 'nothing' | 'value' | 'joined value' | 'digits';

interface Option<Effect extends string> {
  readonly effect: Effect;
  readonly takes: Takes;
}

/** Compiled options. */
export interface OptionTable<Effect extends string> {
  readonly short: ReadonlyMap<string, Option<Effect>>;
  readonly long: ReadonlyMap<string, Option<Effect>>;
  /** True if long names may also have a single dash, as in `-eval`. */
  readonly hasDashedWords: boolean;
}

/** An option among the words of a command. */
export interface ReadOption<Effect extends string> {
  /** The option as written, without its value. */
  readonly name: string;
  /** Undefined for an option that is not in the table. */
  readonly effect: Effect | undefined;
  readonly value: RunWord | undefined;
}

/** The words of a command, split into options and operands. */
export interface ReadWords<Effect extends string> {
  readonly options: readonly ReadOption<Effect>[];
  /** The arguments after the options, from the first one that is not an option. */
  readonly operands: readonly RunWord[];
}

const takesBySign: Readonly<Record<string, Takes>> = { '=': 'value', '?': 'joined value', '#': 'digits' };

/**
 * Compiles lists of options: `-x` takes no value, `-x=` takes a value, `-x?` takes an optional joined value, and `-x#`
 * takes optional joined digits.
 */
export function compileOptions<Effect extends string>(lists: OptionLists<Effect>): OptionTable<Effect> {
  const short = new Map<string, Option<Effect>>();
  const long = new Map<string, Option<Effect>>();
  let hasDashedWords = false;
  for (const effect of Object.keys(lists) as Effect[]) {
    for (const item of (lists[effect] ?? '').split(' ').filter((text) => text !== '')) {
      const takes = takesBySign[item.at(-1)!] ?? 'nothing';
      const name = takes === 'nothing' || item === '-?' ? item : item.slice(0, -1);
      const option: Option<Effect> = { effect, takes: item === '-?' ? 'nothing' : takes };
      if (name.startsWith('--')) long.set(name.slice(2), option);
      else if (name.length === 2) short.set(name.slice(1), option);
      else {
        long.set(name.slice(1), option);
        hasDashedWords = true;
      }
    }
  }
  return { short, long, hasDashedWords };
}

/**
 * Reads the options before the first operand: clusters of letters, `--name=value`, abbreviations of long names if all
 * matching names have the same effect, and `--`. An option that `ends` the options stops the reading.
 */
export function readOptions<Effect extends string>(
  args: readonly RunWord[],
  table: OptionTable<Effect>,
  ends?: Effect,
): ReadWords<Effect> {
  const options: ReadOption<Effect>[] = [];
  let at = 0;
  while (at < args.length) {
    if (ends !== undefined && options.at(-1)?.effect === ends) break;
    const word = args[at]!;
    const { text } = word;
    if (text.length < 2 || !text.startsWith('-')) break;
    at += 1;
    if (text === '--') break;
    const isLong = text.startsWith('--');
    if (isLong || (table.hasDashedWords && findLong(table, nameIn(text.slice(1))))) {
      const name = nameIn(text.slice(isLong ? 2 : 1));
      const option = findLong(table, name);
      const isJoined = text.includes('=');
      const takesNext = option?.takes === 'value' && !isJoined;
      const value = isJoined ? { ...word, text: text.slice(text.indexOf('=') + 1) } : takesNext ? args[at] : undefined;
      if (takesNext) at += 1;
      options.push({ name: `--${name}`, effect: option?.effect, value });
    } else at += readCluster(word, args[at], table, options);
  }
  return { options, operands: args.slice(at) };
}

/** Reads a cluster of letters after one dash. Returns the number of further words that the letters take. */
function readCluster<Effect extends string>(
  word: RunWord,
  next: RunWord | undefined,
  { short }: OptionTable<Effect>,
  options: ReadOption<Effect>[],
): number {
  const { text } = word;
  for (let place = 1; place < text.length; place += 1) {
    const letter = text[place]!;
    const option = short.get(letter);
    const name = `-${letter}`;
    if (!option) {
      options.push({ name, effect: undefined, value: undefined });
      // It is unknown whether an unknown letter takes a value.
      return 0;
    }
    const { effect, takes } = option;
    const rest = text.slice(place + 1);
    if (takes === 'value' || takes === 'joined value') {
      const takesNext = takes === 'value' && rest === '';
      const value = rest !== '' ? { ...word, text: rest } : takesNext ? next : undefined;
      options.push({ name, effect, value });
      return takesNext ? 1 : 0;
    }
    options.push({ name, effect, value: undefined });
    if (takes === 'digits') place += /^(?:x[\da-fA-F]+|\d*)/.exec(rest)![0].length;
  }
  return 0;
}

/**
 * Finds the values of some options at any position, without knowing the program's other options. A letter counts
 * anywhere in a cluster. The result may contain more values than the program takes, but never fewer.
 */
export function findValues(args: readonly RunWord[], table: OptionTable<string>): readonly RunWord[] {
  const values: RunWord[] = [];
  const add = (value: RunWord | undefined): void => void (value && values.push(value));
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]!;
    const { text } = word;
    if (!text.startsWith('-') || text.length < 2) continue;
    if (text.startsWith('--')) {
      const option = findLong(table, nameIn(text.slice(2)));
      if (!option) continue;
      if (text.includes('=')) add({ ...word, text: text.slice(text.indexOf('=') + 1) });
      else if (option.takes === 'value') add(args[index + 1]);
      continue;
    }
    const dashed = table.hasDashedWords ? findLong(table, nameIn(text.slice(1))) : undefined;
    if (dashed) add(args[index + 1]);
    for (const [letter, { takes }] of table.short) {
      const place = text.indexOf(letter, 1);
      if (place === -1) continue;
      const rest = text.slice(place + 1);
      if (rest !== '') add({ ...word, text: rest });
      else if (takes === 'value') add(args[index + 1]);
    }
  }
  return values;
}

/** Returns whether one of these options is among the words, including clusters and abbreviations. */
export function hasOption(args: readonly RunWord[], table: OptionTable<string>): boolean {
  return args.some(({ text }) => {
    if (!text.startsWith('-') || text.length < 2) return false;
    if (text.startsWith('--')) return text.length > 2 && findLong(table, nameIn(text.slice(2))) !== undefined;
    if (table.hasDashedWords && findLong(table, nameIn(text.slice(1)))) return true;
    for (const letter of table.short.keys()) if (text.includes(letter, 1)) return true;
    return false;
  });
}

function nameIn(text: string): string {
  const end = text.indexOf('=');
  return end === -1 ? text : text.slice(0, end);
}

function findLong<Effect extends string>({ long }: OptionTable<Effect>, name: string): Option<Effect> | undefined {
  const exact = long.get(name);
  if (exact || name.length < 2) return exact;
  let found: Option<Effect> | undefined;
  for (const [other, option] of long) {
    if (!other.startsWith(name)) continue;
    if (found && (found.effect !== option.effect || found.takes !== option.takes)) return undefined;
    found = option;
  }
  return found;
}
