import { basename, dirname, join, sep } from 'node:path';

/**
 * How this program was started, for commands that the user can copy into a terminal in any folder: `npx haft`, `haft`,
 * npm with the path of the repository, or node with the path of the program.
 */
export function ownCommand(source: Pick<NodeJS.Process, 'argv' | 'env'> = process): string {
  const main = source.argv[1] ?? '';
  if (source.env['npm_lifecycle_event'] === 'demo')
    return `npm --prefix ${quote(join(dirname(main), '..', '..', '..'))} run --silent demo --`;
  // A program that a project or npx installed is not on the search path.
  if (main.includes(`${sep}node_modules${sep}`)) return 'npx haft';
  return basename(main) === 'haft' ? 'haft' : `node ${quote(main)}`;
}

function quote(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : JSON.stringify(path);
}
