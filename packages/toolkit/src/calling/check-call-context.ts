import { findNearestNames, type CallContext } from '@haft/core';
import { ToolkitError } from '../toolkit-error.ts';

const members: Readonly<Record<keyof CallContext, true>> = {
  snapshot: true,
  signal: true,
  timeoutMs: true,
  sessionId: true,
  runId: true,
  turn: true,
  messageId: true,
  inferenceId: true,
  parentCallId: true,
  modelName: true,
  session: true,
  resources: true,
  messages: true,
  queue: true,
  onProgress: true,
};

/**
 * Refuses a context of a call that would be passed over.
 * @throws ToolkitError `BAD_PARAMETER`.
 */
export function checkCallContext(context: unknown): void {
  const refuse = (what: string): never => {
    throw new ToolkitError('BAD_PARAMETER', `callWith: ${what}`);
  };
  if (typeof context !== 'object' || context === null)
    return refuse('the context comes first, such as { signal }, then what is called');
  for (const name of Object.keys(context)) {
    if (Object.hasOwn(members, name)) continue;
    const near = findNearestNames(name, Object.keys(members), 1)[0] ?? Object.keys(members).join(', ');
    refuse(`the context has no ${name.slice(0, 60)}; use ${near}`);
  }
  const { session } = context as { readonly session?: unknown };
  if (session !== undefined && !hasId(session))
    refuse('session must be an object such as { id, metadata }; a text is a sessionId');
}

function hasId(session: unknown): boolean {
  return typeof session === 'object' && session !== null && 'id' in session && typeof session.id === 'string';
}
