import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Fixtures are beside `src` and `dist`, so that builds include them. */
const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Path of one of the app's fixtures. */
export function fixturePath(name: string): string {
  return join(fixtures, name);
}

/** A temporary folder for the tour. */
export interface TemporaryWorkspace {
  /** The copied project. */
  readonly project: string;
  /** An empty folder for plugins. */
  readonly plugins: string;
  /** A folder for state that outlives the program. */
  readonly state: string;
  remove(): Promise<void>;
}

/** Copies a fixture project into a new temporary folder. */
export async function createTemporaryWorkspace(name: string): Promise<TemporaryWorkspace> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'haft-tour-')));
  const project = join(root, name);
  const plugins = join(root, 'plugins');
  await cp(fixturePath(name), project, { recursive: true });
  const state = join(root, 'state');
  await mkdir(plugins);
  await mkdir(state);
  return { project, plugins, state, remove: () => rm(root, { recursive: true, force: true, maxRetries: 3 }) };
}
