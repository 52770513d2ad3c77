const defaultLengths: readonly number[] = [3, 1, 7, 2, 5];

/** Cuts a text into pieces of the given lengths in code points, taken in turn. The same text gives the same pieces. */
export function* splitText(text: string, lengths: readonly number[] = defaultLengths): Generator<string> {
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
