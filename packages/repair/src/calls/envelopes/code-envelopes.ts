import { shapeOf } from '../contract/argument-shape.ts';
import type { Envelope } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { codeEnvelope, type CodeEnvelopeParts } from './envelope-makers.ts';
import { closingTags, openingTags, tagNames } from '../notations/tags/tag-names.ts';

const layout = { isList: true };

const interpreters = ['python', 'code_interpreter', 'ipython'];
const firstName = /^([A-Za-z_][\w.]{0,127}?)(?:\.call)?\(/;

/** `<|python_tag|>print(2 ** 8)<|eom_id|>`: a program for the declared tool that runs Python. */
const pythonCode: Envelope = growingEnvelope(
  { name: 'python-code', tier: 1, openers: ['<|python_tag|>'] },
  function* (source, _start, body) {
    const tool = source.tools.find(({ name }) => interpreters.includes(name));
    const [key, ...others] = shapeOf(tool)?.required ?? [];
    if (tool === undefined || key === undefined || others.length > 0) return undefined;
    const first = yield* source.skipSpace(body);
    if ('{['.includes(source.text.charAt(first))) return undefined;
    const stop = yield* source.findFirst(['<|eom_id|>', '<|eot_id|>'], body);
    const isEnded = stop.at !== -1;
    const code = source.text.slice(first, isEnded ? stop.at : source.text.length).trim();
    if (code === '' || resolveName(source.tools, firstName.exec(code)?.[1]) !== undefined) return undefined;
    const ending = isEnded || source.stopped === 'stop' ? 'closed' : 'cut';
    const end = isEnded ? stop.at + stop.needle.length : source.text.length;
    return { end, calls: [{ name: tool.name, arguments: { [key]: code }, ending, risk: 'safe', repairs: [] }] };
  },
);

const rows: readonly CodeEnvelopeParts[] = [
  // `<|tool_call_start|>[weather_at(city="Agen")]<|tool_call_end|>`
  { name: 'lfm2', tier: 1, openers: ['<|tool_call_start|>'], closers: ['<|tool_call_end|>'], layout },
  // `<|python_tag|>weather_at.call(city="Faro")`
  { name: 'llama-builtin', tier: 1, openers: ['<|python_tag|>'], closers: ['<|eom_id|>', '<|eot_id|>'], layout },
  // `<|python_start|>[ping()]<|python_end|>`, and code after the token that promises JSON.
  {
    name: 'pythonic',
    tier: 1,
    openers: ['<|python_start|>', '[TOOL_CALLS]'],
    closers: ['<|python_end|>', '[/TOOL_CALLS]', '</s>'],
    layout,
  },
  // `<|tool_call>call:weather_at(city: "Faro")<tool_call|>`
  { name: 'gemma4', tier: 1, openers: ['<|tool_call>call:'], closers: ['<tool_call|>'] },
  // `<<function>>weather_at(city="Faro")`
  { name: 'call-text', tier: 2, openers: ['<<function>>'], closers: [] },
  // `[Calling tool: find_docs({"query": "cc"})]`
  { name: 'call-text', tier: 2, openers: ['[Calling tool:', '[Tool call:', '[tool_call:'], closers: [']'] },
  // `<tool_call>[weather_at(city="Ulm")]</tool_call>`: code where the tag promises JSON.
  { name: 'tagged-code', tier: 2, openers: openingTags(tagNames.code), closers: closingTags(tagNames.code), layout },
];

/** Envelopes whose body is code, in the order in which they are tried. */
export const codeEnvelopes: readonly Envelope[] = [pythonCode, ...rows.map(codeEnvelope)];
