import { homedir } from 'node:os';
import { delimiter, relative } from 'node:path';
import { toolError, type ToolError, type Workspace } from '@haft/core';
import type { Roots, WorkspaceJail } from '@haft/core/workspace';
import {
  createCleanEnvironment,
  createJail,
  lockTrustedPaths,
  type Environment,
  type Jail,
  type SandboxFailure,
} from '@haft/sandbox';

/** The jail of a command and the environment variables inside it. */
export interface CommandJail {
  readonly ok: true;
  /** Undefined if commands run without a jail. */
  readonly jail: Jail | undefined;
  readonly env: Environment;
  /** Releases the jail. Call it when the command has ended or was not started. */
  readonly letGo: () => void;
}

const warned = new WeakSet<Workspace>();
const nothing = (): void => {};

/**
 * Opens the jail that a workspace requests. It contains the workspace roots and the programs of the search path, and
 * nothing else of the machine. Returns an error if a required jail is unavailable; no command may run then.
 */
export async function openCommandJail(workspace: Workspace): Promise<CommandJail | ToolError> {
  const { policy = 'off', read = [] } = workspace.jail ?? {};
  const env = createCleanEnvironment();
  if (policy === 'off') return { ok: true, jail: undefined, env, letGo: nothing };
  const write = foldersOf(workspace.writeRoots);
  const jail = await openOnce(workspace);
  if (!jail.ok)
    return toolError('SPAWN_FAILED', `the command was not run: ${jail.message}`, {
      fault: 'host',
      hint: jail.hint,
      details: { sandboxCode: jail.code },
    });
  // The home and temporary directories of the machine do not exist inside the jail.
  const isElsewhere = jail.driver === 'bubblewrap';
  if (jail.driver === 'none') return { ok: true, jail, env, letGo: nothing };
  const trusted = await lockTrustedPaths(write);
  const view = {
    read: [
      ...foldersOf(workspace.readRoots),
      ...read,
      ...programFolders(env, write),
      // The search path may contain only a link to Node.js.
      process.execPath,
      ...trusted.read,
    ],
    write: [...write, ...trusted.parents],
  };
  return {
    ok: true,
    jail: {
      ...jail,
      wrap: (command) => jail.wrap(command, view),
      settle(pid) {
        trusted.release();
        return jail.settle(pid);
      },
    },
    env: isElsewhere ? createCleanEnvironment({ set: { HOME: '/tmp', TMPDIR: '/tmp' } }) : env,
    letGo: trusted.release,
  };
}

/**
 * A jail with a network proxy is opened once per workspace and shared by all commands. Other jails are cheap to create.
 */
const withHosts = new WeakMap<Workspace, Promise<Jail | SandboxFailure>>();
/** Workspaces are never closed. When a workspace is garbage-collected, its jail is closed. */
const forgotten = new FinalizationRegistry<Jail>((jail) => void jail.close());

function openOnce(workspace: Workspace): Promise<Jail | SandboxFailure> {
  const known = withHosts.get(workspace);
  if (known) return known;
  // The jail lives until its workspace is unreachable, so it must not reference the workspace.
  const opening = open(workspace.jail, foldersOf(workspace.writeRoots), new WeakRef(workspace));
  if (typeof workspace.jail?.network !== 'object') return opening;
  withHosts.set(workspace, opening);
  const forget = (): void => void withHosts.delete(workspace);
  // Forgets a failed attempt, because the next one may succeed.
  opening.then((jail) => (jail.ok && jail.driver !== 'none' ? forgotten.register(workspace, jail) : forget()), forget);
  return opening;
}

function open(
  { policy, network = false, limits = {} }: WorkspaceJail = { policy: 'off' },
  write: readonly string[],
  workspace: WeakRef<Workspace>,
): Promise<Jail | SandboxFailure> {
  return createJail({
    policy,
    write,
    network,
    limits,
    onWarning(message) {
      const warning = workspace.deref();
      if (!warning || warned.has(warning)) return;
      warning.logger.warn(`bash: ${message}`);
      warned.add(warning);
    },
  });
}

/** Returns the directories that the roots grant access to. */
export function foldersOf(roots: Roots): readonly string[] {
  return roots === 'unrestricted' ? ['/'] : roots;
}

/** Returns the directories of installed programs. Never includes the home directory or its parents. */
export function programFolders(env: Environment, write: readonly string[]): readonly string[] {
  const home = homedir();
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder !== '' && !contains(folder, home) && !write.some((root) => contains(root, folder)));
}

function contains(folder: string, path: string): boolean {
  const below = relative(folder, path);
  return below === '' || !/^\.\.(?:[\\/]|$)/.test(below);
}
