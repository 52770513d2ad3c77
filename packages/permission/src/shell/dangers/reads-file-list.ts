import type { RunCommand } from '../run/run-command.ts';
import { compileOptions, hasOption, type OptionTable } from '../programs/read-options.ts';

/** Options that read file names, URLs or settings from a file. */
const lists: ReadonlyMap<string, OptionTable<'list'>> = new Map(
  Object.entries({
    'wc du sort shred': '--files0-from=',
    'tar bsdtar gtar star': '-T= --files-from=',
    rsync: '--files-from=',
    date: '-f= --file=',
    'xargs parallel': '-a= --arg-file=',
    git: '--pathspec-from-file=',
    'aria2c wget': '-i= --input-file= --config=',
    curl: '-K= --config=',
    exiftool: '-@=',
    zip: '-@',
    'cpio pax': '-o -p -w --create',
    'ssh scp sftp autossh': '-F=',
    sftp: '-b=',
  }).flatMap(([programs, list]) => {
    const table = compileOptions({ list });
    return programs.split(' ').map((program) => [program, table] as const);
  }),
);
const readsOptionsOf = /^(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+|ld|ar|javac|java|rustc|7z\w*|swiftc|kotlinc|lld|link)$/;

/** Returns whether a command takes file names, URLs or settings from a file, which the line does not show. */
export function readsFileList({ program, args }: RunCommand): boolean {
  const table = lists.get(program);
  if (table && hasOption(args, table)) return true;
  const [first] = args;
  if (/^[bg]?s?tar$/.test(program) && first && /^[a-zA-Z]*T[a-zA-Z]*$/.test(first.text)) return true;
  if (program === 'parallel') return args.some(({ text }) => text.startsWith('::::'));
  if (program === 'ffmpeg') return args.some(({ text }) => /^concat(?::|f?$)/.test(text));
  return readsOptionsOf.test(program) && args.some(({ text }) => text.startsWith('@'));
}
