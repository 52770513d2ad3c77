import { createToolCallStream } from '@haft/repair/calls';
import type { ExtractOptions, Extraction, ToolCallStreamEvent } from '@haft/repair/calls';

/** The joined events of a stream. */
export interface FollowedCalls extends Extraction {
  /** The joined deltas of every call that ended. */
  readonly deltas: readonly string[];
}

/** Streams a message chunk by chunk, and joins its events. */
export function followCalls(pieces: readonly string[], options: ExtractOptions): FollowedCalls {
  const stream = createToolCallStream(options);
  const events: ToolCallStreamEvent[] = [];
  for (const piece of pieces) events.push(...stream.push(piece));
  events.push(...stream.end());
  const open = new Map<number, string>();
  const deltas: string[] = [];
  const calls: Extraction['calls'][number][] = [];
  const rejected = new Set<Extraction['rejected'][number]>();
  let text = '';
  for (const event of events) {
    switch (event.type) {
      case 'text':
        text += event.text;
        break;
      case 'call-started':
        open.set(event.index, '');
        break;
      case 'call-arguments':
        open.set(event.index, (open.get(event.index) ?? '') + event.delta);
        break;
      case 'call-ended':
        calls.push(event.call);
        deltas.push(open.get(event.index) ?? '');
        break;
      default:
        text += event.text;
        rejected.add(event.rejected);
    }
  }
  return { calls, text, rejected: [...rejected], deltas };
}
