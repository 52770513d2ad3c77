import { resolvePath } from '@haft/sandbox';

/** Returns the footprint key of a file for a path written by the model. */
export function fileKey(cwd: string, path: string): string {
  return `file:${trimSeparator(resolvePath({ cwd, path }))}`;
}

/** Returns the footprint keys of a folder and everything below it. The path may also name a file. */
export function treeKeys(cwd: string, path: string): readonly string[] {
  const key = fileKey(cwd, path);
  return key.endsWith('/') ? [key] : [key, `${key}/`];
}

function trimSeparator(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
