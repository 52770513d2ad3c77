/**
 * The entry `@haft/repair/json` for Node. It loads the repair code with the first text that needs it. Bundlers and
 * other runtimes use `json.ts`, which contains everything.
 */
import type * as WholeJson from './json.ts';
import { isAsMeant, parseJson, asWritten, defaultSize } from './json/document/read-valid-document.ts';
import { findRepairFault } from './options/check-argument.ts';
import { createShape } from './json/result/declared-shape.ts';

export { repairOptionErrorCodes } from './options/check-argument.ts';
export { repairErrorCodes } from './json/result/repair-result.ts';

type WholeEntry = typeof WholeJson;

/** Node's own way to load modules, which neither a bundler nor a test runner rewrites. */
declare const process: {
  getBuiltinModule(name: 'node:module'): { createRequire(from: string): (path: string) => unknown };
};

let whole: WholeEntry | undefined;

function load(): WholeEntry {
  return (whole ??= process.getBuiltinModule('node:module').createRequire(import.meta.url)('./json.js') as WholeEntry);
}

export const repairJson: WholeEntry['repairJson'] = (text, options) => {
  if (whole === undefined && typeof text === 'string' && text.length <= (options?.limits?.size ?? defaultSize)) {
    const value = parseJson(text);
    const known = options ?? {};
    if (
      value !== undefined &&
      findRepairFault(known, '') === undefined &&
      isAsMeant(value, { ...known, shape: createShape(known.schema) })
    )
      return asWritten(value);
  }
  return load().repairJson(text, options);
};

export const createJsonStream: WholeEntry['createJsonStream'] = (options) => load().createJsonStream(options);

export const ready: WholeEntry['ready'] = () => {
  try {
    load();
    return undefined;
  } catch {
    // The code is being imported at the moment, or is part of a bundle. Both cases wait in the same way.
    return loadLater();
  }
};

async function loadLater(): Promise<void> {
  whole = await import('./json.ts');
}
