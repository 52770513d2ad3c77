/** The module of a contender, which is loaded in a process of its own: `dispatch/haft`. */
export function moduleOf(path: string): URL {
  return new URL(`${path}.ts`, import.meta.url);
}
