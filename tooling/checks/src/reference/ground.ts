import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createBuiltins, type BuiltinsOptions } from '@haft/builtins';
import {
  allowAll,
  createDispatcher,
  createWorkspace,
  renderForModel,
  type CallContext,
  type PermissionEngine,
  type ToolResult,
  type ToolSource,
} from '@haft/core';
import type { WorkspaceOptions } from '@haft/core/workspace';
import { onTestFinished } from 'vitest';

/** The options of a ground. */
export interface GroundOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  /** Symbolic links: name in the ground → target. */
  readonly links?: Readonly<Record<string, string>>;
  readonly permission?: PermissionEngine;
  readonly builtins?: BuiltinsOptions;
  readonly workspace?: Partial<WorkspaceOptions>;
}

/** A real folder with the built-in tools. Removed when its test ends. */
export interface Ground {
  readonly folder: string;
  readonly source: ToolSource;
  call(name: string, args?: unknown, context?: CallContext): Promise<ToolResult>;
  /** Returns the result as the model reads it. */
  say(name: string, args?: unknown): Promise<string>;
  put(name: string, content: string | Uint8Array): void;
  text(name: string): string;
  has(name: string): boolean;
}

/** Creates a folder with files, and the tools that a walk needs. */
export function createGround(options: GroundOptions = {}): Ground {
  const folder = makeFolder();
  const put = (name: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  };
  for (const [name, content] of Object.entries(options.files ?? {})) put(name, content);
  for (const [name, target] of Object.entries(options.links ?? {})) symlinkSync(target, join(folder, name));
  const workspace = createWorkspace({ cwd: folder, permission: options.permission ?? allowAll, ...options.workspace });
  const source = createDispatcher({ registry: createBuiltins(options.builtins), workspace });
  let calls = 0;
  const call: Ground['call'] = (name, args = {}, context) =>
    source.dispatch({ id: `call_${(calls += 1)}`, name, arguments: args }, context);
  return {
    folder,
    source,
    call,
    say: async (name, args) => renderForModel(await call(name, args)),
    put,
    text: (name) => readFileSync(join(folder, name), 'utf8'),
    has: (name) => existsSync(join(folder, name)),
  };
}

/** Creates an empty folder for the running test. */
export function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'haft-walk-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The code of a failure; `ok` for a success, `none` without a result. */
export function codeOf(result: ToolResult | undefined): string {
  return result === undefined ? 'none' : result.ok ? 'ok' : result.error.code;
}

/** Returns a result as the model reads it. */
export function textOf(result: ToolResult | undefined): string {
  return result === undefined ? '' : renderForModel(result);
}
