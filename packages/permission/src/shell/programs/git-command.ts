import type { RunWord } from '../run/run-word.ts';

/** The command of a `git` line with what follows it. */
export interface GitCommand {
  readonly name: string;
  readonly args: readonly RunWord[];
}

const takesValue =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env|--list-cmds|--attr-source)$/;

/** Finds the command of git behind its own options. */
export function gitCommandOf(args: readonly RunWord[]): GitCommand {
  let at = 0;
  while (at < args.length && args[at]!.text.startsWith('-')) at += takesValue.test(args[at]!.text) ? 2 : 1;
  return { name: args[at]?.text ?? '', args: args.slice(at + 1) };
}
