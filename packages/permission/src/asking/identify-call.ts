import { createHash } from 'node:crypto';
import type { PermissionRequest } from '@haft/core';
import type { Targets } from '../paths/find-targets.ts';
import { commandOf } from '../rules/command-lines-of-call.ts';

/**
 * Identifies what a call would do. Equal only for equal calls, within one session or across sessions. Computed on
 * demand.
 */
export interface CallIdentity {
  /** The identity as plain text, for open questions. No hash is computed for these. */
  readonly text: string;
  inSession(): string;
  anywhere(): string;
}

/**
 * Identifies what a call would do, so that only an equal call gets the same key: the exact command line and its folder,
 * the resolved paths of files, and the exact arguments for anything else.
 */
export function identifyCall(request: PermissionRequest, targets: Targets): CallIdentity {
  const command = commandOf(request);
  const touchesFilesOnly =
    targets.files.length > 0 && targets.others.length === 0 && targets.files.every(({ real }) => real !== undefined);
  const what =
    command !== undefined
      ? ['command', request.cwd, command]
      : touchesFilesOnly
        ? ['files', ...targets.files.map(({ access, real, isTree }) => `${access} ${real}${isTree ? '/' : ''}`)]
        : ['arguments', request.cwd, canonical(request.arguments)];
  const call = [request.provider, request.tool, what];
  const text = JSON.stringify(['session', request.sessionId, ...call]);
  return { text, inSession: () => digest(text), anywhere: () => digest(JSON.stringify(['anywhere', ...call])) };
}

/** Returns the key of a grant for all command lines that match a pattern. */
export function identifyPattern(
  { provider, tool, cwd }: PermissionRequest,
  sessionId: string,
  pattern: string,
): string {
  return digest(JSON.stringify(['pattern', sessionId, provider, tool, cwd, pattern]));
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Returns JSON with sorted keys. Values that JSON cannot represent never compare equal. */
function canonical(value: unknown): string {
  try {
    return (
      JSON.stringify(value, (_, member: unknown) =>
        typeof member === 'object' && member !== null && !Array.isArray(member)
          ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
          : member,
      ) ?? 'undefined'
    );
  } catch {
    return `unique ${Math.random()}`;
  }
}
