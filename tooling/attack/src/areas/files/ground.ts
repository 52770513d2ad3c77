import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createBuiltins } from '@haft/builtins';
import { allowAll, createDispatcher, createWorkspace, type ToolResult } from '@haft/core';

/** A workspace with the built-in tools, commands in the jail. */
export interface Tools {
  readonly call: (name: string, args: unknown) => Promise<ToolResult>;
  /** Runs a line of shell in the jail. */
  readonly jailed: (command: string) => Promise<ToolResult>;
}

export function openTools(cwd: string): Tools {
  const workspace = createWorkspace({ cwd, permission: allowAll, jail: { policy: 'required' } });
  const dispatcher = createDispatcher({ registry: createBuiltins(), workspace });
  let calls = 0;
  const call = (name: string, args: unknown): Promise<ToolResult> =>
    dispatcher.dispatch({ id: `call_${(calls += 1)}`, name, arguments: args }, {});
  return { call, jailed: (command) => call('bash', { command }) };
}

export function put(path: string, text: string, mode = 0o644): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text, { mode });
}

/** Runs git outside of the jail, as the user does. Returns whether it succeeded. */
export function git(cwd: string, ...args: readonly string[]): boolean {
  try {
    execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.com', ...args], { cwd, stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Makes a repository with two commits, and settings as a person may have them. */
export function makeRepository(cwd: string, settings: Readonly<Record<string, string>> = {}): void {
  git(cwd, 'init', '-q');
  for (const text of ['one', 'two']) {
    put(join(cwd, 'a.txt'), text);
    git(cwd, 'add', '-A');
    git(cwd, 'commit', '-qm', text);
  }
  for (const [name, value] of Object.entries(settings)) git(cwd, 'config', name, value);
}
