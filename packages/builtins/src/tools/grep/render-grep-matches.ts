import { groupRuns } from '../../search/walk/group-walk-runs.ts';
import type { FileMatches } from './collect-grep-matches.ts';

/** A match in the format `output: 'json'`. */
export interface GrepMatch {
  readonly path: string;
  /** Line number, starting at 1. */
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** The number of matches in a file, for the mode `count`. */
export interface GrepCount {
  readonly path: string;
  readonly matches: number;
}

/** Returns matches as a flat list, each with its context lines. */
export function listMatches(files: readonly FileMatches[], before: number, after: number): readonly GrepMatch[] {
  return files.flatMap(({ path, lines }) => {
    const texts = new Map(lines.map(({ line, text }) => [line, text]));
    const around = (from: number, to: number, step: number): readonly string[] => {
      const found: string[] = [];
      for (let line = from; line !== to && texts.has(line); line += step) found.push(texts.get(line)!);
      return step < 0 ? found.toReversed() : found;
    };
    return lines
      .filter(({ isMatch }) => isMatch)
      .map(({ line, text }) => ({
        path,
        line,
        text,
        ...(before > 0 || after > 0
          ? { before: around(line - 1, line - 1 - before, -1), after: around(line + 1, line + 1 + after, 1) }
          : {}),
      }));
  });
}

/** Formats matches grouped by file: `12: text` for a match, `13- text` for a context line, `--` between ranges. */
export function renderMatches(matches: readonly GrepMatch[]): string {
  const shown: string[] = [];
  for (const ofFile of groupRuns(matches, ({ path }) => path)) {
    const { path } = ofFile[0]!;
    shown.push(path);
    const lines = new Map<number, string>();
    for (const { line, before = [], after = [] } of ofFile) {
      for (const [index, text] of before.entries()) {
        const at = line - before.length + index;
        if (!lines.has(at)) lines.set(at, `  ${at}- ${text}`);
      }
      for (const [index, text] of after.entries()) lines.set(line + 1 + index, `  ${line + 1 + index}- ${text}`);
    }
    for (const { line, text } of ofFile) lines.set(line, `  ${line}: ${text}`);
    const hasContext = ofFile.some(({ before }) => before !== undefined);
    let previous: number | undefined;
    for (const [line, text] of [...lines].toSorted(([left], [right]) => left - right)) {
      if (hasContext && previous !== undefined && previous + 1 !== line) shown.push('  --');
      shown.push(text);
      previous = line;
    }
  }
  return shown.join('\n');
}

/** Formats the number of matches per file: `12 src/a.ts`. */
export function renderCounts(counts: readonly GrepCount[]): string {
  return counts.map(({ path, matches }) => `${matches} ${path}`).join('\n');
}
