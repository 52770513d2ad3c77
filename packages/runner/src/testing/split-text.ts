const usualLengths: readonly number[] = [3, 1, 7, 2, 5];

/** Cuts a text into pieces of the given lengths in code points, taken in turn. The same text gives the same pieces. */
export function* splitText(text: string, lengths: readonly number[] = usualLengths): Generator<string> {
  let piece = '';
  let size = 0;
  let count = 0;
  const wanted = (): number => Math.max(1, lengths[count % lengths.length] ?? 1);
  for (const point of text) {
    piece += point;
    size += 1;
    if (size < wanted()) continue;
    yield piece;
    piece = '';
    size = 0;
    count += 1;
  }
  if (piece !== '') yield piece;
}
