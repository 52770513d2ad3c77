import { basename, relative } from 'node:path';

/**
 * How this program was started, for commands that the user can copy: `npm run demo --`, `haft`, or node with a path.
 */
export function ownCommand(source: Pick<NodeJS.Process, 'argv' | 'env'> & { cwd(): string } = process): string {
  if (source.env['npm_lifecycle_event'] === 'demo') return 'npm run demo --';
  const main = source.argv[1] ?? '';
  if (basename(main) === 'haft') return 'haft';
  const near = relative(source.cwd(), main);
  return `node ${near !== '' && near.length < main.length ? near : main}`;
}
