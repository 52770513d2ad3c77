/**
 * The entry `@haft/repair/json` as Node loads it: what repairs is loaded with the first text that needs it. Bundlers and all
 * other runtimes get `json.ts`, which is the same with everything in it.
 */
import type * as WholeJson from './json.ts';
import { isAsMeant, parseJson, asWritten, defaultSize } from './json/document/read-valid.ts';
import { toShape } from './json/result/shape.ts';

export { repairErrorCodes } from './json/result/repair-error-codes.ts';

type WholeEntry = typeof WholeJson;

/** What is used of Node: an own way to its modules, which neither a bundler nor a test runner puts its hands on. */
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
    if (value !== undefined && isAsMeant(value, text, known, toShape(known))) return asWritten(value);
  }
  return load().repairJson(text, options);
};

export const createJsonStream: WholeEntry['createJsonStream'] = (options) => load().createJsonStream(options);

export const ready: WholeEntry['ready'] = () => {
  try {
    load();
    return undefined;
  } catch {
    // It is being imported at this moment, or it was put into a bundle: both are waited for in the same way.
    return loadLater();
  }
};

async function loadLater(): Promise<void> {
  whole = await import('./json.ts');
}
