import type { ContentPart } from '../contracts/content.ts';
import type { ToolError } from '../contracts/error.ts';
import type { ToolFailure, ToolResult, ToolResultBase, ToolSuccess } from '../contracts/result.ts';
import type { ToolContent } from '../contracts/tool.ts';

/** What may accompany a result besides its content. */
export type ResultExtras = Partial<Omit<ToolResultBase, 'callId' | 'content'>>;

const nothing: readonly never[] = Object.freeze([]);
const noMetadata: Readonly<Record<string, unknown>> = Object.freeze({});

/**
 * A success. `data` is for the model: sentences or numbered lines, never a dump.
 * The dispatcher stamps name and timing.
 */
export function success(callId: string, data?: ToolContent, extras?: ResultExtras): ToolSuccess {
  const plain: ToolSuccess = {
    ok: true,
    callId,
    name: '',
    content: toParts(data),
    effects: nothing,
    metadata: noMetadata,
    advisories: nothing,
    startedAt: 0,
    durationMs: 0,
  };
  return extras === undefined ? plain : { ...plain, ...extras };
}

/** A failure, with its error and, in `extras.content`, whatever output there was all the same. */
export function failure(
  callId: string,
  error: ToolError,
  extras?: ResultExtras & { readonly content?: ToolContent },
): ToolFailure {
  return {
    ok: false,
    callId,
    name: '',
    error,
    effects: nothing,
    metadata: noMetadata,
    advisories: nothing,
    startedAt: 0,
    durationMs: 0,
    ...extras,
    content: toParts(extras?.content),
  };
}

/** Tells whether a value is a result made by {@link success} or {@link failure}, here or in another process. */
export function isToolResult(value: unknown): value is ToolResult {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as {
    readonly ok?: unknown;
    readonly callId?: unknown;
    readonly content?: unknown;
    readonly error?: unknown;
  };
  if (typeof candidate.callId !== 'string' || !Array.isArray(candidate.content)) return false;
  return candidate.ok === true || (candidate.ok === false && isToolError(candidate.error));
}

/** Tells whether a value has what every tool error has. */
export function isToolError(value: unknown): value is ToolError {
  if (typeof value !== 'object' || value === null) return false;
  const candidate = value as Partial<Record<keyof ToolError, unknown>>;
  return (
    typeof candidate.code === 'string' &&
    typeof candidate.message === 'string' &&
    typeof candidate.fault === 'string' &&
    typeof candidate.retryable === 'boolean'
  );
}

/** Makes content parts of text, one part or several. */
export function toParts(content: ToolContent | undefined): readonly ContentPart[] {
  if (content === undefined || content === '') return nothing;
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  return Array.isArray(content) ? (content as readonly ContentPart[]) : [content as ContentPart];
}
