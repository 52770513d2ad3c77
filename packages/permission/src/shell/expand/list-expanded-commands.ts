import type { RunCommand } from '../run/run-command.ts';
import type { RunWord, Scope } from '../run/run-word.ts';
import { heredocProgram } from '../parse/read-heredoc.ts';
import type { ShellCommand } from '../syntax/shell-word.ts';
import { withoutVersion } from '../programs/languages.ts';
import { shells } from '../programs/programs.ts';
import { pushedBy } from '../programs/git-command.ts';
import { isWrapper, placeholder } from '../programs/wrappers.ts';
import { expandWord } from './expand-word.ts';

// Maximum number of words of a wrapper at which the inner command may begin. Longer commands are read only in part.
const maxInnerLines = 100;
// A shared budget keeps the time proportional to the length of the line. This many possible inner commands are read for
// each wrapper even when the budget is used up.
const minInnerLines = 20;
const maxRestCharacters = 200_000;
const fdExec = /^(?:-[a-zA-Z]*[xX]|--exec(?:-batch)?)$/;
// Maximum number of ways to read the words of a command.
const maxReadings = 16;
const maxWeighed = 32;

/** Maximum number of words to read as remaining words of all wrappers. */
export const allRests: number = 5 * maxRestCharacters;

/** The remaining budget of {@link allRests}. */
export interface RestRoom {
  restRoom: number;
  /** False once a wrapper had more words than are read. */
  isWhole: boolean;
}

/**
 * Returns the command as the shell runs it. For a wrapper, returns one command for each possible start of the inner
 * command, since its options hide where that begins.
 */
export function listRuns(command: ShellCommand, pipeline: number, scope: Scope, room: RestRoom): readonly RunCommand[] {
  if (command.words.length === 0) return [];
  if (command.construct === '[[') {
    const args = command.words.flatMap((word) => expandWord(word, scope).flat());
    return [{ command, pipeline, program: '[[', written: '[[', isNamed: true, isDirect: true, args }];
  }
  const runs: RunCommand[] = [];
  for (const reading of listReadings(command, scope)) {
    const words = withFoundNames(reading);
    const [first] = words;
    const name = first === undefined ? '' : nameOf(first.text);
    const isOpen = first?.isKnown === false || first?.text.startsWith('-') === true || isWrapper(name, words);
    const most = isOpen ? takeRests(words.length, room) : Math.min(words.length, 1);
    for (let index = 0; index < most; index += 1) {
      const { text, isKnown, glob, hasNumber } = words[index]!;
      const program = text === heredocProgram ? text : index === 0 ? name : nameOf(text);
      // Numbers are not computed, and a program such as `python3` may have one in its name.
      const isNamed = isKnown && glob === undefined && !hasNumber && (index === 0 || !text.includes(placeholder));
      const args = words.slice(index + 1);
      const end = index === 0 ? -1 : endOfExec(args);
      if (end !== -1)
        runs.push({ command, pipeline, program, written: text, isNamed, isDirect: false, args: args.slice(0, end) });
      runs.push({ command, pipeline, program, written: text, isNamed, isDirect: index === 0, args });
      // `git-push` is a git command.
      if (program.startsWith('git-')) {
        const named = [{ ...words[index]!, text: program.slice(4) }, ...args];
        runs.push({ command, pipeline, program: 'git', written: 'git', isNamed, isDirect: false, args: named });
      }
      const pushed = program === 'git' ? pushedBy(args) : undefined;
      if (pushed) runs.push({ command, pipeline, program, written: text, isNamed, isDirect: false, args: pushed });
    }
  }
  return runs;
}

/** Returns the index of the word that ends the command after `find -exec`, or -1. */
function endOfExec(args: readonly RunWord[]): number {
  return args.findIndex(({ text }, index) => text === ';' || (text === '+' && args[index - 1]?.text === placeholder));
}

/** `fd -x` appends the names that it finds, unless a placeholder says where they go. */
function withFoundNames(words: readonly RunWord[]): readonly RunWord[] {
  const at = words.findIndex(({ text }) => text === 'fd' || text === 'fdfind');
  const exec = at === -1 ? -1 : words.findIndex(({ text }, index) => index > at && fdExec.test(text));
  if (exec === -1 || words.some(({ text }, index) => index > exec && /\{(?:|\.|\/|\/\/|\/\.)\}/.test(text)))
    return words;
  return [...words, { ...words[exec]!, text: placeholder }];
}

/**
 * Returns how many possible inner commands are read for this many words. All of them together take time proportional to
 * the length of the line.
 */
function takeRests(words: number, room: RestRoom): number {
  const own = Math.min(maxRestCharacters, room.restRoom);
  const most = Math.min(maxInnerLines, words, Math.max(minInnerLines, Math.floor(own / words)));
  if (most < words) room.isWhole = false;
  room.restRoom -= most * words;
  return most;
}

/**
 * Returns the words of a command in each possible reading. If there are too many readings, all possible values of each
 * word are listed side by side.
 */
function listReadings({ words }: ShellCommand, scope: Scope): readonly (readonly RunWord[])[] {
  let readings: RunWord[][] = [[]];
  for (const word of words) {
    const own = expandWord(word, scope);
    if (own.length === 1) {
      for (const reading of readings) for (const next of own[0]!) reading.push(next);
      continue;
    }
    const isShort = words.length <= maxWeighed && readings.length * own.length <= maxReadings;
    if (own.length > 1 && isShort) readings = readings.flatMap((reading) => own.map((next) => [...reading, ...next]));
    else {
      // Listed side by side, the words would form none of these readings.
      for (const reading of readings)
        for (const way of own) for (const next of way) reading.push({ ...next, isKnown: false });
    }
  }
  return readings;
}

function nameOf(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase();
  const unsuffixed = name.endsWith('.exe') || name.endsWith('.cmd') ? name.slice(0, -4) : name;
  const plain = unsuffixed.includes('@') ? unsuffixed.replace(/(?<=\w)@[\w.^~-]*$/, '') : unsuffixed;
  if (!plain.includes('sh') || !/sh[-\d]/.test(plain)) return plain;
  const unversioned = withoutVersion(plain);
  return shells.has(unversioned) ? unversioned : plain;
}
