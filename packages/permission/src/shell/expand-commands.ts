import { longestLine, parseShell, type ShellCommand, type ShellWord } from './parse-shell.ts';
import { heredocProgram } from './shell-reader.ts';

/** A command that a line runs, directly or through others. */
export interface RunCommand {
  /** Lower-case name without its folder: `RM` and `/bin/rm` are `rm`. */
  readonly program: string;
  /** The name as written, quotes and escapes aside. */
  readonly written: string;
  readonly args: readonly ShellWord[];
  readonly command: ShellCommand;
  /** Commands joined by `|` share one number, unique in the line. */
  readonly pipeline: number;
}

/** Everything a command line runs, as far as its text tells. */
export interface ExpandedShell {
  /** False when something could not be taken apart, or was too much. */
  readonly isWhole: boolean;
  readonly commands: readonly RunCommand[];
  readonly redirections: readonly { readonly operator: string; readonly target: ShellWord }[];
}

const wrappers: ReadonlySet<string> = new Set(
  (
    'sudo doas env nohup command exec builtin nice ionice time timeout stdbuf setsid xargs parallel watch busybox toybox ' +
    'chroot unshare nsenter flock script strace su runuser caffeinate find'
  ).split(' '),
);
const shells: ReadonlySet<string> = new Set('sh bash zsh dash ksh ash fish mksh rbash'.split(' '));
const deepest = 8;
// So many words of a wrapper are taken for what it might run; a longer one is not read as a whole.
const mostInner = 100;
// Lines inside lines add up; this is more than any that means what it says.
const mostCharacters = 2 * longestLine;

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
  if (latest?.line !== line) latest = { line, expanded: expandAnew(line) };
  return latest.expanded;
}

// One decision asks for the same line many times, one time for each rule above all.
let latest: { readonly line: string; readonly expanded: ExpandedShell } | undefined;

function expandAnew(line: string): ExpandedShell {
  const collected: Collected = {
    commands: [],
    redirections: [],
    isWhole: true,
    pipelines: 0,
    seen: new Set(),
    room: mostCharacters,
  };
  expand(line, collected, 0);
  return collected;
}

interface Collected {
  readonly commands: RunCommand[];
  readonly redirections: { readonly operator: string; readonly target: ShellWord }[];
  isWhole: boolean;
  pipelines: number;
  /** Lines taken apart already. */
  readonly seen: Set<string>;
  /** Characters that may still be taken apart. */
  room: number;
}

function expand(line: string, collected: Collected, depth: number): void {
  if (collected.seen.has(line)) return;
  collected.seen.add(line);
  collected.room -= Math.min(line.length, longestLine);
  if (depth > deepest || collected.room < 0) {
    collected.isWhole = false;
    return;
  }
  const parsed = parseShell(line);
  if (!parsed.isWhole) collected.isWhole = false;
  const base = collected.pipelines;
  for (const { pipeline } of parsed.commands) collected.pipelines = Math.max(collected.pipelines, base + pipeline);

  const inner: string[] = [];
  let hasShell = false;
  for (const command of parsed.commands) {
    collected.redirections.push(...command.redirections);
    const [first] = command.words;
    if (first && command.words.length > mostInner && wrappers.has(nameOf(first.text))) collected.isWhole = false;
    for (const run of listRuns(command, base + command.pipeline)) {
      collected.commands.push(run);
      hasShell ||= isShell(run.program);
      inner.push(...innerLines(run));
    }
  }
  // What is piped or written into a shell is run by it.
  if (hasShell) inner.push(...parsed.commands.flatMap(writtenText));
  for (const text of inner) expand(text, collected, depth + 1);
}

/** Command lines that a command is given to run. */
function innerLines({ program, args, command }: RunCommand): readonly string[] {
  const texts = args.map(({ text }) => text);
  if (isShell(program)) {
    const flag = texts.findIndex((text) => /^-[a-z]*c[a-z]*$/i.test(text));
    const given = flag === -1 ? undefined : texts[flag + 1];
    const strings = command.redirections.filter(({ operator }) => operator === '<<<').map(({ target }) => target.text);
    return given === undefined ? strings : [given, ...strings];
  }
  if (program === 'eval') return [texts.join(' ')];
  if (program === 'trap') return texts.slice(0, 1);
  if (program === 'su' || program === 'script' || program === 'watch' || program === 'flock') {
    const flag = texts.indexOf('-c');
    return flag === -1 ? texts.slice(-1) : texts.slice(flag + 1, flag + 2);
  }
  return [];
}

/** The text that a here-document, `echo` or `printf` writes. */
function writtenText({ words }: ShellCommand): readonly string[] {
  const [first, ...rest] = words;
  if (!first || ![heredocProgram, 'echo', 'printf'].includes(first.text)) return [];
  const texts = rest.map(({ text }) => text.replaceAll('\\n', '\n')).filter((text) => !text.startsWith('-'));
  return [texts.join(' ')];
}

/** The command as written, and for a wrapper every rest of its words, since options hide where the inner one begins. */
function* listRuns(command: ShellCommand, pipeline: number): Generator<RunCommand> {
  for (const [index, { text }] of command.words.slice(0, mostInner).entries()) {
    const program = nameOf(text);
    yield { program, written: text, args: command.words.slice(index + 1), command, pipeline };
    if (index === 0 && !wrappers.has(program)) return;
  }
}

function nameOf(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).toLowerCase();
  return name.endsWith('.exe') ? name.slice(0, -4) : name;
}
