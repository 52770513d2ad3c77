import { maxLineLength } from '../expand/parse-evaluated-shell.ts';
import type { RunWord } from '../run/run-word.ts';
import { findDownloads, runsDownload, type Downloads } from './downloads.ts';
import { expandCommands } from '../expand/expand-commands.ts';
import { type ExpandedShell, type RunCommand } from '../run/run-command.ts';
import { reachOf } from './wide-paths.ts';

/** A condition on the arguments of a command. */
export type Sign =
  | 'recursive'
  | 'forced'
  | 'system path'
  | 'system path or working folder'
  | 'moves a system path'
  | 'delete action'
  | 'open to everyone'
  | 'writes a device'
  | 'pushes to a main branch'
  | 'overwrites history'
  | 'runs what it downloads';

/** A command that is refused in every mode. */
export interface DestructiveRule {
  readonly key: string;
  /** Lower-case program names. A trailing star matches any suffix. */
  readonly programs: readonly string[];
  /** All of these conditions must hold. */
  readonly signs: readonly Sign[];
  readonly reason: string;
}

/**
 * Commands that are refused in every mode. The list is short on purpose: it prevents accidents and is not a security
 * boundary.
 */
export const destructiveRules: readonly DestructiveRule[] = [
  {
    key: 'destructive/remove-wide',
    programs: ['rm', 'rmdir', 'del', 'rd', 'srm', 'remove-item', 'unlink', 'shred'],
    signs: ['recursive', 'system path or working folder'],
    reason: 'it would remove a whole system, home or working folder',
  },
  {
    key: 'destructive/find-delete',
    programs: ['find', 'fd', 'fdfind'],
    signs: ['delete action', 'system path'],
    reason: 'it would delete everything that it finds in a whole system or home',
  },
  {
    key: 'destructive/open-wide',
    programs: ['chmod'],
    signs: ['recursive', 'open to everyone', 'system path'],
    reason: 'it would open a whole system or home to everyone',
  },
  {
    key: 'destructive/move-wide',
    programs: ['mv', 'move-item'],
    signs: ['moves a system path'],
    reason: 'it would move a whole system or home away',
  },
  {
    key: 'destructive/own-wide',
    programs: ['chown', 'chgrp'],
    signs: ['recursive', 'system path'],
    reason: 'it would change the owner of a whole system or home',
  },
  {
    key: 'destructive/make-file-system',
    programs: ['mkfs*', 'mkswap', 'wipefs', 'fdisk', 'sfdisk', 'parted', 'mke2fs'],
    signs: [],
    reason: 'it would erase a disk',
  },
  {
    key: 'destructive/write-device',
    programs: ['dd', 'tee', 'cp', 'mv', 'cat', 'shred', 'truncate'],
    signs: ['writes a device'],
    reason: 'it would overwrite a disk',
  },
  {
    key: 'destructive/push-main',
    programs: ['git'],
    signs: ['pushes to a main branch', 'overwrites history'],
    reason: 'it would overwrite the history of a main branch',
  },
  {
    key: 'destructive/run-download',
    programs: ['*'],
    signs: ['runs what it downloads'],
    reason: 'it would run what it downloads unseen',
  },
];

/** The destructive command that was found, and why it is refused. */
export interface DestructiveFinding {
  readonly key: string;
  readonly reason: string;
}

interface Scene {
  readonly run: RunCommand;
  /** Index of the command in its line. */
  readonly place: number;
  readonly downloads: Downloads;
  readonly home: string | undefined;
}

/**
 * Returns why a command line is obviously destructive, or undefined if it is not. `home` is the home directory, if
 * known.
 *
 * @example
 * import { findDestructive } from '@haft/permission';
 * findDestructive('ls -la'); // => undefined
 * findDestructive('rm -rf /')?.reason; // => 'it would remove a whole system, home or working folder'
 */
export function findDestructive(line: string, home?: string): DestructiveFinding | undefined {
  return findDestructiveIn(expandCommands(line, { home }), line, home);
}

/** {@link findDestructive} for an expanded line. */
export function findDestructiveIn(
  expanded: ExpandedShell,
  line: string,
  home: string | undefined,
): DestructiveFinding | undefined {
  for (const { operator, target } of expanded.redirections) {
    if (operator.includes('>') && isDisk(target.text))
      return { key: 'destructive/write-device', reason: 'it would overwrite a disk' };
  }
  // A fork bomb: a function that calls itself twice, followed by a call to it.
  if (line.includes('()') && startsItself.test(line.slice(0, maxLineLength)))
    return { key: 'destructive/fork-bomb', reason: 'it would start processes without end' };
  const downloads = findDownloads(expanded);
  for (const [place, run] of expanded.commands.entries()) {
    const scene: Scene = { run, place, downloads, home };
    const rule = rulesFor(run.program).find(({ signs }) => signs.every((sign) => signTests[sign](scene)));
    if (rule) return { key: rule.key, reason: rule.reason };
  }
  return undefined;
}

