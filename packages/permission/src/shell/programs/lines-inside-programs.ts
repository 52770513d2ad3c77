import { resolveEscapes } from '../parse/ansi-quotes.ts';
import type { RunCommand } from '../run/run-command.ts';
import { givenLines } from './lines-given-to-programs.ts';
import { shells } from './programs.ts';
import { compileOptions, findValues } from './read-options.ts';
import type { RunWord } from '../run/run-word.ts';
import { heredocProgram } from '../parse/read-heredoc.ts';
import { onlyReads } from './written-words.ts';

/** A text that is run as a command line. */
export interface InnerLine {
  readonly text: string;
  /** False if a part of the text is unknown. */
  readonly isKnown: boolean;
  /** True if the line has arguments of its own, as `$1` and so on. */
  readonly hasArguments: boolean;
  /** True for a text that Bash evaluates but does not run as a line: only substitutions in it run. */
  readonly isEvaluated?: true;
  /** True if a shell reads the line from its input, which the commands in it also read. */
  readonly isInput?: true;
  /** True if the shell that runs the command also runs the line, so that the line can set its variables. */
  readonly isOwn?: boolean;
  /** True if a shell other than Bash may run the line. */
  readonly isForeign?: boolean;
}

/** Programs that run an argument as a line if it looks like one. */
const takesLines: ReadonlySet<string> = new Set(
  (
    'ssh su runuser script watch flock docker docker-compose podman nerdctl kubectl oc lxc vagrant wsl parallel sem tmux screen entr npx ' +
    'xargs sg newgrp hyperfine concurrently nodemon watchexec mosh autossh pdsh pssh capsh dtach abduco minikube multipass colima ' +
    'limactl heroku nix-shell asciinema ansible lerna sbt i3-msg swaymsg'
  ).split(' '),
);
const looksLikeLine = /[\s;&|`<>]|\$\(/;
const commandName =
  '(?:command|exec|cmd|shell|rsh|action|program|call|hook|askpass|editor|speller|viewer|preview|ssh|server|diff3?-cmd)';
/** Matches `--rsh=…` and `-o ssh_command=…`. */
const namesCommand = new RegExp(
  `^(?:--on-[\\w-]+|--?[\\w-]*${commandName}[\\w-]*|[\\w.:]*(?:_command|_?askpass|\\.command|\\.cmd|\\.ssh|\\.editor|:ssh)|alias\\.[\\w-]+|hooks\\.[\\w.-]+)=(?:exec=|!)?([^]+)$`,
  'i',
);
/** Matches the same options with the command in the next word. */
const namesNext = new RegExp(`^--(?:on-[\\w-]+|bind)$|^--?[\\w-]*${commandName}[\\w-]*$`, 'i');
/** A program that pipes to or from a command takes it after this character: `-o '|sh'`. */
const pipesInto = /^(?:--?[\w-]+=)?\|\s*([\w./~$"'][^]*)$/;
/** Matches `fzf --bind 'enter:execute(…)'`. */
const bindsCommand = /\b(?:execute(?:-silent)?|become|reload|transform|preview)[-\w]*[(:[{]([^]+?)[)\]}]?$/;
const gitCommandSetting =
  /^(?:alias\.[^=]+|core\.(?:pager|editor|sshCommand|fsmonitor|askPass|gitProxy)|sequence\.editor|diff\.external|pager\.[^=]+|credential\.[^=]*helper|[^=]+\.(?:cmd|command|textconv|driver|process|clean|smudge|program))=!?([^]*)$/i;

/** Returns the command lines that a command runs, in any of the supported syntaxes. */
export function innerLinesOf(run: RunCommand): readonly InnerLine[] {
  const { program, args } = run;
  if (shells.has(program)) return linesOfShell(run);
  if (program === 'eval') return [joinLine(args)];
  if (program === 'trap' || program === 'at' || program === 'batch')
    return args
      .filter(({ text }) => text !== '--')
      .slice(0, 1)
      .map((word) => toLine(word));
  if (program === 'alias' || program === 'abbr')
    return args
      .filter(({ text }) => text.includes('='))
      .map((word) => toLine(word, word.text.slice(word.text.indexOf('=') + 1)));
  // `env -S` splits a text into words, as a shell does.
  if (program === 'env') return linesOfEnv(args);
  if (program === 'git') return [...linesOfGit(args), ...givenLines(run).map(({ word, text }) => toLine(word, text))];
  const named: InnerLine[] = [];
  for (const word of args) {
    const text = word.text.includes('=') ? namesCommand.exec(word.text)?.[1] : undefined;
    if (text !== undefined) named.push(toLine(word, text));
  }
  for (const { word, text } of givenLines(run)) named.push(toLine(word, text));
  if (!onlyReads(run)) named.push(...hiddenLines(args));
  const isShellMode = program === 'pnpm' && args.some(({ text }) => /^(?:-c|--shell-mode)$/.test(text));
  if (!takesLines.has(program) && !isShellMode)
    return [...named, ...afterOption(args, /^(?:-c|--command|--call)$/, program === 'npm' || program === 'pnpm')];
  const last = args.at(-1);
  const isLine = ({ text }: RunWord): boolean => looksLikeLine.test(text);
  return [
    ...named,
    ...args.filter(isLine).map((word) => toLine(word)),
    ...(last && !isLine(last) && !isPattern(last) ? [toLine(last)] : []),
  ];
}

/** Returns the commands after an option for commands such as `--exec`, after `|`, and in key bindings. */
function hiddenLines(args: readonly RunWord[]): readonly InnerLine[] {
  const lines: InnerLine[] = [];
  for (let index = 0; index < args.length; index += 1) {
    const word = args[index]!;
    const { text } = word;
    const piped = text.includes('|') ? pipesInto.exec(text)?.[1] : undefined;
    if (piped !== undefined) lines.push(toLine(word, piped));
    if (!text.startsWith('-')) continue;
    const next = args[index + 1];
    if (next && namesNext.test(text) && !next.text.startsWith('-')) {
      lines.push(toLine(next, next.text.replace(/^!/, '')));
      const bound = bindsCommand.exec(next.text)?.[1];
      if (bound !== undefined) lines.push(toLine(next, bound));
    }
    const bound = text.startsWith('--bind=') ? bindsCommand.exec(text)?.[1] : undefined;
    if (bound !== undefined) lines.push(toLine(word, bound));
  }
  return lines;
}

/** Returns whether a quoted pattern is meant for the program itself to match with. */
function isPattern({ text, hasQuotedPattern }: RunWord): boolean {
  return hasQuotedPattern && !/[$\\{]/.test(text);
}

function linesOfShell({ args }: RunCommand): readonly InnerLine[] {
  const at = args.findIndex(({ text }) => /^-[a-z]*c[a-z]*$/i.test(text));
  const given = at === -1 ? undefined : args.slice(at + 1).find(({ text }) => !/^[-+]./.test(text));
  const hasArguments = given !== undefined && args.indexOf(given) < args.length - 1;
  return given === undefined ? [] : [{ ...toLine(given), hasArguments }];
}

const splitText = compileOptions({ line: '-S= --split-string=' });

// Only the first word is an option of `env`, unless it is the value of another option.
const maxSplitLength = 2;

/** Further arguments are appended to the words that the text is split into. */
function linesOfEnv(args: readonly RunWord[]): readonly InnerLine[] {
  return findValues(args, splitText).map((word, index) => {
    const line = toLine(word, word.text.replaceAll(/\\[_tnfrv]/g, ' '));
    if (index >= maxSplitLength) return line;
    const at = args.findIndex((own) => own === word || (own.text.startsWith('-') && own.text.endsWith(word.text)));
    const behind = args.slice(at + 1);
    const quoted = behind.map(({ text }) => ` '${text.replaceAll("'", String.raw`'\''`)}'`);
    const isKnown = line.isKnown && behind.every((own) => own.isKnown && own.glob === undefined);
    return { ...line, text: line.text + quoted.join(''), isKnown };
  });
}

