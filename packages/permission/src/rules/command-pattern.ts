import { compileTextMatcher } from '../paths/path-matchers.ts';
import { expandCommands } from '../shell/expand/expand-commands.ts';
import { type RunCommand } from '../shell/run/run-command.ts';
import { suspectedCommands } from '../shell/dangers/unknown-programs.ts';
import type { ShellEnvironment } from '../shell/run/default-values.ts';
import { parseShell } from '../shell/expand/parse-evaluated-shell.ts';
import type { RunWord } from '../shell/run/run-word.ts';
import type { ShellWord } from '../shell/syntax/shell-word.ts';
import { isOpenWord, mayExpandTo } from './pattern-words.ts';

/** A pattern over the words of a command. */
export interface CommandPattern {
  /** Returns whether the line is exactly this one command. */
  fitsAlone(line: string): boolean;
  /** Returns whether any command of the line, at any depth, matches. */
  fitsAny(line: string, environment: ShellEnvironment): boolean;
  /** Returns whether a file name that replaces a glob may produce this command, or an unknown program may run it. */
  mayFit(line: string, environment: ShellEnvironment): boolean;
}

const maxLeading = 40;
/** Programs that accept abbreviated commands, such as `npm pub` for `npm publish`. */
const abbreviates = /^(?:npm|hg|tmux|ip)$/;

/**
 * Compiles a pattern such as `git log *`. Patterns match word by word; a trailing star matches any further words.
 *
 * @throws TypeError for a pattern that is itself more than one simple command.
 */
export function compileCommandPattern(pattern: string): CommandPattern {
  const words = pattern.trim().split(/\s+/);
  if (pattern.trim() === '' || /[;&|<>`\n]|\$\(/.test(pattern)) {
    throw new TypeError(`the command pattern ${JSON.stringify(pattern)} must be one command, such as "git log *"`);
  }
  const isOpen = words.length > 1 && words.at(-1) === '*';
  const matchers = (isOpen ? words.slice(0, -1) : words).map(compileTextMatcher);
  // Avoids copying the words: a hostile line may have very many commands with very many words.
  const fits = (name: string, args: readonly { readonly text: string }[], isShort = false): boolean => {
    const count = args.length + 1;
    if (isOpen ? count < matchers.length : count !== matchers.length) return false;
    return matchers.every((matches, index) => {
      const text = index === 0 ? name : args[index - 1]!.text;
      return matches(text) || (isShort && index === 1 && text !== '' && words[1]!.startsWith(text));
    });
  };
  const names = ({ program, written }: RunCommand): boolean => matchers[0]!(written) || matchers[0]!(program);
  const fitsRun = (run: RunCommand): boolean => {
    if (!names(run)) return false;
    const { program, written } = run;
    const isShort = abbreviates.test(program);
    for (const rest of withoutOwnOptions(run))
      if (fits(written, rest, isShort) || (program !== written && fits(program, rest, isShort))) return true;
    return false;
  };
  const others = matchers.slice(1).map((matches, index) => ({ text: words[index + 1]!, matches }));
  const mayFitRun = (run: RunCommand): boolean => {
    if (!run.args.some(isOpenWord) || !names(run)) return false;
    for (const rest of withoutOwnOptions(run)) if (mayExpandTo(rest, others, isOpen)) return true;
    return false;
  };
  return {
    fitsAlone(line) {
      const { name, args } = plainCommandOf(line);
      return name !== undefined && fits(name, args);
    },
    fitsAny(line, environment) {
      return expandCommands(line, environment).commands.some(fitsRun);
    },
    mayFit(line, environment) {
      const expanded = expandCommands(line, environment);
      return expanded.commands.some(mayFitRun) || suspectedCommands(expanded).some(fitsRun);
    },
  };
}

/** `git -C x push`: global options of the program, with or without a value, precede its command. */
function* withoutOwnOptions({ args }: RunCommand): Generator<readonly RunWord[]> {
  yield args;
  for (let start = 1; start <= Math.min(args.length, maxLeading); start += 1) {
    const isOption = args[start - 1]!.text.startsWith('-');
    if (!isOption && (start === 1 || !args[start - 2]!.text.startsWith('-'))) return;
    yield args.slice(start);
  }
}

interface PlainCommand {
  readonly line: string;
  /** Undefined if the line is more than one simple command. */
  readonly name: string | undefined;
  readonly args: readonly ShellWord[];
}

function plainCommandOf(line: string): PlainCommand {
  if (latest?.line === line) return latest;
  const { isSimple, commands } = parseShell(line);
  const [first, ...args] = isSimple ? commands[0]!.words : [];
  latest = { line, name: first?.text, args };
  return latest;
}

// One decision tests the same line once for each pattern.
let latest: PlainCommand | undefined;
