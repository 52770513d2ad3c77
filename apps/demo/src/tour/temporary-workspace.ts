import { cp, mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Fixtures lie beside `src` and `dist`, so that a build can't leave them behind. */
const fixtures = fileURLToPath(new URL('../../fixtures/', import.meta.url));

/** Path of one of the app's fixtures. */
export function fixturePath(name: string): string {
  return join(fixtures, name);
}

/** A folder of the tour's own that goes when it is over. */
export interface TemporaryWorkspace {
  /** The copied project. */
  readonly project: string;
  /** An empty folder beside it, for plugins. */
  readonly plugins: string;
  /** A folder for what is to outlive the program. */
  readonly state: string;
  remove(): Promise<void>;
}

/** Copies a fixture project into a new folder under the system's temporary one. */
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
