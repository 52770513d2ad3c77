import { createHash } from 'node:crypto';
import type { PermissionRequest } from '@haft/core';
import type { Targets } from '../paths/find-targets.ts';
import { commandOf } from '../rules/command-lines.ts';

/** The names of what a call would do: equal only for equal calls, in one session or in any. Worked out when asked for. */
export interface CallIdentity {
  /** All of it as text, for questions that are open: no name is worked out for these. */
  readonly text: string;
  inSession(): string;
  anywhere(): string;
}

/**
 * Names what a call would do, so that only an equal call is taken for the same: the exact command line in its folder;
 * the files by where they really lie; for anything else the exact arguments.
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

/** The name of a grant for all command lines of a pattern. */
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

/** JSON with sorted keys; what JSON can't carry never equals anything. */
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
