import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createWorkspace, type Logger, type Workspace } from '@haft/core';
import {
  createPermissionEngine,
  type LayeredRules,
  type PermissionDefaults,
  type PermissionRule,
} from '@haft/permission';
import { ToolkitError } from '../toolkit-error.ts';
import type { ToolkitOptions } from '../options/toolkit-options.ts';

const ownParts = [
  'cwd',
  'readRoots',
  'writeRoots',
  'jail',
  'permission',
  'ask',
  'rules',
  'permissionMode',
  'logger',
] as const;

/** The provider of prompts that a model can call as tools. */
export const promptProvider = 'prompt';

/** Rules that apply after the rules from the options. */
const defaultRules: readonly PermissionRule[] = [
  // These tools only touch state of this run. The user answers questions directly.
  {
    key: 'toolkit: notes',
    action: 'allow',
    provider: 'builtin',
    tool: ['todo', 'plan', 'question', 'remember', 'recall', 'forget', 'skill'],
  },
  // Calls that the run of the prompt makes are checked separately.
  { key: 'toolkit: prompts', action: 'allow', provider: promptProvider },
];

/**
 * Creates the workspace of a toolkit and its permission engine. Without an `ask` callback, calls that need approval are
 * denied.
 * @throws ToolkitError `BAD_PARAMETER` if `workspace` is combined with options that it already contains, or if the
 * directory does not exist.
 */
export function makeWorkspace(options: ToolkitOptions): Workspace {
  if (options.workspace) {
    const beside = ownParts.find((name) => options[name] !== undefined);
    if (beside === undefined) return options.workspace;
    throw new ToolkitError('BAD_PARAMETER', `createToolkit: workspace already includes ${beside}; pass one of the two`);
  }
  const { permission, ask, rules, permissionMode: mode, readRoots, writeRoots } = options;
  if (permission && (ask ?? rules ?? mode) !== undefined)
    throw new ToolkitError(
      'BAD_PARAMETER',
      'createToolkit: permission replaces ask, rules and permissionMode; pass one or the other',
    );
  const cwd = resolve(options.cwd ?? process.cwd());
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new ToolkitError(
      'BAD_PARAMETER',
      `createToolkit: cwd is not a folder (expected an existing folder, got ${cwd})`,
    );
  return createWorkspace({
    cwd,
    ...(readRoots === undefined ? {} : { readRoots }),
    ...(writeRoots === undefined ? {} : { writeRoots }),
    spillDirectory: join(tmpdir(), `haft-${randomUUID()}`),
    jail: options.jail ?? { policy: 'preferred' },
    permission:
      permission ??
      createPermissionEngine({ rules: withUsual(rules), defaults, ...(ask && { ask }), ...(mode && { mode }) }),
    logger: options.logger ?? warningLogger,
  });
}

/**
 * The program chose its own tools. The traits that plugins and generated tools claim count only if a jail enforces
 * them.
 */
const defaults: PermissionDefaults = { readUndeclared: 'allow' };

function withUsual(rules: readonly PermissionRule[] | LayeredRules = []): readonly PermissionRule[] | LayeredRules {
  if ('filter' in rules) return [...rules, ...defaultRules];
  return { ...rules, default: [...(rules.default ?? []), ...defaultRules] };
}

/** Emits warnings and errors as process warnings, so that they are visible without a logger. */
const warningLogger: Logger = {
  debug() {},
  info() {},
  warn: (message) => process.emitWarning(message, 'HaftWarning'),
  error: (message) => process.emitWarning(message, 'HaftWarning'),
};
