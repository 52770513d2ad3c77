import type { Envelope } from '../contract/envelope.ts';
import { shapeOf } from '../contract/argument-shape.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { findFirst } from '../source/growing-text.ts';

const interpreters = ['python', 'code_interpreter', 'ipython'];
const firstName = /^([A-Za-z_][\w.]{0,127}?)(?:\.call)?\(/;

/** `<|python_tag|>print(2 ** 8)<|eom_id|>`: a program for the declared tool that runs Python. */
export const pythonCode: Envelope = growingEnvelope(
  { name: 'python-code', tier: 1, openers: ['<|python_tag|>'] },
  function* (source, _start, body) {
    const tool = source.tools.find(({ name }) => interpreters.includes(name));
    const [key, ...others] = shapeOf(tool)?.required ?? [];
    if (tool === undefined || key === undefined || others.length > 0) return undefined;
    const stop = yield* findFirst(source, ['<|eom_id|>', '<|eot_id|>'], body);
    const isEnded = stop.at !== -1;
    const code = source.text.slice(body, isEnded ? stop.at : source.text.length).trim();
    const isOtherCall = /^(?:[{[]|$)/.test(code) || resolveName(source.tools, firstName.exec(code)?.[1] ?? '');
    if (isOtherCall) return undefined;
    const ending = isEnded || source.stopped === 'stop' ? 'closed' : 'cut';
    const end = isEnded ? stop.at + stop.needle.length : source.text.length;
    return { end, calls: [{ name: tool.name, arguments: { [key]: code }, ending, risk: 'safe', repairs: [] }] };
  },
);
