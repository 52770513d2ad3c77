import { readValue } from '../../../json/document/read-value.ts';
import type { Machine } from '../../../json/machine/machine.ts';
import type { RepairOptions } from '../../../json/result/repair-options.ts';
import type { Repair } from '../../../json/result/repair-result.ts';
import { shapeOf } from '../../contract/argument-shape.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { isOnlyText } from '../text-values.ts';

/** Longer arguments are not searched for words without quotes. */
const maxLength = 4_096;

// Matches a string, or a name with its sign and the words up to the next name or the end.
const partPattern =
  /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|([A-Za-z_]\w{0,63})(\s{0,4}=\s{0,4})(\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?|\d{1,2}:\d{2}|\p{L}[\p{L}\p{N} '’-]{0,79}?)(?=\s{0,4}(?:,\s{0,4}[A-Za-z_]\w{0,63}\s{0,4}=|\)))/gu;

const literalWordPattern = /^(?:true|false|null|none|undefined|nan)$/i;

/**
 * Reads the arguments of a call in which values of a declared string lack their quotes, `city=New York`. Only words
 * that can't be the name of a variable count as text: words that begin with a capital letter, several words, dates, times,
 * or a word that the schema lists. Returns undefined if anything else is wrong.
 */
export function readWithBareWords(
  text: string,
  offset: number,
  tool: CallableTool,
  options: RepairOptions,
): Machine | undefined {
  if (text.length > maxLength) return undefined;
  const repairs: Repair[] = [];
  let quoted = '';
  let from = 0;
  for (const { 0: whole, 1: key, 2: sign = '', 3: value, index } of text.matchAll(partPattern)) {
    if (key === undefined || value === undefined || !isText(value, tool, key)) continue;
    const start = index + key.length + sign.length;
    const end = index + whole.length;
    quoted += `${text.slice(from, start)}"${value}"`;
    const found = value.slice(0, 60);
    const assumed = `"${value}"`.slice(0, 60);
    repairs.push({ code: 'unquoted-string', start: offset + start, end: offset + end, found, assumed, risk: 'lossy' });
    from = end;
  }
  if (repairs.length === 0) return undefined;
  const machine = readValue(quoted + text.slice(from), 0, 'arguments', options);
  const isWhole = machine.failure === undefined && machine.ending === 'closed' && !machine.hasUncertainEnd;
  if (!isWhole || machine.risk === 'lossy') return undefined;
  // Each earlier word is two characters longer, because it got quotes.
  const toSource = (at: number): number => {
    let moved = at + offset;
    for (const [index, { start }] of repairs.entries()) if (at > start - offset + 2 * index) moved -= 1;
    for (const [index, { end }] of repairs.entries()) if (at > end - offset + 2 * index + 1) moved -= 1;
    return moved;
  };
  const others = machine.repairs.map((repair) => ({
    ...repair,
    start: toSource(repair.start),
    end: toSource(repair.end),
  }));
  const all = [...others, ...repairs].sort((one, other) => one.start - other.start);
  return Object.assign(machine, { rootEnd: toSource(machine.rootEnd), risk: 'lossy' as const, repairs: all });
}

function isText(value: string, tool: CallableTool, key: string): boolean {
  if (literalWordPattern.test(value) || !isOnlyText(shapeOf(tool)?.member(key), 'json')) return false;
  const { properties } = tool.parameters as { readonly properties?: Readonly<Record<string, { enum?: unknown[] }>> };
  return /^[\p{Lu}\d]|[ -]/u.test(value) || properties?.[key]?.enum?.includes(value) === true;
}
