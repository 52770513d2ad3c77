const defaultLengths: readonly number[] = [3, 1, 7, 2, 5];

/** Splits a text into chunks with the given lengths in code points, used in rotation. Deterministic. */
export function* scriptedChunks(text: string, lengths: readonly number[] = defaultLengths): Generator<string> {
  let chunk = '';
  let size = 0;
  let count = 0;
  const wanted = (): number => Math.max(1, lengths[count % lengths.length] ?? 1);
  for (const point of text) {
    chunk += point;
    size += 1;
    if (size < wanted()) continue;
    yield chunk;
    chunk = '';
    size = 0;
    count += 1;
  }
  if (chunk !== '') yield chunk;
}
