import type { RunCommand } from '../run/run-command.ts';
import { opensNothing, shells } from './programs.ts';
import type { RunWord } from '../run/run-word.ts';
import { heredocProgram } from '../parse/read-heredoc.ts';
import type { ShellCommand } from '../syntax/shell-word.ts';

/** Options that take a value. */
const sshValue = /^-[bBcDeEFIiJLlmOopPQRSWw]$/;
const sudoValue = /^-[ughpCTrtDRU]$/;

/**
 * Returns whether a command reads lines from its input and runs them: a shell, or a program that starts one if it is
 * given no command, such as `sudo -s`, `su`, `ssh host` or `at now`.
 */
export function readsLines({ program, args }: RunCommand): boolean {
  if (shells.has(program)) return true;
  const has = (option: RegExp): boolean => args.some(({ text }) => option.test(text));
  if (program === 'at' || program === 'batch' || program === 'newgrp') return !has(/^-[flcr]/);
  if (program === 'crontab') return !has(/^-[lr]$/);
  if (program === 'su' || program === 'runuser') return !has(/^(?:-[a-z]*c|--command(?:=|$)|-u$|--user(?:=|$))/);
  if (program === 'sudo' || program === 'doas') {
    // Only sudo's own options: those of the inner command have another meaning, and there may be very many.
    const own = args.slice(0, firstWordAfterOptions(args, sudoValue));
    return own.some(({ text }) => /^(?:-[a-zA-Z]*[si][a-zA-Z]*|--shell|--login)$/.test(text));
  }
  if (program === 'script') return !has(/^(?:-[a-z]*c|--command(?:=|$))/);
  if (program === 'ssh') return args.length - firstWordAfterOptions(args, sshValue) <= 1;
  if (program === 'chroot') return args.filter(({ text }) => !text.startsWith('-')).length <= 1;
  if (program === 'nsenter' || program === 'unshare' || program === 'parallel')
    return args.every(({ text }) => /^(?:-.*|\d+)$/.test(text));
  return false;
}

/**
 * Returns whether a command runs lines while it reads them from its input, so that other readers of this input consume
 * some of them.
 */
export function readsScriptFromInput(run: RunCommand): boolean {
  const { program, args } = run;
  if (!shells.has(program)) return readsLines(run);
  if (args.some(({ text }) => /^-[a-z]*c/i.test(text))) return false;
  const script = args.find(({ text }) => !text.startsWith('-') || text === '-');
  return script === undefined || args.some(({ text }) => /^(?:-|-[a-z]*s|\/dev\/(?:stdin|fd\/0))$/.test(text));
}

/** Builtins and programs that do not read their input, or read it to its end. */
const leavesInput: ReadonlySet<string> = new Set(
  (
    'git npm pnpm yarn make cargo go tsc eslint prettier vitest jest pytest pip pip3 apt apt-get brew dotnet mvn gradle kubectl ' +
    'helm terraform cp mv rm rmdir ln touch chmod chown tar zip unzip curl wget cat sort wc tee tr uniq cut diff du jq'
  ).split(' '),
);
const readsLine: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray']);

/** Returns whether a command may read only a part of its input, so that the rest begins elsewhere. */
export function mayReadPart({ words, construct, redirections }: ShellCommand): boolean {
  const [first] = words;
  if (construct !== undefined) return construct === 'select';
  if (!first || redirections.some(({ operator }) => operator.startsWith('<'))) return false;
  const { text, isLiteral } = first;
  // A `printf` format is also read as a line.
  if (text.includes('%')) return false;
  return (
    !isLiteral || readsLine.has(text) || !(opensNothing.has(text) || leavesInput.has(text) || text === heredocProgram)
  );
}

function firstWordAfterOptions(args: readonly RunWord[], takesValue: RegExp): number {
  let at = 0;
  while (at < args.length && args[at]!.text.startsWith('-')) at += takesValue.test(args[at]!.text) ? 2 : 1;
  return Math.min(at, args.length);
}
