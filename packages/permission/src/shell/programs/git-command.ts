import type { RunWord } from '../run/run-word.ts';

/** The git command of a `git` line, with its arguments. */
export interface GitCommand {
  readonly name: string;
  readonly args: readonly RunWord[];
}

const takesValue =
  /^(?:-C|-c|--git-dir|--work-tree|--namespace|--exec-path|--super-prefix|--config-env|--list-cmds|--attr-source)$/;

const pushes: ReadonlySet<string> = new Set(['send-pack', 'http-push']);
const pushingCommands: ReadonlyMap<string, string> = new Map([
  ['lfs', 'push'],
  ['subtree', 'push'],
  ['svn', 'dcommit'],
  ['p4', 'submit'],
]);

/**
 * Returns the equivalent words of `git push` for a command such as `git subtree push`. Returns undefined for other
 * commands.
 */
export function pushedBy(words: readonly RunWord[]): readonly RunWord[] | undefined {
  const { name, args } = gitCommandOf(words);
  const [first] = words;
  if (first === undefined) return undefined;
  const push = { ...first, text: 'push', isKnown: true, glob: undefined };
  if (pushes.has(name)) return [push, ...args];
  const pushing = pushingCommands.get(name);
  const at = pushing === undefined ? -1 : args.findIndex(({ text }) => text === pushing);
  return at === -1 ? undefined : [push, ...args.slice(at + 1)];
}

/** Finds the git command after the global options of git. */
export function gitCommandOf(args: readonly RunWord[]): GitCommand {
  let at = 0;
  while (at < args.length && args[at]!.text.startsWith('-')) at += takesValue.test(args[at]!.text) ? 2 : 1;
  return { name: args[at]?.text ?? '', args: args.slice(at + 1) };
}
