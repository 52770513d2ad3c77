import { createBuiltins } from '@haft/builtins';

/** Returns the names of the built-in tools, by package. */
export function listToolsOfPackages(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([['@haft/builtins', new Set(createBuiltins().map(({ name }) => name))]]);
}
