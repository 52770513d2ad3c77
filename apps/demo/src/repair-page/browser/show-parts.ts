import type { Repair, RepairRisk } from '@haft/repair';
import { element } from './element.ts';
import { countOf, replacementOf, riskName, withVisibleBlanks } from './plain-words.ts';
import { printValue } from './print-value.ts';

/** Maximum number of rows in a list; the others are counted. */
const maxRows = 200;

/** Maximum number of characters of a printed value. */
const maxPrinted = 100_000;

/** A risk as a word with its own shape and colour. */
export function riskBadge(risk: 'none' | RepairRisk): HTMLElement {
  return element('span', { class: `badge ${risk}` }, riskName[risk]);
}

/** A value as JSON, shortened to fit. */
export function printedValue(value: unknown, label: string): HTMLElement {
  const { pieces, isWhole } = printValue(value, maxPrinted);
  const parts = pieces.map(({ kind, text }) => (kind === 'mark' ? text : element('span', { class: kind }, text)));
  const attributes = { tabindex: '0', role: 'region', 'aria-label': label };
  const printed = element('pre', { class: 'printed', attributes }, ...parts);
  if (isWhole) return printed;
  const room = maxPrinted.toLocaleString('en');
  return element('div', {}, printed, element('p', { class: 'quiet' }, `Only the first ${room} characters are shown.`));
}

/** Repairs as rows that can be highlighted; `ids` are those of their spans. */
export function repairList(repairs: readonly Repair[], idOf: (index: number) => string, text: string): HTMLElement {
  const placeOf = createPlaces(text);
  const rows = repairs.slice(0, maxRows).map((repair, index) => {
    const { code, start, end, found, risk } = repair;
    const attributes = { type: 'button', 'data-span': idOf(index), 'aria-pressed': 'false' };
    const row = element(
      'button',
      { class: `repair ${risk}`, attributes },
      element('span', { class: 'code' }, code),
      element(
        'span',
        { class: 'change' },
        snippet(found, end - start === 0 ? 'nothing' : undefined, end - start > found.length),
        element('span', { class: 'arrow', attributes: { role: 'img', 'aria-label': 'taken for' } }, ' → '),
        snippet(replacementOf(repair), 'left out', false),
      ),
      element('span', { class: 'place' }, placeOf(start)),
      riskBadge(risk),
    );
    return element('li', {}, row);
  });
  const list = element('ol', { class: 'repairs' }, ...rows);
  const rest = repairs.length - rows.length;
  if (rest > 0) list.append(element('li', { class: 'quiet' }, `and ${countOf(rest, 'more repair')}`));
  return list;
}

function snippet(written: string, whenEmpty: string | undefined, isCut: boolean): HTMLElement {
  if (written === '') return element('i', {}, whenEmpty ?? 'nothing');
  return element('code', {}, `${withVisibleBlanks(written)}${isCut ? '…' : ''}`);
}

/** Converts offsets to `line:column`, both from 1; counts the lines once. */
function createPlaces(text: string): (offset: number) => string {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return `${low + 1}:${offset - (starts[low] ?? 0) + 1}`;
  };
}
