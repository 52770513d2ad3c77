import type { Roots, Workspace, WorkspaceJail, WorkspaceOptions } from '../contracts/workspace/workspace.ts';
import { checkOption, hasMethods } from '../check-option.ts';
import { silentLogger } from '../contracts/workspace/session.ts';
import { allowReadOnly } from './permission-engines.ts';

/**
 * Makes a workspace: reading and writing are limited to the working directory unless roots say otherwise.
 *
 * @throws HaftError `INVALID_OPTION` for a folder that is not absolute.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  checkOptions(options);
  return {
    cwd: options.cwd,
    readRoots: readable(options.readRoots ?? [options.cwd], options.spillDirectory),
    writeRoots: options.writeRoots ?? [options.cwd],
    ...(options.spillDirectory === undefined ? {} : { spillDirectory: options.spillDirectory }),
    ...(options.jail === undefined ? {} : { jail: options.jail }),
    permission: options.permission ?? allowReadOnly,
    logger: options.logger ?? silentLogger,
    now: options.now ?? Date.now,
  };
}

/** A model that is told where the rest of an output is has to be able to read it there. */
function readable(roots: Roots, spillDirectory: string | undefined): Roots {
  if (roots === 'unrestricted' || spillDirectory === undefined || roots.includes(spillDirectory)) return roots;
  return [...roots, spillDirectory];
}

function checkOptions(options: WorkspaceOptions): void {
  const check = (name: string, isRight: boolean, expected: string, given: unknown): void =>
    checkOption('createWorkspace', name, isRight, expected, given);
  check(
    'its argument',
    typeof options === 'object' && options !== null,
    'an object such as { cwd: process.cwd() }',
    options,
  );
  check('cwd', isAbsolute(options.cwd), 'the absolute path of a folder', options.cwd);
  const { spillDirectory } = options;
  check(
    'spillDirectory',
    spillDirectory === undefined || isAbsolute(spillDirectory),
    'the absolute path of a folder',
    spillDirectory,
  );
  for (const name of ['readRoots', 'writeRoots'] as const) {
    const roots = options[name];
    const isRight =
      roots === undefined || roots === 'unrestricted' || (Array.isArray(roots) && roots.every(isAbsolute));
    check(name, isRight, "a list of absolute paths, or 'unrestricted'", roots);
  }
  const { jail } = options;
  check('jail', jail === undefined || isJail(jail), jailForm, jail);
  const { permission } = options;
  check(
    'permission',
    permission === undefined || hasMethods(permission, 'ask'),
    'a PermissionEngine such as allowAll',
    permission,
  );
}

const jailForm =
  "{ policy: 'required' | 'preferred' | 'off' }, with network (true, false or hosts), read (absolute paths) and limits at most";

function isJail(jail: unknown): boolean {
  if (typeof jail !== 'object' || jail === null) return false;
  const { policy, network, read, limits } = jail as Readonly<Partial<Record<keyof WorkspaceJail, unknown>>>;
  // A misspelt member would leave a door open or closed that nobody looks at again.
  return (
    ['required', 'preferred', 'off'].includes(policy as string) &&
    (network === undefined || typeof network === 'boolean' || isHostList(network)) &&
    (read === undefined || (Array.isArray(read) && read.every(isAbsolute))) &&
    Object.keys(jail).every((key) => ['policy', 'network', 'read', 'limits'].includes(key)) &&
    (limits === undefined || isLimits(limits))
  );
}

function isHostList(network: unknown): boolean {
  if (typeof network !== 'object' || network === null) return false;
  const { hosts, loopback, ...more } = network as { readonly hosts?: unknown; readonly loopback?: unknown };
  return (
    Array.isArray(hosts) &&
    hosts.every((host) => typeof host === 'string') &&
    (loopback === undefined || loopback === 'shared' || loopback === 'own') &&
    Object.keys(more).length === 0
  );
}

function isLimits(limits: unknown): boolean {
  const names = ['memoryBytes', 'processes', 'fileBytes', 'temporaryBytes'];
  return (
    typeof limits === 'object' &&
    limits !== null &&
    Object.entries(limits).every(([name, value]) => names.includes(name) && typeof value === 'number' && value > 0)
  );
}

/** Absolute on any system: `/a`, `C:\\a`, `\\\\server\\share`. */
function isAbsolute(path: unknown): boolean {
  return typeof path === 'string' && /^(?:[/\\]|[A-Za-z]:[/\\])/.test(path);
}

/** The workspace of a dispatcher that was given none: no file can be reached. */
export const nowhere: Workspace = createWorkspace({ cwd: '/', readRoots: [], writeRoots: [] });
