/** Creates a function that returns the IDs `prefix_1`, `prefix_2` …, which are unique within this source. */
export function createIdSource(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}_${(count += 1)}`;
}
