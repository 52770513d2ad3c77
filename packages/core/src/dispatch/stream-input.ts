import { createJsonStream, type StringDelta } from '@haft/repair/json';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { notifyListener } from '../notify-listener.ts';

/** The arguments of a call while a model writes them. */
export interface InputStream {
  /** Takes the next piece of their text. Never throws. */
  push(text: string): void;
}

/**
 * Lets a tool hear of arguments that are still being written, for showing them as they grow; `undefined` for a tool that
 * does not listen (`onInput`). Nothing is decided by it: the call is read, validated and allowed when it is whole, and it may
 * never come. A tool that throws hears no more of that call.
 */
export function createInputStream(tool: AnyTool, callId: string): InputStream | undefined {
  if (tool.onInput === undefined) return undefined;
  let deltas: StringDelta[] = [];
  let isOver = false;
  const stream = createJsonStream({
    schema: tool.input.jsonSchema,
    root: 'object',
    onDelta: (delta) => void deltas.push(delta),
  });
  return {
    push(text) {
      if (isOver) return;
      try {
        stream.push(text);
        if (stream.value === undefined) return;
        const heard = { callId, partial: stream.value, deltas };
        deltas = [];
        notifyListener((input) => {
          isOver = true;
          const answer: unknown = tool.onInput!(input);
          isOver = false;
          return answer;
        }, heard);
      } catch {
        // What can't be read while it grows is read when it is whole.
        isOver = true;
      }
    },
  };
}
