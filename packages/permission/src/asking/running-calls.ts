import type { PermissionDecision, PermissionRequest } from '@haft/core';
import type { Targets } from '../paths/find-targets.ts';
import { isBelow } from '../rules/compile-rules.ts';

/** An allowed call, which may ask about files that it finds while it runs. */
export interface RunningCall {
  /** Real paths that the call was allowed to read. A folder includes everything below it. */
  readonly folders: string[];
  /** True if the user allowed the call itself or the files that it found. */
  hasConsent: boolean;
  /** The single question about files that the call found, open or answered. */
  question?: Promise<PermissionDecision>;
  /** Reasons already logged for files that the call found. */
  readonly logged: Set<string>;
}

/** The running calls that named files. */
export interface RunningCalls {
  /** Returns the allowed call that a request belongs to. Such a request is about a file that the call found. */
  find(request: PermissionRequest): RunningCall | undefined;
  /** Records that a call was allowed. */
  begin(request: PermissionRequest, targets: Targets): RunningCall;
}

/** Creates an empty registry. A call is dropped when its signal is garbage-collected. */
export function createRunningCalls(): RunningCalls {
  // The key is the call's signal, because each call has its own and other code cannot forge it.
  const calls = new WeakMap<AbortSignal, RunningCall & { readonly callId: string; readonly tool: string }>();
  return {
    find(request) {
      const call = calls.get(request.signal);
      return call?.callId === request.callId && call.tool === request.tool ? call : undefined;
    },
    begin(request, targets) {
      const { callId, tool, signal } = request;
      const call = { callId, tool, folders: [...readBy(targets)], hasConsent: false, logged: new Set<string>() };
      calls.set(signal, call);
      return call;
    },
  };
}

/**
 * Returns whether a call's permission covers the files that it found: it only reads them, and they are in places that
 * it was allowed to read.
 */
export function coversFound({ folders }: RunningCall, { files, others }: Targets): boolean {
  return (
    others.length === 0 &&
    files.every(
      ({ access, real }) => access === 'read' && real !== undefined && folders.some((folder) => isBelow(folder, real)),
    )
  );
}

/** Returns the real paths that are read. */
export function readBy({ files }: Targets): readonly string[] {
  return files.flatMap(({ access, real }) => (access === 'read' && real !== undefined ? [real] : []));
}
