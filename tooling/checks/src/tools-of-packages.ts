import { createBuiltins } from '@haft/builtins';

/** The names of the tools that come with the packages, by package. */
export function listToolsOfPackages(): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([['@haft/builtins', new Set(createBuiltins().map(({ name }) => name))]]);
}
