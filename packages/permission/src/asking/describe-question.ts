import type { PermissionRequest } from '@haft/core';
import type { Targets } from '../paths/find-targets.ts';
import type { CompiledRule } from '../rules/compile-rules.ts';
import { commandOf } from '../rules/command-lines-of-call.ts';
import type { PermissionQuestion } from './permission-question.ts';

/**
 * Builds the question for the user: what is about to happen, and why the user is asked. `folders` are the folders that
 * a running call searches. The answer about files found there applies to everything the call finds in them.
 */
export function describeQuestion(
  request: PermissionRequest,
  targets: Targets,
  rule: CompiledRule | undefined,
  uncertainties: readonly string[],
  folders: readonly string[] = [],
): PermissionQuestion {
  const command = commandOf(request);
  const paths = (access: 'read' | 'write'): readonly string[] =>
    targets.files
      .filter((file) => file.access === access)
      .map(({ real, named, isTree }) => `${real ?? named}${isTree ? '/' : ''}`);
  return {
    callId: request.callId,
    tool: request.tool,
    provider: request.provider,
    kind: request.kind,
    title: request.title,
    arguments: copyOf(request.arguments),
    ...(command === undefined ? {} : { command }),
    reads: [...new Set([...folders, ...paths('read')])],
    writes: paths('write'),
    cwd: request.cwd,
    sessionId: request.sessionId,
    reason:
      rule?.action === 'ask'
        ? (rule.reason ?? `the rule ${rule.key} requires a question`)
        : (uncertainties[0] ?? describeDefault(request, targets)),
    ...(uncertainties.length === 0 ? {} : { uncertainties }),
    ...(rule ? { ruleKey: rule.key } : {}),
  };
}

/** Says why a default led to the question. For a tool that only reads, the developer may expect that it runs at once. */
function describeDefault({ traits }: PermissionRequest, { files, others }: Targets): string {
  const isUndeclared = traits.readOnly && traits.openWorld !== true && files.length === 0;
  return isUndeclared && others.every(({ key }) => key === '*')
    ? 'no rule allows it: the tool is read-only, but does not declare what it reads (see defaults.readUndeclared)'
    : 'no rule allows it';
}

/** The question holds a copy of the arguments, so that a change of it cannot change the call. */
function copyOf(value: unknown): unknown {
  try {
    return copyFlat(value) ?? structuredClone(value);
  } catch {
    return value;
  }
}

/** Copies an object that holds only primitive values, as most arguments do. Returns undefined for other values. */
function copyFlat(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return undefined;
  const members = Object.entries(value);
  return members.every(([, member]) => typeof member === 'string' || typeof member === 'number')
    ? Object.fromEntries(members)
    : undefined;
}
