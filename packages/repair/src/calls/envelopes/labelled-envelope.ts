import type { JsonObject } from '../../json/result/json-value.ts';
import { shapeOf } from '../contract/argument-shape.ts';
import { isDefinition } from '../notations/json/json-call-shapes.ts';
import { readNamedCall } from '../notations/json/read-named-json-call.ts';
import { flatArguments } from '../notations/json/unwrapped-arguments.ts';
import { readYamlMapping } from '../notations/yaml/read-yaml.ts';
import type { CallableTool, Envelope, Found, WrittenCall } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { bareEnvelope } from '../source/growing-envelope.ts';
import type { GrowingText, Reading } from '../source/growing-text.ts';

const headPattern =
  /((?:(?:tool_calls?|function_calls?|calls|actions):[ \t]{0,9}\r?\n[ \t]{0,16})?(?:- {1,3})?)["'`*]{0,3}((?:(?:using|calling) )?(?:tool|function)(?:[ _](?:name|call))?|action|name|call)["'`*]{0,3}:["'`*]{0,3}[ \t]{1,9}["'`*]{0,3}([^\s<>"'`{}()[\]|,;=*]{1,128})["'`*]{0,3}[ \t]{0,9}\r?\n(?:\r?\n)?/iy;

const argumentsPattern =
  /[ \t]{0,16}["'`*]{0,3}(?:(?:tool|function|action)[_ ])?(?:arguments|args|parameters|params|input|kwargs)["'`*]{0,3}:["'`*]{0,3}[ \t]{0,9}/iy;

interface Head {
  readonly tool: CallableTool;
  readonly label: string;
  readonly indent: number;
  readonly end: number;
}

/** Reads the line that names a declared tool: `tool: weather_at`. */
export function* readNameLine(source: GrowingText, at: number): Reading<Head | undefined> {
  const [head = '', before = '', label = '', name] = (yield* source.matchAt(headPattern, at)) ?? [];
  const tool = resolveName(source.tools, name);
  if (tool === undefined) return undefined;
  const labelAt = at + before.length;
  return { tool, label, indent: labelAt - source.text.lastIndexOf('\n', labelAt - 1) - 1, end: at + head.length };
}

/**
 * `tool: weather_at⏎arguments:⏎  city: Bled`: the name of a tool and its arguments on lines with labels, in YAML or with
 * arguments in JSON. Without a label, the arguments count only if they are all that the tool declares and requires.
 */
export const labelled: Envelope = bareEnvelope(
  'labelled',
  function* (source, _start, body, watch, { closers, isLikely }): Reading<Found | undefined> {
    const head = yield* readNameLine(source, body);
    if (head === undefined) return undefined;
    const { tool, label, indent } = head;
    const line = yield* source.matchAt(argumentsPattern, head.end);
    if (line !== null) {
      const from = head.end + line[0].length;
      const at = yield* source.skipSpace(from);
      const first = source.text[at];
      if (first === '{' || (first === '`' && closers.length === 0)) {
        const one = yield* readNamedCall(source, tool.name, from, closers, watch);
        if (one === undefined || (one.call.name === undefined && !isLikely)) return undefined;
        const call = { ...one.call, isDefinition: isDefinition(one.call.arguments, tool) };
        return { end: one.end, calls: [call], isInterrupted: one.isInterrupted === true };
      }
      if (source.text[from] !== '\n' && source.text[from] !== '\r') return undefined;
    } else if (label.toLowerCase() === 'name') return undefined;
    const isFlat = line === null;
    const block = yield* readBlock(source, head.end + (line?.[0].length ?? 0), isFlat ? indent : indent + 1, closers);
    const value = readYamlMapping(block.text, shapeOf(tool));
    if (value === undefined || isSignature(value)) return undefined;
    if (isFlat && flatArguments({ [label]: tool.name, ...value }, [label], [tool]) === undefined) return undefined;
    const { end, ending } = block;
    const risk = ending === 'open' ? 'lossy' : 'none';
    const call: WrittenCall = { name: tool.name, arguments: value, ending, risk, repairs: [] };
    return { end, calls: [{ ...call, isDefinition: isDefinition(value, tool) }] };
  },
);

/** Whether every value is the name of a type, as in the description of a tool: `path: string`. */
function isSignature(value: JsonObject): boolean {
  const values = Object.values(value);
  return values.length > 0 && values.every((one) => typeof one === 'string' && typePattern.test(one));
}

const typePattern = /^(?:string|integer|int|number|boolean|bool|array|object|list)(?:\[\]|\s?\(.*\))?$/i;

interface Block {
  readonly text: string;
  readonly end: number;
  /** `open` at the end of the text, where the last value may be cut. */
  readonly ending: 'closed' | 'open';
}

const keyPattern = /^(?:"[^"]{1,128}"|'[^']{1,128}'|[\w.-]{1,128}):(?:\s|$)/;

/** Reads the lines with at least the given indentation. A line with exactly this indentation must begin with a key. */
function* readBlock(source: GrowingText, from: number, indent: number, closers: readonly string[]): Reading<Block> {
  let end = from;
  let isBlank = false;
  for (let at = from; ;) {
    const next = yield* source.findFirst(['\n'], at);
    const line = source.text.slice(at, next.at === -1 ? source.text.length : next.at).trimEnd();
    const content = line.trimStart();
    const own = line.length - content.length;
    const isPart = own > indent || (own === indent && !isBlank && keyPattern.test(content));
    if (content !== '' && (!isPart || closers.some((closer) => content.startsWith(closer))))
      return { text: source.text.slice(from, end), end, ending: 'closed' };
    if (content !== '') end = at + line.length;
    isBlank = content === '' && at > from;
    if (next.at === -1) return { text: source.text.slice(from, end), end, ending: 'open' };
    at = next.at + 1;
  }
}
