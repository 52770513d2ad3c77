import type { PermissionDecision, PermissionRequest } from '@haft/core';
import type { Targets } from '../paths/find-targets.ts';
import { isBelow } from '../rules/compile-rules.ts';

/** A call that was allowed and may ask about files it comes across. */
export interface RunningCall {
  /** Real paths it was allowed to read; folders stand for all below them. */
  readonly folders: string[];
  /** A person allowed the call, or what it found. */
  hasConsent: boolean;
  /** The one question about what it found, open or answered. */
  question?: Promise<PermissionDecision>;
  /** Reasons that were logged for what it found. */
  readonly logged: Set<string>;
}

/** The calls that run, as far as they named files. */
export interface RunningCalls {
  /** The call that a request belongs to, when it was allowed before: the request is then about something it found. */
  find(request: PermissionRequest): RunningCall | undefined;
  /** Notes that a call was allowed. */
  begin(request: PermissionRequest, targets: Targets): RunningCall;
}

/** Makes an empty memory; a call is forgotten with its signal. */
export function createRunningCalls(): RunningCalls {
  // The key is the call's signal: one object for the whole call, which no other code can forge.
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

/** Whether what a call was allowed covers files it found: it reads them, and they lie where it was to read. */
export function coversFound({ folders }: RunningCall, { files, others }: Targets): boolean {
  return (
    others.length === 0 &&
    files.every(
      ({ access, real }) => access === 'read' && real !== undefined && folders.some((folder) => isBelow(folder, real)),
    )
  );
}

/** Real paths that are read. */
export function readBy({ files }: Targets): readonly string[] {
  return files.flatMap(({ access, real }) => (access === 'read' && real !== undefined ? [real] : []));
}
