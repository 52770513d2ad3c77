import { createHash } from 'node:crypto';

import type { AnyTool } from '@haft/core';

const hashes = new WeakMap<AnyTool, string>();

/** Returns a hash of a tool's input schema, to detect changes between two versions of a program. */
export function schemaHashOf(tool: AnyTool): string {
  let hash = hashes.get(tool);
  if (hash === undefined) {
    hash = createHash('sha256').update(JSON.stringify(tool.input.jsonSchema)).digest('hex').slice(0, 16);
    hashes.set(tool, hash);
  }
  return hash;
}
