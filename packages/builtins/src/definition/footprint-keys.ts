import { resolvePath } from '@haft/sandbox';

/** The footprint key of one file, from the path as the model wrote it. */
export function fileKey(cwd: string, path: string): string {
  return `file:${trimSeparator(resolvePath({ cwd, path }))}`;
}

/** The footprint keys of a folder and everything below it; the path may also be a file. */
export function treeKeys(cwd: string, path: string): readonly string[] {
  const key = fileKey(cwd, path);
  return key.endsWith('/') ? [key] : [key, `${key}/`];
}

function trimSeparator(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
