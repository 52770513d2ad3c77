import { readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { compileGlob } from '@haft/sandbox';
import type { RunCommand } from '../shell/run/run-command.ts';
import { gitCommandOf } from '../shell/programs/git-command.ts';
import type { RunWord } from '../shell/run/run-word.ts';
import type { ProtectedPaths } from './protected-paths.ts';

/** Git commands that print or copy the contents of files. */
const printsContents =
  /^(?:grep|diff|difftool|show|log|archive|stash|blame|annotate|checkout|restore|format-patch|whatchanged|range-diff)$/;
const printsPatches =
  /^(?:-p|-u|-U\d*|--patch\S*|--unified\S*|-[SGL]\S*|-c|--cc|-m|--full-diff|--word-diff\S*|--color-words\S*|--ext-diff|--textconv)$/;
const listsOnly =
  /^(?:--name-only|--name-status|--stat\S*|--shortstat|--numstat|--summary|--dirstat\S*|--raw|--quiet|--exit-code|--check|-l|--files-with-matches|--files-without-match|-L|-c|--count|-q|-s|--no-patch)$/;

/** Sample names to test git patterns against. Tracked secrets are not necessarily on the disk. */
const examples: readonly string[] =
  '.env .env.local .env.production .npmrc .netrc .pgpass .git-credentials id_rsa id_ed25519 a.pem a.key a.p12 .htpasswd .pypirc'.split(
    ' ',
  );

/** The files that a git command names by pathspecs. */
export interface GitPaths {
  /** Paths without their pathspec prefix, such as `.env` for `:(top).env`. */
  readonly named: readonly RunWord[];
  /** True if a pattern matches the name of a typical secret. */
  readonly fitsSecret: boolean;
  /** True if the command prints the contents of all tracked files of the repository. */
  readonly readsAll: boolean;
}

/** Parses the pathspecs of a git command. Returns undefined for commands that print no contents. */
export function readGitPaths({ program, args }: RunCommand, isProtected: ProtectedPaths): GitPaths | undefined {
  if (program !== 'git') return undefined;
  const { name, args: rest } = gitCommandOf(args);
  if (!printsContents.test(name)) return undefined;
  const named: RunWord[] = [];
  let fitsSecret = false;
  let hasPath = false;
  for (const [index, word] of rest.entries()) {
    const { text } = word;
    if (text.startsWith('-') || (name === 'grep' && index === rest.findIndex((other) => !other.text.startsWith('-'))))
      continue;
    const [, sign = '', path = ''] = /^(:\([^)]*\)|:[/!^]*)?([^]*)$/.exec(text) ?? [];
    if (/[!^]|\bexclude\b/.test(sign)) continue;
    hasPath ||= text !== '' && !/^(?:HEAD|@|[\w.-]+(?:\/[\w.-]+)*)(?:[~^@.{}\w/-]*)$/.test(text);
    if (sign !== '' && path !== '') named.push({ ...word, text: path });
    if (/[*?[]/.test(path)) fitsSecret ||= fitsExample(path, isProtected);
  }
  const isList = rest.some(({ text }) => listsOnly.test(text));
  const prints = (name !== 'log' && name !== 'stash') || rest.some(({ text }) => printsPatches.test(text));
  const readsAll = prints && !isList && !hasPath && /^(?:grep|diff|show|log|archive|stash|format-patch)$/.test(name);
  return { named, fitsSecret, readsAll };
}

function fitsExample(pattern: string, isProtected: ProtectedPaths): boolean {
  const last = pattern.slice(pattern.lastIndexOf('/') + 1).toLowerCase();
  if (/^\*+$/.test(last)) return false;
  const glob = compileGlob(last, { braces: false });
  return !glob.ok || examples.some((name) => glob.matches(name) && isProtected(`/${name}`) !== undefined);
}

const largestIndex = 16_000_000;

/** Returns whether git tracks a protected file, among the accepted names, in the repository of a folder. */
export function tracksProtected(
  folder: string,
  isProtected: ProtectedPaths,
  takes: (name: string) => boolean = () => true,
): boolean {
  for (let path = folder; ; path = dirname(path)) {
    const index = join(path, '.git/index');
    const status = statSync(index, { throwIfNoEntry: false });
    if (status?.isFile() === true)
      return (
        status.size <= largestIndex &&
        listTracked(index).some((name) => takes(basename(name)) && isProtected(`${path}/${name}`) !== undefined)
      );
    if (path === dirname(path)) return false;
  }
}

/** Reads the paths from a git index of version 2 or 3. Each entry is padded to a multiple of eight bytes. */
function listTracked(path: string): readonly string[] {
  const bytes = readFileSync(path);
  const names: string[] = [];
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC' || bytes.readUInt32BE(4) > 3) return names;
  const count = bytes.readUInt32BE(8);
  for (let at = 12, entry = 0; entry < count && at + 62 < bytes.length; entry += 1) {
    const isExtended = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
    const start = at + (isExtended ? 64 : 62);
    const end = bytes.indexOf(0, start);
    if (end === -1) break;
    names.push(bytes.toString('utf8', start, end));
    at += Math.ceil((end - at + 1) / 8) * 8;
  }
  return names;
}
