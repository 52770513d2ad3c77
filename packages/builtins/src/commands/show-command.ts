import { count } from '../count.ts';

const breaks = /[\r\n\u2028\u2029]+/;
const unseen = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/**
 * Shows a command on one line for the user: line breaks as ` `, invisible characters as their codes. Omitted characters
 * are counted, so that a long command can't hide its end.
 */
export function showCommand(command: string, longest: number): string {
  const lines = command.split(breaks).map((text) => text.trim());
  const line = lines
    .filter((text) => text !== '')
    .join(' ⏎ ')
    .replace(unseen, escapeCharacter);
  if (line.length <= longest) return line;
  // Never end on half a surrogate pair.
  const shown = line.slice(0, longest).replace(/[\uD800-\uDBFF]$/, '');
  return `${shown}… (${count(line.length - shown.length, 'more character')})`;
}

/**
 * Returns the title of a call: the command, followed by the model's description of it. The description never replaces
 * the command.
 */
export function titleOf(command: string, description: string | undefined): string {
  const said = description === undefined ? '' : showCommand(description, maxDescriptionLength);
  return `$ ${showCommand(command, maxCommandLength)}${said === '' ? '' : ` (${said})`}`;
}

const maxCommandLength = 200;
const maxDescriptionLength = 80;

function escapeCharacter(character: string): string {
  return `\\u{${character.codePointAt(0)!.toString(16)}}`;
}
