import { failure, isToolResult, toolError, type ContentPart, type Message, type ToolResult } from '@haft/core';
import { toToolMessage } from '../../history/tool-message.ts';
import type { FoundCall } from './find-calls.ts';

/** The answer of a call, and the message that says it. */
export interface Answer {
  readonly result: ToolResult;
  readonly message: Message;
  /** Whether the source's own result could not be used. */
  readonly isReplaced: boolean;
}

/**
 * Makes the message that answers a call. A result that no conversation can carry, which only a source of somebody else's
 * making gives, is replaced by a failure: whatever comes back, the call is answered.
 */
export function createAnswer({ message: call, dispatched }: FoundCall, result: ToolResult): Answer {
  try {
    if (isValidResult(result)) return { result, message: toToolMessage(call, result), isReplaced: false };
  } catch {
    // Looking at it fails as well.
  }
  const error = toolError('OUTPUT_INVALID', `${dispatched.name} returned what no result can carry`);
  const replaced = failure(dispatched.id, error, { name: dispatched.name });
  return { result: replaced, message: toToolMessage(call, replaced), isReplaced: true };
}

function isValidResult(result: unknown): boolean {
  return isToolResult(result) && result.content.every(isValidPart);
}

/** Throws, too, for what can't be looked at or is no JSON. */
function isValidPart(part: ContentPart): boolean {
  switch (part.type) {
    case 'text':
      return typeof part.text === 'string';
    case 'json':
      JSON.stringify(part.value);
      return true;
    case 'image':
    case 'audio':
      return part.data instanceof Uint8Array && typeof part.mediaType === 'string';
    case 'resource':
      return typeof part.resource.uri === 'string';
    default:
      return false;
  }
}
