import type { RunCommand } from '../run/run-command.ts';
import { shells } from './programs.ts';
import type { RunWord } from '../run/run-word.ts';

/** Options that are followed by a value. */
const sshValue = /^-[bBcDeEFIiJLlmOopPQRSWw]$/;
const sudoValue = /^-[ughpCTrtDRU]$/;

/**
 * Whether a command reads lines from its input and runs them: a shell, and what becomes one when it is given no command, such
 * as `sudo -s`, `su`, `ssh host` or `at now`.
 */
export function readsLines({ program, args }: RunCommand): boolean {
  if (shells.has(program)) return true;
  const has = (option: RegExp): boolean => args.some(({ text }) => option.test(text));
  if (program === 'at' || program === 'batch' || program === 'newgrp') return !has(/^-[flcr]/);
  if (program === 'crontab') return !has(/^-[lr]$/);
  if (program === 'su' || program === 'runuser') return !has(/^(?:-[a-z]*c|--command(?:=|$)|-u$|--user(?:=|$))/);
  if (program === 'sudo' || program === 'doas') {
    // Its own options only: those of the command it runs mean something else, and there may be very many.
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

function firstWordAfterOptions(args: readonly RunWord[], takesValue: RegExp): number {
  let at = 0;
  while (at < args.length && args[at]!.text.startsWith('-')) at += takesValue.test(args[at]!.text) ? 2 : 1;
  return Math.min(at, args.length);
}
