import { compileWildcard } from '../paths/glob-pattern.ts';
import { expandCommands } from '../shell/expand-commands.ts';
import { parseShell } from '../shell/parse-shell.ts';

/** A pattern over the words of a command. */
export interface CommandPattern {
  /** The line is this one command, and nothing else. */
  fitsAlone(line: string): boolean;
  /** Some command of the line, however deep, is this one. */
  fitsAny(line: string): boolean;
}

/**
 * Compiles a pattern such as `git log *`: word by word, a star at the end for any further words.
 *
 * @throws TypeError for a pattern that is itself more than one plain command.
 */
export function compileCommandPattern(pattern: string): CommandPattern {
  const words = pattern.trim().split(/\s+/);
  if (pattern.trim() === '' || /[;&|<>`\n]|\$\(/.test(pattern)) {
    throw new TypeError(`the command pattern ${JSON.stringify(pattern)} must be one command, such as "git log *"`);
  }
  const isOpen = words.length > 1 && words.at(-1) === '*';
  const matchers = (isOpen ? words.slice(0, -1) : words).map(compileWildcard);
  const fits = (texts: readonly string[]): boolean =>
    (isOpen ? texts.length >= matchers.length : texts.length === matchers.length) &&
    matchers.every((matches, index) => matches(texts[index]!));
  return {
    fitsAlone(line) {
      const parsed = parseShell(line);
      return parsed.isSimple && fits(parsed.commands[0]!.words.map(({ text }) => text));
    },
    fitsAny(line) {
      return expandCommands(line).commands.some(({ program, written, args }) => {
        const rest = args.map(({ text }) => text);
        return fits([written, ...rest]) || fits([program, ...rest]);
      });
    },
  };
}
