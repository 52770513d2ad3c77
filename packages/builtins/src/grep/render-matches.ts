import type { FoundLine } from '../search/search-lines.ts';

/** What was found in one file. */
export interface FileMatches {
  /** As models read it. */
  readonly path: string;
  readonly lines: readonly FoundLine[];
}

/** One match as `output: 'json'` gives it. */
export interface GrepMatch {
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
  readonly text: string;
  readonly before?: readonly string[];
  readonly after?: readonly string[];
}

/** Matches under the name of their file: `12: text` for a match, `13- text` for a line near it. */
export function renderMatches(files: readonly FileMatches[]): string {
  const blocks = files.map(({ path, lines }) => {
    const shown: string[] = [path];
    for (const [index, { line, text, isMatch }] of lines.entries()) {
      const previous = lines[index - 1];
      const hasContext = lines.some((other) => !other.isMatch);
      if (hasContext && previous && previous.line + 1 !== line) shown.push('  --');
      shown.push(`  ${line}${isMatch ? ':' : '-'} ${text}`);
    }
    return shown.join('\n');
  });
  return blocks.join('\n');
}

/** Matches as a flat list, each with the lines around it. */
export function listMatches(files: readonly FileMatches[], context: number): readonly GrepMatch[] {
  return files.flatMap(({ path, lines }) => {
    const texts = new Map(lines.map(({ line, text }) => [line, text]));
    const around = (from: number, to: number): string[] => {
      const found: string[] = [];
      for (let line = from; line <= to; line += 1) if (texts.has(line)) found.push(texts.get(line)!);
      return found;
    };
    return lines
      .filter(({ isMatch }) => isMatch)
      .map(({ line, text }) =>
        context === 0
          ? { path, line, text }
          : { path, line, text, before: around(line - context, line - 1), after: around(line + 1, line + context) },
      );
  });
}
