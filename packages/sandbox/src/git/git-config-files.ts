import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { parseGitConfig, type GitSetting } from './parse-git-config.ts';
import { readSmallFile, signatureAt } from './read-small-file.ts';

/** Settings of git, with every file that was read for them, there or not. */
export interface GitConfig {
  readonly settings: readonly GitSetting[];
  /** Absolute paths. */
  readonly files: readonly string[];
}

interface ReadFile {
  readonly signature: string;
  readonly settings: readonly GitSetting[];
}

const maxBytes = 1_000_000;
const maxFiles = 100;
const maxKnown = 1_000;
const known = new Map<string, ReadFile>();

/** Reads files of settings and those that they include, whatever an include depends on. */
export function readGitConfig(paths: readonly string[]): GitConfig {
  const files = new Set(paths);
  const settings: GitSetting[] = [];
  // What is added on the way is read as well.
  for (const path of files) {
    const own = readSettings(path);
    settings.push(...own);
    for (const { key, value } of own)
      if ((key === 'include.path' || key === 'includeif.path') && files.size < maxFiles)
        files.add(placeFrom(dirname(path), value));
  }
  return { settings, files: [...files] };
}

/** The absolute path that a value means: `~/` is the home directory. */
export function placeFrom(folder: string, value: string): string {
  const path = value === '~' || value.startsWith('~/') ? join(homedir(), value.slice(1)) : value;
  return isAbsolute(path) ? join(path) : join(folder, path);
}

function readSettings(path: string): readonly GitSetting[] {
  if (path.includes('\0')) return [];
  const former = known.get(path);
  if (former !== undefined && former.signature === signatureAt(path)) return former.settings;
  const read = readSmallFile(path, maxBytes);
  if (read === undefined) return [];
  const settings = parseGitConfig(read.text);
  // A file that has just changed can change once more and look the same.
  if (read.changedMs < Date.now() - 2_100) {
    if (known.size >= maxKnown) known.clear();
    known.set(path, { signature: read.signature, settings });
  }
  return settings;
}
