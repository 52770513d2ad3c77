import type { ExtractedCall, Extraction, RejectedCall } from '@haft/repair';
import { element } from './element.ts';
import { completeInWords, countOf, reasonInWords, riskInWords, withVisibleBlanks } from './plain-words.ts';
import type { Span } from './segments.ts';
import { printedValue, repairList, riskBadge } from './show-parts.ts';

/** Maximum number of calls shown one by one. */
const maxCalls = 50;

/** Maximum number of characters shown of the remaining text. */
const maxLeft = 20_000;

/** Shows a text as a message with calls: the calls, the rejected ones with reasons, and the remaining text. */
export function showCalls(card: HTMLElement, extraction: Extraction, text: string): void {
  const { calls, rejected } = extraction;
  const title = element('h2', { attributes: { id: 'calls-title' } }, 'Tool calls');
  const count = element('span', { class: `badge ${calls.length > 0 ? 'call' : 'quiet'}` }, `${calls.length} found`);
  const refused = element('span', { class: 'badge rejected' }, `${rejected.length} rejected`);
  const shown = calls.slice(0, maxCalls).map((call, index) => showCall(call, index, text));
  const refusals = rejected.slice(0, maxCalls).map((one, index) => showRejected(one, index));
  const unshown = calls.length - shown.length + rejected.length - refusals.length;
  card.replaceChildren(
    element('header', {}, title, count, ...(rejected.length > 0 ? [refused] : [])),
    ...(calls.length + rejected.length > 0
      ? []
      : [element('p', { class: 'lead' }, 'Nothing in this text calls a declared tool.')]),
    ...(shown.length === 0 ? [] : [element('ol', { class: 'calls' }, ...shown)]),
    ...(refusals.length === 0
      ? []
      : [element('h3', {}, 'Rejected'), element('ul', { class: 'refusals' }, ...refusals)]),
    ...(unshown === 0 ? [] : [element('p', { class: 'quiet' }, `${countOf(unshown, 'more')} not shown.`)]),
    ...textLeft(extraction),
  );
}

/** The spans of calls: each call, each repair in it, and each rejected call. */
export function spansOfCalls({ calls, rejected }: Extraction): readonly Span[] {
  return [
    ...rejected.map(({ start, end }, index) => ({ id: `rejected-${index}`, start, end, look: 'rejected' })),
    ...calls.map(({ start, end }, index) => ({ id: `call-${index}`, start, end, look: 'call' })),
    ...calls.flatMap(({ repairs }, index) =>
      repairs.map(({ start, end, risk }, at) => ({ id: `call-${index}-${at}`, start, end, look: risk })),
    ),
  ];
}

function showCall(call: ExtractedCall, index: number, text: string): HTMLElement {
  const { name, envelope, risk, complete, repairs } = call;
  const attributes = { type: 'button', 'data-span': `call-${index}`, 'aria-pressed': 'false' };
  return element(
    'li',
    {},
    element(
      'div',
      { class: 'row' },
      element('button', { class: 'name', attributes }, name),
      element('span', { class: 'quiet' }, 'written as ', element('code', {}, envelope)),
      riskBadge(risk),
    ),
    element('p', { class: 'quiet' }, `${riskInWords[risk]} ${completeInWords(complete)}`),
    printedValue(call.arguments, `Arguments of ${name}`),
    ...(repairs.length === 0
      ? []
      : [
          element('h4', {}, countOf(repairs.length, 'repair')),
          repairList(repairs, (at) => `call-${index}-${at}`, text),
        ]),
  );
}

function showRejected({ reason, name }: RejectedCall, index: number): HTMLElement {
  const attributes = { type: 'button', 'data-span': `rejected-${index}`, 'aria-pressed': 'false' };
  return element(
    'li',
    {},
    element('button', { class: 'name', attributes }, name ?? 'a call without a name'),
    element('span', {}, `${reasonInWords(reason)} `, element('code', {}, reason)),
  );
}

function textLeft({ calls, text }: Extraction): readonly HTMLElement[] {
  if (calls.length === 0) return [];
  const title = element('h3', {}, 'Remaining text');
  if (text === '') return [title, element('p', { class: 'quiet' }, 'None.')];
  if (text.trim() === '') return [title, element('p', {}, element('code', {}, withVisibleBlanks(text.slice(0, 80))))];
  const shown = text.length > maxLeft ? `${text.slice(0, maxLeft)}…` : text;
  const attributes = { tabindex: '0', role: 'region', 'aria-label': 'Remaining text' };
  return [title, element('pre', { class: 'printed left', attributes }, shown)];
}
