import { sampleTools, samples, type Sample } from './samples.ts';

/** The user's input and choices, with the fields as text. */
export interface TextState {
  readonly text: string;
  readonly schema: string;
  /** The tools as JSON; empty: those of the program. */
  readonly tools: string;
  readonly stopped: '' | 'stop' | 'length';
  /** The reading whose spans are marked in the text. Empty: automatic. */
  readonly marks: '' | 'value' | 'calls';
}

/** Maximum length of a query, in characters. */
export const maxQueryLength = 100_000;

/** The initial state for a sample. */
export function stateOfSample(sample: Sample): TextState {
  const { text, schema = '', stopped = '' } = sample;
  return { text, schema, stopped, tools: sampleTools, marks: '' };
}

/** The sample of an unchanged state. */
export function sampleOfState(state: TextState): Sample | undefined {
  return samples.find((sample) => {
    const { text, schema, stopped } = stateOfSample(sample);
    return text === state.text && schema === state.schema && stopped === state.stopped;
  });
}

/** Length of the beginning and the end by which an edited text is told from another one, in characters. */
const comparedLength = 8;

/**
 * Changes the text. A text that replaces a sample may call the tools of the program, and ended for an unknown reason. An
 * edited sample keeps the tools and the ending of the sample.
 */
export function withText(state: TextState, text: string): TextState {
  const { text: former, tools, stopped } = state;
  const isEdited =
    text !== '' && (text.startsWith(former.slice(0, comparedLength)) || text.endsWith(former.slice(-comparedLength)));
  const isOwn = tools === sampleTools && !isEdited;
  return { ...state, text, tools: isOwn ? '' : tools, stopped: isOwn ? '' : stopped };
}

/** Reads a state from the query of a URL. Missing and invalid values come from the first sample. */
export function readQuery(query: string): TextState {
  const given = new URLSearchParams(query);
  const sample = samples.find(({ id }) => id === given.get('sample')) ?? (given.has('text') ? undefined : samples[0]);
  const start: TextState = sample ? stateOfSample(sample) : { text: '', schema: '', stopped: '', tools: '', marks: '' };
  return {
    text: given.get('text') ?? start.text,
    schema: given.get('schema') ?? start.schema,
    tools: given.get('tools') ?? start.tools,
    stopped: oneOf(given.get('stopped'), ['stop', 'length']) ?? start.stopped,
    marks: oneOf(given.get('marks'), ['value', 'calls']) ?? '',
  };
}

/** Writes a state as the query of a URL; `undefined` if it is too long. */
export function writeQuery(state: TextState): string | undefined {
  const given = new URLSearchParams();
  const sample = sampleOfState(state);
  if (sample) {
    given.set('sample', sample.id);
  } else {
    if (state.text.length > maxQueryLength) return undefined;
    given.set('text', state.text);
    if (state.schema !== '') given.set('schema', state.schema);
    if (state.stopped !== '') given.set('stopped', state.stopped);
  }
  if (state.tools !== (sample ? sampleTools : '')) given.set('tools', state.tools);
  if (state.marks !== '') given.set('marks', state.marks);
  const query = given.toString();
  return query.length > maxQueryLength ? undefined : query;
}

function oneOf<Value extends string>(given: string | null, values: readonly Value[]): Value | undefined {
  return values.find((value) => value === given);
}