const startsItself = /(?<![\w:.])([\w:.]{1,64})\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;\s*\1/;

/** The rules for each program, together with the rules for all programs, in their original order. */
const rulesByName: ReadonlyMap<string, readonly DestructiveRule[]> = new Map(
  destructiveRules.flatMap(({ programs }) => programs.map((name) => [name, listRules(name)] as const)),
);
const rulesForAny = listRules('');
const hasStar = destructiveRules.flatMap(({ programs }) => programs.filter((name) => /.\*$/.test(name)));

function rulesFor(program: string): readonly DestructiveRule[] {
  const named = rulesByName.get(program);
  if (named) return named;
  return hasStar.some((name) => isNamed(program, name)) ? listRules(program) : rulesForAny;
}

function listRules(program: string): readonly DestructiveRule[] {
  return destructiveRules.filter(({ programs }) => programs.some((name) => isNamed(program, name)));
}

function isNamed(program: string, name: string): boolean {
  return name.endsWith('*') ? program.startsWith(name.slice(0, -1)) : program === name;
}

const signTests: Readonly<Record<Sign, (scene: Scene) => boolean>> = {
  recursive: ({ run }) =>
    run.args.some(
      ({ text }) => /^-[a-z]*r/i.test(text) || /^--(?:recursive|no-preserve-root)/i.test(text) || /^\/s$/i.test(text),
    ),
  forced: ({ run }) => run.args.some(({ text }) => /^-[a-z]*f/i.test(text) || /^--force$/i.test(text)),
  'system path': ({ run, home }) => run.args.some((word) => isPath(word) && reachOf(word, home) === 'system'),
  'system path or working folder': ({ run, home }) =>
    run.args.some((word) => isPath(word) && reachOf(word, home) !== 'less'),
  'moves a system path': ({ run, home }) =>
    run.args.slice(0, -1).some((word) => isPath(word) && reachOf(word, home) === 'system'),
  'delete action': ({ run }) =>
    run.args.some(
      ({ text }, index) =>
        text === '-delete' ||
        (/^-(?:exec|execdir|ok|okdir|x|X|-exec|-exec-batch)$/.test(text) &&
          /(?:^|\/)(?:rm|shred|unlink|srm)$/i.test(run.args[index + 1]?.text ?? '')),
    ),
  'open to everyone': ({ run }) =>
    run.args.some(
      ({ text }) =>
        /^0?[0-7]?[0-7][0-7][2367]$/.test(text) || /(?:^|,)(?:[ug]{0,8}[oa][ugoa]{0,8})?[+=][rxXst]{0,8}w/.test(text),
    ),
  'writes a device': ({ run }) =>
    run.program === 'dd'
      ? run.args.some(({ text }) => text.toLowerCase().startsWith('of=') && isDisk(text.slice(3)))
      : run.program !== 'cat' &&
        run.args.length > 0 &&
        isDisk(
          run.program === 'tee' || run.program === 'shred' || run.program === 'truncate'
            ? (run.args.find(({ text }) => isDisk(text))?.text ?? '')
            : run.args.at(-1)!.text,
        ),
  'pushes to a main branch': ({ run }) =>
    run.args.some(({ text }) => text === 'push') &&
    run.args.some(({ text }) => /^(?:\+?(?:[^:\s]*:)?(?:refs\/heads\/)?(?:main|master|trunk))$/.test(text)),
  'overwrites history': (scene) =>
    signTests.forced(scene) ||
    scene.run.args.some(
      ({ text }) =>
        /^--(?:mirror|delete)$/.test(text) ||
        /^-d$/.test(text) ||
        /^\+\S/.test(text) ||
        /^:(?:refs\/heads\/)?(?:main|master|trunk)$/.test(text),
    ),
  'runs what it downloads': ({ run, place, downloads }) => runsDownload(run, place, downloads),
};

/** Returns whether a word is neither an option nor a Windows switch such as `/q`. */
function isPath({ text }: RunWord): boolean {
  return !text.startsWith('-') && !/^\/[sqfa]$/i.test(text);
}

function isDisk(path: string): boolean {
  // Fast path: hardly any word begins like this.
  if (!path.startsWith('/') && !path.startsWith('\\')) return false;
  return (
    /^\/+dev\/+(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|md|loop)/.test(path) ||
    /^\\\\\.\\physicaldrive/i.test(path)
  );
}
