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

/** The provider of prompts that are offered to a model as tools. */
export const promptProvider = 'prompt';

/** Rules that come after the program's own. */
const defaultRules: readonly PermissionRule[] = [
  // They touch nothing but what this run keeps for itself; a question is answered by the person anyway.
  {
    key: 'toolkit: notes',
    action: 'allow',
    provider: 'builtin',
    tool: ['todo', 'plan', 'question', 'remember', 'recall', 'forget', 'skill'],
  },
  // Every call that a prompt's own run makes is asked about by itself.
  { key: 'toolkit: prompts', action: 'allow', provider: promptProvider },
];

/**
 * Makes the workspace of a toolkit, with its permission: a person is asked, or else the answer is no.
 * @throws ToolkitError `BAD_PARAMETER` for a workspace beside what it has already, and for a folder that is not there.
 */
export function makeWorkspace(options: ToolkitOptions): Workspace {
  if (options.workspace) {
    const beside = ownParts.find((name) => options[name] !== undefined);
    if (beside === undefined) return options.workspace;
    throw new ToolkitError('BAD_PARAMETER', `createToolkit: a workspace has its own ${beside}; give one of the two`);
  }
  const { permission, ask, rules, permissionMode: mode, readRoots, writeRoots } = options;
  if (permission && (ask ?? rules ?? mode) !== undefined)
    throw new ToolkitError(
      'BAD_PARAMETER',
      'createToolkit: permission is a whole engine; give it, or ask, rules and permissionMode',
    );
  const cwd = resolve(options.cwd ?? process.cwd());
  if (!statSync(cwd, { throwIfNoEntry: false })?.isDirectory())
    throw new ToolkitError('BAD_PARAMETER', `createToolkit: cwd must be a folder, and ${cwd} is none`);
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

/** The program chose its tools; what plugins and generated tools claim counts only as far as their jail makes it true. */
const defaults: PermissionDefaults = { readUndeclared: 'allow' };

function withUsual(rules: readonly PermissionRule[] | LayeredRules = []): readonly PermissionRule[] | LayeredRules {
  if ('filter' in rules) return [...rules, ...defaultRules];
  return { ...rules, default: [...(rules.default ?? []), ...defaultRules] };
}

/** What a person should know reaches them although the program listens to nothing. */
const warningLogger: Logger = {
  debug() {},
  info() {},
  warn: (message) => process.emitWarning(message, 'HaftWarning'),
  error: (message) => process.emitWarning(message, 'HaftWarning'),
};
