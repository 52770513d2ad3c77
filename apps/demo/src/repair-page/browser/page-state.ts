import { defaultTools, samples, type Sample } from './samples.ts';

/** What a person has typed and chosen; the fields as text, as they stand in the page. */
export interface PageState {
  readonly text: string;
  readonly schema: string;
  readonly tools: string;
  readonly stopped: '' | 'stop' | 'length';
  /** Whose spans are marked in the text; empty: whichever fits. */
  readonly marks: '' | 'value' | 'calls';
}

/** Longest fragment that is written into the address, in characters. */
export const longestFragment = 100_000;

/** What the page starts with for a sample. */
export function stateOfSample(sample: Sample): PageState {
  const { text, schema = '', stopped = '' } = sample;
  return { text, schema, stopped, tools: defaultTools, marks: '' };
}

/** The sample that a state is, when nothing was changed in it. */
export function sampleOfState(state: PageState): Sample | undefined {
  return samples.find((sample) => {
    const { text, schema, stopped } = stateOfSample(sample);
    return text === state.text && schema === state.schema && stopped === state.stopped;
  });
}

/** Reads a state from the fragment of an address. Whatever it lacks, or says wrongly, is as in the page of the first sample. */
export function readFragment(fragment: string): PageState {
  const said = new URLSearchParams(fragment.replace(/^#/, ''));
  const sample = samples.find(({ id }) => id === said.get('sample')) ?? (said.has('text') ? undefined : samples[0]);
  const start: PageState = sample
    ? stateOfSample(sample)
    : { text: '', schema: '', stopped: '', tools: defaultTools, marks: '' };
  return {
    text: said.get('text') ?? start.text,
    schema: said.get('schema') ?? start.schema,
    tools: said.get('tools') ?? start.tools,
    stopped: oneOf(said.get('stopped'), ['stop', 'length']) ?? start.stopped,
    marks: oneOf(said.get('marks'), ['value', 'calls']) ?? '',
  };
}

/** Writes a state as a fragment, without `#`; `undefined` when it is too long for an address. */
export function writeFragment(state: PageState): string | undefined {
  const said = new URLSearchParams();
  const sample = sampleOfState(state);
  if (sample) {
    said.set('sample', sample.id);
  } else {
    if (state.text.length > longestFragment) return undefined;
    said.set('text', state.text);
    if (state.schema !== '') said.set('schema', state.schema);
    if (state.stopped !== '') said.set('stopped', state.stopped);
  }
  if (state.tools !== defaultTools) said.set('tools', state.tools);
  if (state.marks !== '') said.set('marks', state.marks);
  const fragment = said.toString();
  return fragment.length > longestFragment ? undefined : fragment;
}

function oneOf<Value extends string>(given: string | null, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === given);
}
