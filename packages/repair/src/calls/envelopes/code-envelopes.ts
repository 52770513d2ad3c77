import type { Envelope } from '../contract/envelope.ts';
import { callEnvelope } from './envelope-makers.ts';

const layout = { isList: true };

/** `<|tool_call_start|>[weather_at(city="Agen")]<|tool_call_end|>` */
export const lfm2: Envelope = callEnvelope({
  name: 'lfm2',
  tier: 1,
  openers: ['<|tool_call_start|>'],
  closers: ['<|tool_call_end|>'],
  layout,
});

/** Envelopes whose body is calls written as code. */
export const callEnvelopes: readonly Envelope[] = [
  // `<|python_tag|>weather_at.call(city="Faro")`
  {
    name: 'llama-builtin',
    tier: 1,
    openers: ['<|python_tag|>'],
    closers: ['<|eom_id|>', '<|eot_id|>'],
    layout,
  } as const,
  // `<|python_start|>[ping()]<|python_end|>`, and code after the token that promises JSON.
  {
    name: 'pythonic',
    tier: 1,
    openers: ['<|python_start|>', '[TOOL_CALLS]'],
    closers: ['<|python_end|>', '[/TOOL_CALLS]', '</s>'],
    layout,
  } as const,
  // `<<function>>weather_at(city="Faro")`
  { name: 'call-text', tier: 2, openers: ['<<function>>'], closers: [] } as const,
  // `[Calling tool: find_docs({"query": "cc"})]`
  { name: 'call-text', tier: 2, openers: ['[Calling tool:', '[Tool call:', '[tool_call:'], closers: [']'] } as const,
].map(callEnvelope);

const tags =
  'tool_call tool_calls function_call tool tools TOOLCALL response python functioncall function_calls action call tool_code toolcall tool-call TOOL_CALL execute'.split(
    ' ',
  );

/** `<tool_call>[weather_at(city="Ulm")]</tool_call>`: code where the tag promises JSON. */
export const taggedCode: Envelope = callEnvelope({
  name: 'tagged-code',
  tier: 2,
  openers: tags.map((tag) => `<${tag}>`),
  closers: tags.map((tag) => `</${tag}>`),
  layout,
});
