import { elementById } from './element.ts';
import { readSchema, readTools, type Declared } from './declarations.ts';
import { createMarkedText, maxMarkedLength } from './marked-text.ts';
import { maxFragmentLength, readFragment, sampleOfState, stateOfSample, writeFragment } from './page-state.ts';
import type { PageState } from './page-state.ts';
import { countOf, riskName } from './plain-words.ts';
import { createPointing } from './pointing.ts';
import { readText, type Reading } from './read-text.ts';
import { defaultTools, samples } from './samples.ts';
import { showCalls, spansOfCalls } from './show-calls.ts';
import { showValue, spansOfValue } from './show-value.ts';

/** Texts up to this length are read on every key; longer ones when typing pauses. */
const readAtOnce = 20_000;

const text = elementById('text', HTMLTextAreaElement);
const schema = elementById('schema', HTMLTextAreaElement);
const tools = elementById('tools', HTMLTextAreaElement);
const stopped = elementById('stopped', HTMLSelectElement);
const sample = elementById('sample', HTMLSelectElement);
const marks = elementById('marks', HTMLSelectElement);
const link = elementById('link', HTMLButtonElement);
const said = elementById('said', HTMLElement);
const results = elementById('results', HTMLElement);
const valueCard = elementById('value', HTMLElement);
const callsCard = elementById('calls', HTMLElement);

const marked = createMarkedText(elementById('sheet', HTMLElement), elementById('twin', HTMLElement));
const pointing = createPointing({ text, results, marked, pointed: elementById('pointed', HTMLElement) });

let declared = { schema: readSchema(''), tools: readTools('') };
let lastReading: Reading | undefined;
let waiting: ReturnType<typeof setTimeout> | undefined;
let addressing: ReturnType<typeof setTimeout> | undefined;

for (const { id, name } of samples) sample.add(new Option(name, id));
enter(readFragment(location.hash));

text.addEventListener('input', () => schedule());
for (const field of [schema, tools]) field.addEventListener('input', () => schedule());
for (const choice of [stopped, marks]) choice.addEventListener('change', () => read());
sample.addEventListener('change', () => {
  const picked = samples.find(({ id }) => id === sample.value);
  if (picked) enter({ ...stateOfSample(picked), tools: tools.value });
});
elementById('default-tools', HTMLButtonElement).addEventListener('click', () => {
  tools.value = defaultTools;
  read();
});
window.addEventListener('hashchange', () => enter(readFragment(location.hash)));
link.addEventListener('click', () => void copyLink());

/** Fills the fields from a state and reads the text. */
function enter(state: PageState): void {
  text.value = state.text;
  schema.value = state.schema;
  tools.value = state.tools;
  stopped.value = state.stopped;
  marks.value = state.marks;
  if (state.schema !== '') elementById('declared', HTMLDetailsElement).open = true;
  read();
}

function currentState(): PageState {
  return {
    text: text.value,
    schema: schema.value,
    tools: tools.value,
    stopped: stopped.value as PageState['stopped'],
    marks: marks.value as PageState['marks'],
  };
}

function schedule(): void {
  if (text.value.length <= readAtOnce) return read();
  marked.showPlain(text.value);
  clearTimeout(waiting);
  // Reading takes at most a third of the time, however slow the machine.
  waiting = setTimeout(read, Math.min(Math.max(150, (lastReading?.milliseconds ?? 0) * 2), 2_000));
}

function read(): void {
  clearTimeout(waiting);
  const state = currentState();
  declared = {
    schema: keepLast(declared.schema, readSchema(state.schema), schema, 'schema-problem'),
    tools: keepLast(declared.tools, readTools(state.tools), tools, 'tools-problem'),
  };
  sample.value = sampleOfState(state)?.id ?? '';
  remember();
  const reading = answer(state);
  lastReading = reading;
  if (!reading) return;
  showValue(valueCard, reading.value, state.text);
  showCalls(callsCard, reading.extraction, state.text);
  const hasCalls = reading.extraction.calls.length + reading.extraction.rejected.length > 0;
  // The intended reading comes first, for eyes and screen readers.
  const first = hasCalls ? callsCard : valueCard;
  if (results.firstElementChild !== first) results.prepend(first);
  const marking = state.marks === '' ? (hasCalls ? 'calls' : 'value') : state.marks;
  marked.show(state.text, marking === 'calls' ? spansOfCalls(reading.extraction) : spansOfValue(reading.value));
  pointing.renew();
  said.textContent = summary(reading, state.text);
}

function answer({ text, stopped }: PageState): Reading | undefined {
  try {
    return readText({
      text,
      stopped,
      schema: declared.schema.ok ? declared.schema.value : undefined,
      tools: declared.tools.ok ? declared.tools.value : [],
    });
  } catch (error) {
    // For example, a schema that is JSON but not a schema. The text itself never throws.
    marked.showPlain(text);
    valueCard.replaceChildren();
    callsCard.replaceChildren();
    said.textContent = `This cannot be read with these declarations: ${(error as Error).message}`;
    return undefined;
  }
}

/** Shows a field's problem; its last valid value stays in use. */
function keepLast<Value>(
  last: Declared<Value>,
  now: Declared<Value>,
  field: HTMLTextAreaElement,
  problemId: string,
): Declared<Value> {
  const problem = elementById(problemId, HTMLElement);
  field.setAttribute('aria-invalid', String(!now.ok));
  problem.textContent = now.ok ? '' : `${now.problem} Until then, the last valid value is used.`;
  if (now.ok) return now;
  elementById('declared', HTMLDetailsElement).open = true;
  return last;
}

function summary({ value, extraction, milliseconds }: Reading, written: string): string {
  const { calls, rejected } = extraction;
  const valueWords = value.ok
    ? `value ${riskName[value.risk]}, ${countOf(value.repairs.length, 'repair')}`
    : 'no value';
  const callWords = `${countOf(calls.length, 'call')}${rejected.length > 0 ? `, ${rejected.length} rejected` : ''}`;
  const time = milliseconds < 1 ? 'under 1 ms' : `${Math.round(milliseconds)} ms`;
  const unmarked = written.length > maxMarkedLength ? ' Too long for marks in the text.' : '';
  return `${countOf(written.length, 'character')} read in ${time}: ${valueWords}; ${callWords}.${unmarked}`;
}

/** Updates the URL, but not on every key: browsers limit how often it changes. */
function remember(): void {
  clearTimeout(addressing);
  addressing = setTimeout(writeAddress, 300);
}

function writeAddress(): boolean {
  const fragment = writeFragment(currentState());
  history.replaceState(null, '', fragment === undefined ? location.pathname : `#${fragment}`);
  return fragment !== undefined;
}

async function copyLink(): Promise<void> {
  const note = elementById('link-note', HTMLElement);
  if (!writeAddress()) {
    note.textContent = `Too long for a link (${maxFragmentLength.toLocaleString('en')} characters).`;
    return;
  }
  try {
    await navigator.clipboard.writeText(location.href);
    note.textContent = 'Copied.';
  } catch {
    note.textContent = 'The link is in the address bar.';
  }
}