function linesOfGit(args: readonly RunWord[]): readonly InnerLine[] {
  const lines = args.flatMap((word, index) => {
    // The name of each of these settings contains a dot.
    if (!word.text.includes('.')) return [];
    const joined = gitCommandSetting.exec(word.text)?.[1];
    if (joined !== undefined) return [toLine(word, joined), ...aliasLine(word, joined)];
    const value = gitCommandSetting.test(`${word.text}=`) ? args[index + 1] : undefined;
    return value ? [toLine(value, value.text.replace(/^!/, '')), ...aliasLine(word, value.text)] : [];
  });
  const at = args.findIndex(({ text }) => text === 'foreach' || text === 'run' || text === 'filter-branch');
  const rest = at === -1 ? [] : args.slice(at + 1).map((word) => toLine(word));
  return [...lines, ...rest];
}

/** An alias without `!` is a git command. */
function aliasLine(word: RunWord, value: string): readonly InnerLine[] {
  return /(?:^|[\s=])alias\./.test(word.text) && !value.startsWith('!') ? [toLine(word, `git ${value}`)] : [];
}

function afterOption(args: readonly RunWord[], option: RegExp, isWanted: boolean): readonly InnerLine[] {
  if (!isWanted) return [];
  const at = args.findIndex(({ text }) => option.test(text));
  const given = at === -1 ? undefined : args[at + 1];
  return given ? [toLine(given)] : [];
}

