import { toolError } from '@haft/core';
import { findAnchor, type AnchoredText, type FoundLine } from '../../editing/anchors/find-anchor.ts';
import { parseAnchor } from '../../editing/anchors/line-anchor.ts';

/** Line comparisons from exact to trimmed. The first that matches a line is used. */
const readings: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
];

/** Finds one line by an anchor such as `12:a1b2`, which `read` shows with hashes, or by its whole text. */
export function findLine(given: string, argument: string, file: AnchoredText): FoundLine {
  const { lines, shown } = file;
  const wanted = given.replace(/(?:\r\n?|\n)$/, '');
  for (const read of readings) {
    const places = [...lines.keys()].filter((index) => read(lines[index]!.text) === read(wanted));
    if (places.length === 1) return { ok: true, index: places[0]! };
    if (places.length > 1) return { ok: false, error: severalLines(places, argument, shown) };
  }
  const anchor = parseAnchor(given);
  if (anchor) return findAnchor(anchor, argument, file);
  return {
    ok: false,
    error: toolError('TEXT_NOT_FOUND', `${argument} is not a line of ${shown}`, {
      hint: `Copy one whole line of the file as ${argument}, or take its anchor ("12:a1b2") from read with hash_len.`,
      details: { path: shown },
    }),
  };
}

function severalLines(places: readonly number[], argument: string, shown: string): ReturnType<typeof toolError> {
  const listed = places
    .slice(0, 10)
    .map((index) => index + 1)
    .join(', ');
  return toolError('TEXT_MULTIPLE_MATCHES', `${argument} matches ${places.length} lines of ${shown}: ${listed}`, {
    hint: `Take another line as ${argument}, or its anchor ("12:a1b2") from read with hash_len.`,
    details: { path: shown, matches: places.length, lines: places.slice(0, 100).map((index) => index + 1) },
  });
}
