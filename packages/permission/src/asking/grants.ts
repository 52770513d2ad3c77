import { createHash } from 'node:crypto';
import type { PermissionRequest } from '@haft/core';
import type { Targets } from '../paths/find-targets.ts';
import { commandOf } from '../rules/permission-rule.ts';

/** An answer of a person that holds for the rest of a session. */
export interface Grant {
  readonly key: string;
  readonly sessionId: string;
  readonly tool: string;
  /** What was allowed, for people. */
  readonly title: string;
}

/** What persons have allowed. Refusals are never remembered. */
export interface Grants {
  /** Whether a call may run because of an earlier answer. */
  covers(key: string): boolean;
  /** Remembers an answer for equal calls later. */
  remember(key: string, request: PermissionRequest): void;
  list(): readonly Grant[];
  revoke(key: string): boolean;
  forgetSession(sessionId: string): void;
}

const mostGrants = 10_000;

/** Makes an empty memory. */
export function createGrants(): Grants {
  const sessions = new Map<string, Grant>();

  return {
    covers: (key) => sessions.has(key),
    remember(key, request) {
      sessions.delete(key);
      sessions.set(key, { key, sessionId: request.sessionId, tool: request.tool, title: request.title });
      for (const oldest of sessions.keys()) {
        if (sessions.size <= mostGrants) break;
        sessions.delete(oldest);
      }
    },
    list: () => [...sessions.values()],
    revoke: (key) => sessions.delete(key),
    forgetSession(sessionId) {
      for (const grant of sessions.values()) if (grant.sessionId === sessionId) sessions.delete(grant.key);
    },
  };
}

/**
 * Names what a call would do, so that only an equal call is taken for the same: the exact command line in its folder;
 * the files by where they really lie; for anything else the exact arguments.
 */
export function identifyCall(request: PermissionRequest, targets: Targets): string {
  const command = commandOf(request);
  const touchesFilesOnly =
    targets.files.length > 0 && targets.others.length === 0 && targets.files.every(({ real }) => real !== undefined);
  const what =
    command !== undefined
      ? ['command', request.cwd, command]
      : touchesFilesOnly
        ? ['files', ...targets.files.map(({ access, real, isTree }) => `${access} ${real}${isTree ? '/' : ''}`)]
        : ['arguments', request.cwd, canonical(request.arguments)];
  const hash = createHash('sha256').update(JSON.stringify([request.sessionId, request.provider, request.tool, what]));
  return hash.digest('hex').slice(0, 32);
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
