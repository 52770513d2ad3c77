import { parseShell, type ShellCommand, type ShellWord } from './parse-shell.ts';
import { heredocProgram } from './shell-reader.ts';

/** A command that a line runs, directly or through others. */
export interface RunCommand {
  /** Lower-case name without its folder: `RM` and `/bin/rm` are `rm`. */
  readonly program: string;
  readonly args: readonly ShellWord[];
  readonly command: ShellCommand;
}

/** Everything a command line runs, as far as its text tells. */
export interface ExpandedShell {
  readonly isWhole: boolean;
  readonly commands: readonly RunCommand[];
  readonly redirections: readonly { readonly operator: string; readonly target: ShellWord }[];
}

const wrappers: ReadonlySet<string> = new Set([
  'sudo',
  'doas',
  'env',
  'nohup',
  'command',
  'exec',
  'builtin',
  'nice',
  'ionice',
  'time',
  'timeout',
  'stdbuf',
  'setsid',
  'xargs',
  'parallel',
  'watch',
  'busybox',
  'toybox',
  'chroot',
  'unshare',
  'nsenter',
  'flock',
  'script',
  'strace',
  'su',
  'runuser',
  'caffeinate',
  'then',
  'do',
  'else',
  'find',
]);
const shells: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'ash', 'fish', 'mksh', 'rbash']);
const deepest = 8;

/** Whether a program reads commands in the shell's language. */
export function isShell(program: string): boolean {
  return shells.has(program);
}

/**
 * Lists every command a line runs: through wrappers (`sudo`, `env`, `xargs`, `find -exec`), shells (`bash -c "…"`, text
 * piped or redirected into one), `eval` and `trap`, however they are nested. More may be listed than runs, never less of
 * what the text spells out.
 */
export function expandCommands(line: string): ExpandedShell {
  const commands: RunCommand[] = [];
  const redirections: { operator: string; target: ShellWord }[] = [];
  const isWhole = expand(line, commands, redirections, 0);
  return { isWhole, commands, redirections };
}

function expand(
  line: string,
  commands: RunCommand[],
  redirections: { operator: string; target: ShellWord }[],
  depth: number,
): boolean {
  if (depth > deepest) return false;
  const parsed = parseShell(line);
  let isWhole = parsed.isWhole;
  const again = (text: string): void => {
    isWhole = expand(text, commands, redirections, depth + 1) && isWhole;
  };
  let hasShell = false;
  for (const command of parsed.commands) {
    redirections.push(...command.redirections);
    for (const run of listRuns(command)) {
      commands.push(run);
      const { program, args } = run;
      const texts = args.map(({ text }) => text);
      if (isShell(program)) {
        hasShell = true;
        const flag = texts.findIndex((text) => /^-[a-z]*c[a-z]*$/i.test(text));
        if (flag !== -1 && texts[flag + 1] !== undefined) again(texts[flag + 1]!);
        for (const { operator, target } of command.redirections) if (operator === '<<<') again(target.text);
      }
      if (program === 'eval') again(texts.join(' '));
      if (program === 'trap' && texts[0] !== undefined) again(texts[0]);
      if (
        (program === 'su' || program === 'script' || program === 'watch' || program === 'flock') &&
        texts.length > 0
      ) {
        const flag = texts.indexOf('-c');
        again(flag === -1 ? (texts.at(-1) ?? '') : (texts[flag + 1] ?? ''));
      }
    }
  }
  // What is piped or written into a shell is run by it.
  if (hasShell) {
    for (const { words } of parsed.commands) {
      const [first, ...rest] = words;
      if (first && (first.text === heredocProgram || first.text === 'echo' || first.text === 'printf')) {
        again(
          rest
            .map(({ text }) => text.replaceAll('\\n', '\n'))
            .filter((text) => !text.startsWith('-'))
            .join(' '),
        );
      }
    }
  }
  return isWhole;
}

/** The command as written, and for a wrapper every rest of its words, since options hide where the inner one begins. */
function* listRuns(command: ShellCommand): Generator<RunCommand> {
  for (const [index, word] of command.words.entries()) {
    const program = nameOf(word.text);
    yield { program, args: command.words.slice(index + 1), command };
    if (index === 0 && !wrappers.has(program)) return;
  }
}

function nameOf(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase();
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
}
