import { createInputStream, type InputStream } from '@haft/core/dispatch';
import type { ModelEvent, ToolSnapshot } from '@haft/core';

/** Sends the growing arguments of one answer's calls to the tools that listen. */
export function createInputNotifier(snapshot: ToolSnapshot): (event: ModelEvent) => void {
  const streams = new Map<string, InputStream>();
  return (event) => {
    if (event.type === 'tool-call-start') {
      const tool = snapshot.get(event.name);
      const stream = tool && createInputStream(tool, event.id);
      if (stream) streams.set(event.id, stream);
      else streams.delete(event.id);
    } else if (event.type === 'tool-call-delta') {
      streams.get(event.id)?.push(event.text);
    } else if (event.type === 'tool-call') {
      streams.delete(event.id);
    }
  };
}
