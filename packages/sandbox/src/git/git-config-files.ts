import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import { parseGitConfig, type GitSetting } from './parse-git-config.ts';
import { readSmallFile, signatureAt } from './read-git-file.ts';

/** Git settings and every file considered for them, whether or not it exists. */
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
const maxCachedFiles = 1_000;
const cache = new Map<string, ReadFile>();

/** Reads config files and the files they include, regardless of include conditions. */
export function readGitConfig(paths: readonly string[]): GitConfig {
  const files = new Set(paths);
  const settings: GitSetting[] = [];
  // The loop also visits files added during iteration.
  for (const path of files) {
    const own = readSettings(path);
    settings.push(...own);
    for (const { key, value } of own)
      if ((key === 'include.path' || key === 'includeif.path') && files.size < maxFiles)
        files.add(resolveSettingPath(dirname(path), value));
  }
  return { settings, files: [...files] };
}

/** Resolves a path value of a setting. `~/` is the home directory. */
export function resolveSettingPath(folder: string, value: string): string {
  const path = value === '~' || value.startsWith('~/') ? join(homedir(), value.slice(1)) : value;
  return isAbsolute(path) ? join(path) : join(folder, path);
}

function readSettings(path: string): readonly GitSetting[] {
  if (path.includes('\0')) return [];
  const cached = cache.get(path);
  if (cached !== undefined && cached.signature === signatureAt(path)) return cached.settings;
  const read = readSmallFile(path, maxBytes);
  if (read === undefined) return [];
  const settings = parseGitConfig(read.text);
  // A file that has just changed can change again with the same signature.
  if (read.changedMs < Date.now() - 2_100) {
    if (cache.size >= maxCachedFiles) cache.clear();
    cache.set(path, { signature: read.signature, settings });
  }
  return settings;
}
