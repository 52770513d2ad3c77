import { declares } from '../contract/argument-shape.ts';
import { type Envelope, unreadable } from '../contract/envelope.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import { findFirst, matchAt } from '../source/growing-text.ts';
import { closingTags, openingTags } from '../notations/tags/tag-names.ts';

const tags = ['tool_call', 'function_calls', 'function_call', 'tool_use', 'invoke', 'function'];

const firstArgument = new RegExp(
  String.raw`(?:<(?:invoke|function)(?!\s{1,9}name=)=?([^<>]{0,128})>\s{0,9})?(?:<(?:parameter|param|arg)(?:=|\s{1,9}name=)["']?([^<>"'\n]{1,128}?)["']?\s{0,9}>|<arg_key>([^<]{1,128})<\/arg_key>)`,
  'y',
);
const space = /\s{0,9}/y;

/** `<tool_call><parameter=city>Bari</parameter></tool_call>`: a call with a declared argument and without the name of a tool, which is reported. */
export const nameless: Envelope = growingEnvelope(
  { name: 'nameless', tier: 2, openers: [...openingTags(tags), '<function=>'] },
  function* (source, _start, body) {
    const before = yield* matchAt(source, space, body);
    const argument = yield* matchAt(source, firstArgument, body + (before?.[0].length ?? 0));
    const key = (argument?.[2] ?? argument?.[3])?.trim();
    if (key === undefined) return undefined;
    // `<function=grep -n>` names something that is not a tool.
    const isNamed = argument?.[1] !== undefined && argument[1] !== '';
    if (!isNamed && !source.tools.some((tool) => declares(tool, key))) return undefined;
    const { at, needle } = yield* findFirst(source, closingTags(tags), body);
    const end = at === -1 ? source.text.length : at + needle.length;
    return { end, calls: [at === -1 ? { ...unreadable, ending: 'cut' } : unreadable] };
  },
);
