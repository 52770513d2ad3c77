import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import { filterSnapshot } from './snapshot.ts';

/**
 * Creates a function that filters snapshots like {@link filterSnapshot} and caches the result per snapshot. The test
 * must always return the same answer for a tool. The filter then runs only when the tools change, not on every turn.
 *
 * @example
 * import { createDispatcher, defineTool } from '@haft/core';
 * import { createSnapshotFilter } from '@haft/core/registry';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const pay = defineTool({ name: 'pay', description: 'Pays.', execute: () => 'paid' });
 * const readOnly = createSnapshotFilter((tool) => tool.kind === 'read');
 * const { snapshot } = createDispatcher({ registry: [ping, pay] });
 * readOnly(snapshot()).tools.map(({ name }) => name); // => ['ping']
 */
export function createSnapshotFilter(
  keep: (tool: AnyTool, provider: string) => boolean,
): (snapshot: ToolSnapshot) => ToolSnapshot {
  const known = new WeakMap<ToolSnapshot, ToolSnapshot>();
  return (snapshot) => {
    let part = known.get(snapshot);
    if (part === undefined) {
      part = filterSnapshot(snapshot, keep);
      known.set(snapshot, part);
      // A filtered snapshot is returned unchanged.
      known.set(part, part);
    }
    return part;
  };
}
