import { defaultTools, samples, type Sample } from './samples.ts';

/** What the user typed and chose, with the fields as text. */
export interface PageState {
  readonly text: string;
  readonly schema: string;
  readonly tools: string;
  readonly stopped: '' | 'stop' | 'length';
  /** Whose spans are marked in the text; empty: automatic. */
  readonly marks: '' | 'value' | 'calls';
}

/** Maximum length of a URL fragment, in characters. */
export const maxFragmentLength = 100_000;

/** The initial state for a sample. */
export function stateOfSample(sample: Sample): PageState {
  const { text, schema = '', stopped = '' } = sample;
  return { text, schema, stopped, tools: defaultTools, marks: '' };
}

/** The sample of an unchanged state. */
export function sampleOfState(state: PageState): Sample | undefined {
  return samples.find((sample) => {
    const { text, schema, stopped } = stateOfSample(sample);
    return text === state.text && schema === state.schema && stopped === state.stopped;
  });
}

/** Reads a state from a URL fragment. Missing and invalid values come from the first sample. */
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

/** Writes a state as a URL fragment without `#`; `undefined` if it is too long. */
export function writeFragment(state: PageState): string | undefined {
  const said = new URLSearchParams();
  const sample = sampleOfState(state);
  if (sample) {
    said.set('sample', sample.id);
  } else {
    if (state.text.length > maxFragmentLength) return undefined;
    said.set('text', state.text);
    if (state.schema !== '') said.set('schema', state.schema);
    if (state.stopped !== '') said.set('stopped', state.stopped);
  }
  if (state.tools !== defaultTools) said.set('tools', state.tools);
  if (state.marks !== '') said.set('marks', state.marks);
  const fragment = said.toString();
  return fragment.length > maxFragmentLength ? undefined : fragment;
}

function oneOf<Value extends string>(given: string | null, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === given);
}
