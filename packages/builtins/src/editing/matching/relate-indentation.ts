/** Converts indentation in the model's text to that of the file. Returns undefined if it cannot. */
export type IndentationMap = (indentation: string) => string | undefined;

/** The indentation of the same line, in the model's text and in the file. */
export type IndentationPair = readonly [written: string, stored: string];

const unchanged: IndentationMap = (indentation) => indentation;

/** Returns the leading whitespace of a line. */
export function indentationOf(line: string): string {
  let end = 0;
  while (line.charCodeAt(end) === 32 || line.charCodeAt(end) === 9) end += 1;
  return line.slice(0, end);
}

/** Returns whether all lines have the same indentation in both texts. */
export function isSameIndentation(pairs: readonly IndentationPair[]): boolean {
  return pairs.every(([written, stored]) => written === stored);
}

/**
 * Finds the one rule that relates the indentation of all lines: the same additional whitespace, other units (tabs
 * instead of spaces, four spaces instead of two), or both. Returns undefined if the lines disagree, because then their
 * structure differs.
 */
export function relateIndentation(pairs: readonly IndentationPair[]): IndentationMap | undefined {
  if (isSameIndentation(pairs)) return unchanged;
  return relateByShift(pairs) ?? relateByUnit(pairs);
}

function relateByShift(pairs: readonly IndentationPair[]): IndentationMap | undefined {
  const [written, stored] = pairs[0]!;
  if (stored.endsWith(written)) {
    const added = stored.slice(0, stored.length - written.length);
    if (pairs.every(([from, to]) => to === added + from)) return (indentation) => added + indentation;
  }
  if (written.endsWith(stored)) {
    const removed = written.slice(0, written.length - stored.length);
    if (pairs.every(([from, to]) => from === removed + to)) {
      return (indentation) => (indentation.startsWith(removed) ? indentation.slice(removed.length) : undefined);
    }
  }
  return undefined;
}

const units = ['\t', '    ', '  ', '        ', '   '] as const;

function relateByUnit(pairs: readonly IndentationPair[]): IndentationMap | undefined {
  const found: { readonly map: IndentationMap; readonly shift: number }[] = [];
  for (const writtenUnit of units) {
    for (const storedUnit of units) {
      if (writtenUnit === storedUnit) continue;
      const shift = findShift(pairs, writtenUnit, storedUnit);
      if (shift !== undefined)
        found.push({ shift, map: (indentation) => convert(indentation, writtenUnit, storedUnit, shift) });
    }
  }
  // Several units can explain a few lines. Prefers one without additional whitespace.
  return (found.find(({ shift }) => shift === 0) ?? found[0])?.map;
}

function findShift(pairs: readonly IndentationPair[], writtenUnit: string, storedUnit: string): number | undefined {
  let shift: number | undefined;
  for (const [written, stored] of pairs) {
    const from = measure(written, writtenUnit);
    const to = measure(stored, storedUnit);
    if (!from || !to || from.rest !== to.rest) return undefined;
    shift ??= to.levels - from.levels;
    if (to.levels - from.levels !== shift) return undefined;
  }
  return shift;
}

function convert(indentation: string, writtenUnit: string, storedUnit: string, shift: number): string | undefined {
  const measured = measure(indentation, writtenUnit);
  if (!measured || measured.levels + shift < 0) return undefined;
  return storedUnit.repeat(measured.levels + shift) + measured.rest;
}

interface Measure {
  readonly levels: number;
  /** Returns the spaces after the last whole indentation level. */
  readonly rest: string;
}

function measure(indentation: string, unit: string): Measure | undefined {
  let levels = 0;
  while (indentation.startsWith(unit, levels * unit.length)) levels += 1;
  const rest = indentation.slice(levels * unit.length);
  return rest.includes('\t') || (unit !== '\t' && rest.length >= unit.length) ? undefined : { levels, rest };
}
