import { basename } from 'node:path';

/** Programs that download a server before they run it. */
const runners: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx', 'uvx', 'pipx', 'docker', 'podman', 'deno']);

/** Returns the name of the program if it may download the server before it starts, such as `npx`. */
export function packageRunnerOf(command: string | undefined): string | undefined {
  const name = basename(command ?? '').replace(/\.(?:cmd|exe|ps1)$/i, '');
  return runners.has(name) ? name : undefined;
}

/** Describes a server that is not connected yet. Names the program that may have to download the server first. */
export function describeStarting(command: string | undefined): string {
  const runner = packageRunnerOf(command);
  return runner === undefined ? 'still starting' : `still starting: the first run of ${runner} may download the server`;
}
