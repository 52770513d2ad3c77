/** Makes ids `prefix_1`, `prefix_2` …: unique within what the source serves, and cheap. */
export function createIdSource(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}_${(count += 1)}`;
}
