/** The path of a contender's module, which is loaded in a separate process: `dispatch/haft`. */
export function moduleOf(path: string): URL {
  return new URL(`${path}.ts`, import.meta.url);
}
