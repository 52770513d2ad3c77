import { compileTextMatcher } from '../paths/pattern-matchers.ts';
import { expandCommands } from '../shell/expand/expand-commands.ts';
import { type RunCommand } from '../shell/run/run-command.ts';
import { suspectedCommands } from '../shell/judge/unknown-programs.ts';
import type { ShellEnvironment } from '../shell/expand/variables.ts';
import { parseShell } from '../shell/expand/parse-shell.ts';
import type { RunWord } from '../shell/run/run-word.ts';
import type { ShellWord } from '../shell/parse/shell-word.ts';
import { mayExpandTo } from './may-expand-to.ts';

/** A pattern over the words of a command. */
export interface CommandPattern {
  /** The line is this one command, and nothing else. */
  fitsAlone(line: string): boolean;
  /** Some command of the line, however deep, is this one. */
  fitsAny(line: string, environment: ShellEnvironment): boolean;
  /** A file name that replaces a glob may produce this command, or an unknown program may run it. */
  mayFit(line: string, environment: ShellEnvironment): boolean;
}

const maxLeading = 40;
/** Programs that take the beginning of a command for it, as `npm pub` for `npm publish`. */
const abbreviates = /^(?:npm|hg|tmux|ip)$/;

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
  const matchers = (isOpen ? words.slice(0, -1) : words).map(compileTextMatcher);
  // Lists no words anew: a hostile line has very many commands of very many words.
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
    if (!run.args.some(({ glob }) => glob !== undefined) || !names(run)) return false;
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

/** `git -C x push`: options of the program itself, with or without a value, stand in front of its command. */
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
  /** Undefined when the line is more than one plain command. */
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

// One decision asks for the same line once for each pattern.
let latest: PlainCommand | undefined;
