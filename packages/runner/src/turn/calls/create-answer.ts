import { failure, isToolResult, toolError, type ContentPart, type Message, type ToolResult } from '@haft/core';
import { toToolMessage } from '../../history/tool-message.ts';
import type { FoundCall } from './find-calls.ts';

/** The answer of a call with its tool message. */
export interface Answer {
  readonly result: ToolResult;
  readonly message: Message;
  /** Whether the source's result was invalid. */
  readonly isReplaced: boolean;
}

/**
 * Creates the tool message of a call. Replaces an invalid result of a custom source with a failure, so that every call
 * is answered.
 */
export function createAnswer({ message: call, dispatched }: FoundCall, result: ToolResult): Answer {
  try {
    if (isValidResult(result)) return { result, message: toToolMessage(call, result), isReplaced: false };
  } catch {
    // Reading the value threw.
  }
  const error = toolError('OUTPUT_INVALID', `${dispatched.name} returned an invalid result`);
  const replaced = failure(dispatched.id, error, { name: dispatched.name });
  return { result: replaced, message: toToolMessage(call, replaced), isReplaced: true };
}

function isValidResult(result: unknown): boolean {
  return isToolResult(result) && result.content.every(isValidPart);
}

/** Also throws if a member cannot be read or is not JSON. */
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
