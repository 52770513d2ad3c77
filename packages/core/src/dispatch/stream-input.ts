import { createJsonStream, type StringDelta } from '@haft/repair/json';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { notifyListener } from '../notify-listener.ts';

/** A stream of the arguments that a model is writing. */
export interface InputStream {
  /** Adds the next chunk of text. Never throws. */
  push(text: string): void;
}

/**
 * Passes arguments to a tool while a model writes them, for display only. Returns `undefined` for a tool without
 * `onInput`. The complete call is still parsed, validated and authorized later, and may never arrive. If the tool
 * throws, it receives no more updates for that call.
 *
 * @example
 * import { defineTool } from '@haft/core';
 * import { createInputStream } from '@haft/core/dispatch';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * createInputStream(ping, 'call_1'); // => undefined
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
        const received = { callId, partial: stream.value, deltas };
        deltas = [];
        notifyListener((input) => {
          isOver = true;
          const answer: unknown = tool.onInput!(input);
          isOver = false;
          return answer;
        }, received);
      } catch {
        // Arguments that can't be parsed as a stream are parsed when they are complete.
        isOver = true;
      }
    },
  };
}
