import { resolvePath } from '@haft/sandbox';

/** Footprint key of one file, as a model wrote its path. */
export function fileKey(cwd: string, path: string): string {
  return `file:${trimSeparator(resolvePath(cwd, path))}`;
}

/** Footprint keys of a folder and all below it; the path may also turn out to be one file. */
export function treeKeys(cwd: string, path: string): readonly string[] {
  const key = fileKey(cwd, path);
  return key.endsWith('/') ? [key] : [key, `${key}/`];
}

function trimSeparator(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
