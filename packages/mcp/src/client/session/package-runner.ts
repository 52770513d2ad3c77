import { basename } from 'node:path';

/** Programs that download a server before they run it. */
const runners: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx', 'docker', 'podman', 'deno']);

/** Returns the name of the program if it may download the server before it starts, such as `npx`. */
export function packageRunnerOf(command: string | undefined): string | undefined {
  const name = basename(command ?? '').replace(/\.(?:cmd|exe|ps1)$/i, '');
  return runners.has(name) ? name : undefined;
}