function toLine({ isKnown, glob }: RunWord, text: string): InnerLine;
function toLine(word: RunWord): InnerLine;
function toLine({ text, isKnown, glob }: RunWord, shown: string = text): InnerLine {
  return { text: shown, isKnown: isKnown && glob === undefined, hasArguments: false };
}

function joinLine(words: readonly RunWord[]): InnerLine {
  return {
    text: words.map(({ text }) => text).join(' '),
    isKnown: words.every(({ isKnown, glob }) => isKnown && glob === undefined),
    hasArguments: false,
  };
}

/**
 * Returns the text that a here-document, `echo` or `printf` writes, in all readings of its escapes. Returns undefined
 * for other programs.
 */
export function writtenLines({ program, args, command }: RunCommand): readonly InnerLine[] | undefined {
  if (program !== heredocProgram && program !== 'echo' && program !== 'printf') return undefined;
  const isKnown = command.isExpandedText !== true && args.every((word) => word.isKnown && word.glob === undefined);
  const texts = args.map(({ text }) => text).filter((text) => program === heredocProgram || !/^-[neE]+$/.test(text));
  const joined = texts.join(' ');
  const [format = '', ...values] = texts;
  const readings = program === 'printf' ? [joined, fillIn(format, values), ...values] : [joined];
  const escaped = readings.flatMap((text) => (text.includes('\\') ? [text, resolveEscapes(text)] : [text]));
  return [...new Set(escaped)].map((text) => ({ text, isKnown, hasArguments: false }));
}

/** Returns the output of `printf` for a format. The format is repeated while values are left. */
function fillIn(format: string, values: readonly string[]): string {
  const pieces = format.split(/%[-+ #0]*\d*(?:\.\d+)?[a-zA-Z]/, 200);
  if (pieces.length === 1) return format;
  let filled = '';
  for (let next = 0; next === 0 || (next < values.length && filled.length < 40_000);) {
    for (const [index, piece] of pieces.entries()) {
      filled += piece;
      if (index < pieces.length - 1) {
        filled += values[next] ?? '';
        next += 1;
      }
    }
  }
  return filled;
}
