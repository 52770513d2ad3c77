import type { RepairResult } from '@haft/repair';
import { element } from './element.ts';
import { completeInWords, countOf, riskInWords } from './plain-words.ts';
import type { Span } from './segments.ts';
import { printedValue, repairList, riskBadge } from './show-parts.ts';

/** Shows a text as one value: the value, its certainty, and each repair. */
export function showValue(card: HTMLElement, result: RepairResult, text: string): void {
  const title = element('h2', { attributes: { id: 'value-title' } }, 'The value');
  if (!result.ok) {
    card.replaceChildren(
      element('header', {}, title, element('span', { class: 'badge failed' }, 'not read')),
      element('p', { class: 'lead' }, result.message),
      element(
        'dl',
        {},
        element('dt', {}, 'Code'),
        element('dd', {}, element('code', {}, result.code)),
        element('dt', {}, 'Message for the model'),
        element('dd', {}, result.hint),
      ),
    );
    return;
  }
  const { value, risk, complete, repairs } = result;
  card.replaceChildren(
    element('header', {}, title, riskBadge(risk)),
    element('p', { class: 'lead' }, `${riskInWords[risk]} ${completeInWords(complete)}`),
    printedValue(value, 'The value as JSON'),
    element('h3', {}, repairs.length === 0 ? 'No repairs' : countOf(repairs.length, 'repair')),
    ...(repairs.length === 0 ? [] : [repairList(repairs, valueSpanId, text)]),
  );
}

/** The spans of a value: its repairs, or the position of the failure. */
export function spansOfValue(result: RepairResult): readonly Span[] {
  if (!result.ok) return [{ id: 'stopped', start: result.position, end: result.position, look: 'failed' }];
  return result.repairs.map(({ start, end, risk }, index) => ({ id: valueSpanId(index), start, end, look: risk }));
}

function valueSpanId(index: number): string {
  return `value-${index}`;
}
