import type { ShellWord } from './parse-shell.ts';
import { expandCommands, isShell, type ExpandedShell, type RunCommand } from './expand-commands.ts';
import { reachOf } from './wide-paths.ts';

/** A sign by which a command shows what it would do. */
export type Sign =
  | 'recursive'
  | 'forced'
  | 'system path'
  | 'system path or working folder'
  | 'delete action'
  | 'open to everyone'
  | 'writes a device'
  | 'pushes to a main branch'
  | 'overwrites history'
  | 'runs what it downloads';

/** A command that is never run, whoever allows it. */
export interface DestructiveRule {
  readonly key: string;
  /** Names of programs, in lower case; a star at the end stands for anything. */
  readonly programs: readonly string[];
  /** All of these must show. */
  readonly signs: readonly Sign[];
  readonly reason: string;
}

/** What is refused in every mode. Short on purpose: it stops accidents, it does not keep anybody in. */
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
    reason: 'it would delete whatever it finds in a whole system or home',
  },
  {
    key: 'destructive/open-wide',
    programs: ['chmod'],
    signs: ['recursive', 'open to everyone', 'system path'],
    reason: 'it would open a whole system or home to everyone',
  },
  {
    key: 'destructive/own-wide',
    programs: ['chown', 'chgrp'],
    signs: ['recursive', 'system path'],
    reason: 'it would give away a whole system or home',
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

/** What a destructive command is and why it is refused. */
export interface DestructiveFinding {
  readonly key: string;
  readonly reason: string;
}

interface Scene {
  readonly run: RunCommand;
  readonly line: ExpandedShell;
  readonly home: string | undefined;
}

/** Finds out whether a command line is obviously destructive. `home` is the home directory, where it is known. */
export function findDestructive(line: string, home?: string): DestructiveFinding | undefined {
  const expanded = expandCommands(line);
  for (const { operator, target } of expanded.redirections) {
    if (operator.includes('>') && isDisk(target.text))
      return { key: 'destructive/write-device', reason: 'it would overwrite a disk' };
  }
  // A function that calls itself twice, and then itself.
  if (/([\w:.]+)\s*\(\)\s*\{\s*\1\s*\|\s*\1\s*&\s*\}\s*;\s*\1/.test(line))
    return { key: 'destructive/fork-bomb', reason: 'it would start processes without end' };
  for (const run of expanded.commands) {
    const scene: Scene = { run, line: expanded, home };
    const rule = destructiveRules.find(
      ({ programs, signs }) =>
        programs.some((name) => isNamed(run.program, name)) && signs.every((sign) => signTests[sign](scene)),
    );
    if (rule) return { key: rule.key, reason: rule.reason };
  }
  return undefined;
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
        /^0?[0-7]?[0-7][0-7][2367]$/.test(text) || /(?:^|,)[ugoa]*[oa][ugoa]*[+=][rxXst]*w|^[+=][rxXst]*w/.test(text),
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
  'runs what it downloads': runsDownload,
};

/** Neither an option nor a Windows switch such as `/q`. */
function isPath({ text }: ShellWord): boolean {
  return !text.startsWith('-') && !/^\/[sqfa]$/i.test(text);
}

function isDisk(path: string): boolean {
  return (
    /^\/+dev\/+(?:sd|hd|vd|xvd|nvme|mmcblk|disk|rdisk|mapper\/|dm-|md|loop)/.test(path) ||
    /^\\\\\.\\physicaldrive/i.test(path)
  );
}

const downloaders: ReadonlySet<string> = new Set([
  'curl',
  'wget',
  'fetch',
  'aria2c',
  'http',
  'https',
  'invoke-webrequest',
  'iwr',
]);
const interpreters: ReadonlySet<string> = new Set([
  'python',
  'python2',
  'python3',
  'node',
  'perl',
  'ruby',
  'php',
  'source',
  '.',
  'eval',
  'iex',
  'pwsh',
  'powershell',
  'deno',
  'bun',
]);

function runsDownload({ run, line }: Scene): boolean {
  const isInterpreter = isShell(run.program) || interpreters.has(run.program);
  if (isInterpreter) {
    // bash <(curl …), sh -c "$(curl …)", eval "$(curl …)"
    if (run.args.some(({ nested }) => nested.some(({ words }) => isDownloader(words[0]?.text)))) return true;
    // curl … | sh: with an argument that is no option or `-`, what is piped in is data.
    const file = run.args.find(({ text }) => !text.startsWith('-'));
    const reads =
      file === undefined || run.args.some(({ text }) => text === '-s' || text === '-' || text === '/dev/stdin');
    const piped = line.commands.some(
      (other) =>
        other.command.pipeline === run.command.pipeline &&
        other.command !== run.command &&
        downloaders.has(other.program) &&
        isBefore(line, other, run),
    );
    if (reads && piped) return true;
    if (file !== undefined && isDownloaded(line, file.text)) return true;
  }
  // ./x after curl -o x
  return (run.command.words[0]?.text.includes('/') ?? false) && isDownloaded(line, run.command.words[0]!.text);
}

function isBefore(line: ExpandedShell, one: RunCommand, other: RunCommand): boolean {
  return line.commands.indexOf(one) < line.commands.indexOf(other);
}

function isDownloader(program: string | undefined): boolean {
  return program !== undefined && downloaders.has(program.slice(program.lastIndexOf('/') + 1).toLowerCase());
}

/** Whether a download of the same line wrote this file. */
function isDownloaded(line: ExpandedShell, path: string): boolean {
  const wanted = plainName(path);
  return line.commands.some(({ program, args, command }) => {
    if (!downloaders.has(program)) return false;
    const texts = args.map(({ text }) => text);
    const named = texts.flatMap((text, index) => {
      if (/^(?:-o|-O|--output|--output-document)$/.test(text)) return [texts[index + 1] ?? ''];
      const joined = /^(?:-[a-zA-Z]*[oO]|--output=|--output-document=)(.+)$/.exec(text);
      return joined?.[1] === undefined ? [] : [joined[1]];
    });
    const redirected = command.redirections
      .filter(({ operator }) => operator.startsWith('>'))
      .map(({ target }) => target.text);
    // wget, and curl -O, name the file after the address.
    const addresses = texts
      .filter((text) => /^[a-z]+:\/\//i.test(text))
      .map((text) => text.replace(/[?#].*$/, '').replace(/^.*\//, ''));
    return [...named, ...redirected, ...addresses].some(
      (name) => name !== '' && name !== '-' && plainName(name) === wanted,
    );
  });
}

function plainName(path: string): string {
  return path.replace(/^(?:\.\/+)+/, '');
}
