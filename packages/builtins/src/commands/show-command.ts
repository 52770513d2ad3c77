import { count } from '../count.ts';

const breaks = /[\r\n\u2028\u2029]+/;
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * A command line in one line, for people: line breaks as `⏎`, characters that nobody sees as their codes. What is left
 * out of a long one is counted, so that nothing hides behind its beginning.
 */
export function showCommand(command: string, longest: number): string {
  const lines = command.split(breaks).map((text) => text.trim());
  const line = lines
    .filter((text) => text !== '')
    .join(' ⏎ ')
    .replace(unseen, escapeCharacter);
  if (line.length <= longest) return line;
  // Half a character is none.
  const shown = line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return `${shown}… (${count(line.length - shown.length, 'more character')})`;
}

/** The command that a call would run, and what its author says it does: the second never stands for the first. */
export function titleOf(command: string, description: string | undefined): string {
  const said = description === undefined ? '' : showCommand(description, longestDescription);
  return `$ ${showCommand(command, longestCommand)}${said === '' ? '' : ` (${said})`}`;
}

const longestCommand = 200;
const longestDescription = 80;

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
