import type { WordPart } from '../syntax/shell-word.ts';

const maxAlternatives = 64;
// Maximum number of lookaheads. Each one scans the rest of the word, and no real word has more braces.
const maxLookups = 100;

/** A literal character of a word, or an expansion. */
export type Cell =
  | { readonly character: string; readonly isQuoted: boolean }
  | { readonly part: Exclude<WordPart, { readonly kind: 'text' }> };

/** Splits the parts of a word into cells. */
export function toCells(parts: readonly WordPart[]): readonly Cell[] {
  return parts.flatMap((part): readonly Cell[] =>
    part.kind === 'text' // Empty quotes count as a part, too.
      ? Array.from(part.text === '' ? [''] : part.text, (character) => ({ character, isQuoted: part.isQuoted }))
      : [{ part }],
  );
}

/** Expands the braces of a word: `{a,b}c` becomes `ac` and `bc`. Returns undefined if there are too many results. */
export function expandWordBraces(
  cells: readonly Cell[],
  room: { looks: number } = { looks: maxLookups },
): readonly (readonly Cell[])[] | undefined {
  for (let open = 0; open < cells.length; open += 1) {
    if (!isSign(cells[open], '{')) continue;
    // Bash takes the brace in `$${` for the start of a parameter.
    if (isProcessNumber(cells[open - 1])) return undefined;
    room.looks -= 1;
    if (room.looks < 0) return undefined;
    const group = findGroup(cells, open);
    if (group === 'unclear') return undefined;
    if (!group) continue;
    if (group.alternatives.length > maxAlternatives) return undefined;
    const rests = expandWordBraces(cells.slice(group.end + 1), room);
    if (!rests) return undefined;
    const words: (readonly Cell[])[] = [];
    for (const alternative of group.alternatives) {
      const inner = expandWordBraces(alternative, room);
      if (!inner || words.length + inner.length * rests.length > maxAlternatives) return undefined;
      for (const middle of inner) for (const rest of rests) words.push([...cells.slice(0, open), ...middle, ...rest]);
    }
    return words;
  }
  return [cells];
}

interface Group {
  readonly alternatives: readonly (readonly Cell[])[];
  readonly end: number;
}

/** Returns the group that opens here. Braces without a comma or a range are literal characters. */
function findGroup(cells: readonly Cell[], open: number): Group | 'unclear' | undefined {
  const commas: number[] = [];
  let depth = 0;
  let hasDots = false;
  for (let index = open; index < cells.length; index += 1) {
    if (isSign(cells[index], '{')) depth += 1;
    else if (isSign(cells[index], ',') && depth === 1) commas.push(index);
    else if (isSign(cells[index], '.') && isSign(cells[index - 1], '.') && depth === 1) hasDots = true;
    else if (isSign(cells[index], '}')) {
      depth -= 1;
      if (depth > 0) continue;
      if (commas.length === 0)
        return readRange(cells, open, index) ?? (hasDots || mayCloseLater(cells, index) ? 'unclear' : undefined);
      const bounds = [open, ...commas, index];
      return { alternatives: bounds.slice(1).map((end, at) => cells.slice(bounds[at]! + 1, end)), end: index };
    }
  }
  return undefined;
}

/** `{a},}` is a group that its first closing brace does not close. */
function mayCloseLater(cells: readonly Cell[], from: number): boolean {
  const comma = cells.findIndex((cell, index) => index > from && isSign(cell, ','));
  return comma !== -1 && cells.some((cell, index) => index > comma && isSign(cell, '}'));
}

function readRange(cells: readonly Cell[], open: number, end: number): Group | undefined {
  const inner = cells.slice(open + 1, Math.min(end, open + 40));
  if (!inner.every((cell) => 'character' in cell && !cell.isQuoted)) return undefined;
  const text = inner.map((cell) => ('character' in cell ? cell.character : '')).join('');
  const range = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z]))(?:\.\.(-?\d{1,9}))?$/.exec(text);
  if (!range) return undefined;
  const [, fromNumber, toNumber, fromSmall, toSmall, fromCapital, toCapital, by] = range;
  const isNumber = fromNumber !== undefined && toNumber !== undefined;
  const [from, to] = isNumber
    ? [Number(fromNumber), Number(toNumber)]
    : [(fromSmall ?? fromCapital!).charCodeAt(0), (toSmall ?? toCapital!).charCodeAt(0)];
  const width =
    isNumber && isPadded.test(`${fromNumber} ${toNumber}`) ? Math.max(fromNumber.length, toNumber.length) : 0;
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  const alternatives: (readonly Cell[])[] = [];
  for (let at = 0; at <= Math.abs(to - from) && alternatives.length <= maxAlternatives; at += step) {
    const value = from < to ? from + at : from - at;
    const shown = isNumber ? padNumber(value, width) : String.fromCharCode(value);
    alternatives.push(Array.from(shown, (character) => ({ character, isQuoted: false })));
  }
  return { alternatives, end };
}

/** If a number has a leading zero, all numbers are padded to its width. */
const isPadded = /(?:^| )-?0\d/;

function padNumber(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}

function isProcessNumber(cell: Cell | undefined): boolean {
  if (!cell || 'character' in cell || cell.part.kind !== 'parameter') return false;
  const { isQuoted, parameter } = cell.part;
  return !isQuoted && !parameter.isBraced && parameter.name === '$';
}

function isSign(cell: Cell | undefined, sign: string): boolean {
  return cell !== undefined && 'character' in cell && !cell.isQuoted && cell.character === sign;
}

/** Returns whether a part contains a dollar sign that does not begin an expansion. */
export function hasBareDollar(part: WordPart): boolean {
  return part.kind === 'text' && !part.isQuoted && part.text.includes('$');
}

/**
 * Returns whether Bash may find braces or commas in this part that are overlooked here, or read on after the part for
 * the rest of a name.
 */
export function mayHideBraces(part: WordPart): boolean {
  if (part.kind === 'text') return hasBareDollar(part);
  if (part.kind === 'number') return true;
  return (
    part.kind === 'parameter' && (part.parameter.operator === 'other' || /["'`,{}\\]/.test(part.parameter.operand))
  );
}
