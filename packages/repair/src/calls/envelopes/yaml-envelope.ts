import type { Repair } from '../../json/result/repair-result.ts';
import { argumentsShape, declares, mayBeArguments } from '../contract/argument-shape.ts';
import { readYamlMapping } from '../notations/yaml/read-yaml.ts';
import type { Envelope, Found } from '../contract/envelope.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import {
  behindAll,
  findFirst,
  type GrowingText,
  matchAt,
  mayGuess,
  needleAt,
  type Reading,
} from '../source/growing-text.ts';

/** `<tool_call>⏎name: find_docs⏎arguments:⏎  query: x⏎</tool_call>`, and `<weather_at>⏎city: Bled⏎</weather_at>` */
export const yamlBody: Envelope = growingEnvelope(
  {
    name: 'yaml-body',
    tier: 2,
    openers: (tools) => [
      '<tool_call>name:',
      ...['tool_call', ...tools.map(({ name }) => name)].flatMap((tag) => [`<${tag}>\n`, `<${tag}>\r\n`]),
    ],
  },
  function* (source, start) {
    const tag = source.text.slice(start + 1, source.text.indexOf('>', start));
    const body = start + tag.length + 2;
    const mapping = yield* readBody(source, body, tag);
    if (mapping === undefined) return undefined;
    if (tag !== 'tool_call') {
      // Prose after a tag without a closer looks similar.
      const tool = source.tools.find(({ name }) => name === tag);
      const isProse = mapping.missing !== undefined && !Object.keys(mapping.value).every((key) => declares(tool, key));
      const isOther = isProse || !mayBeArguments(mapping.value, argumentsShape(source.tools, tag));
      return isOther ? undefined : found(tag, mapping.value, mapping);
    }
    const { name } = mapping.value;
    if (typeof name !== 'string') return undefined;
    const shape = argumentsShape(source.tools, name);
    const typed =
      shape && readYamlMapping(mapping.text, { ...shape, member: (key) => (key === 'arguments' ? shape : undefined) });
    return found(name, (typed ?? mapping.value)['arguments'] ?? {}, mapping);
  },
);

type Mapping = NonNullable<ReturnType<typeof readYamlMapping>>;

interface Body {
  readonly value: Mapping;
  readonly text: string;
  readonly end: number;
  /** `open` at the end of the text, where the last value may be truncated. */
  readonly ending: 'closed' | 'open';
  /** The closer is missing. */
  readonly missing: Repair | undefined;
}

// Matches a line that can't begin a mapping.
const markup = '\n<';
const specialOpeners = ['<|', '</', '<｜'];

/** Each value is repaired separately, so reading here costs this many times more than elsewhere. */
const costPerCharacter = 8;

function* readBody(source: GrowingText, body: number, tag: string): Reading<Body | undefined> {
  if (!(yield* beginsMapping(source, body))) return undefined;
  const closer = `</${tag}>`;
  const first = yield* findFirst(source, [closer, markup], body);
  const at = first.needle === markup ? first.at + 1 : first.at;
  const next = at === -1 ? undefined : yield* needleAt(source, [closer, `<${tag}>`, ...specialOpeners], at);
  if (at !== -1 && next === undefined) return undefined;
  if (at === -1) {
    // Many tags without a closer would each be read to the end of the text.
    if (!mayGuess(source, body)) return undefined;
    source.guessed += costPerCharacter * (source.text.length - body);
  }
  const end = at === -1 ? source.text.length : at;
  const text = source.text.slice(body, end);
  const value = readYamlMapping(text, argumentsShape(source.tools, tag));
  if (value === undefined) return undefined;
  if (next === closer) return { value, text, end: end + closer.length, ending: 'closed', missing: undefined };
  const missing = { code: 'missing-tag', start: end, end, found: '', assumed: closer, risk: 'safe' } as const;
  return { value, text, end, ending: at === -1 ? 'open' : 'closed', missing };
}

const spaceAndComments = /[ \n\t\r]{1,400}|#[^\n]{0,999}\n/y;
const keyPattern = /(?:"[^"\n]{1,128}"|'[^'\n]{1,128}'|[^\s:#'"[\]{},-][^:#\n]{0,127}?):(?=\s)/y;

/** Returns whether the first text that is not blank or a comment is a key, unlike in prose. */
function* beginsMapping(source: GrowingText, from: number): Reading<boolean> {
  const at = yield* behindAll(source, spaceAndComments, from);
  return (yield* matchAt(source, keyPattern, at)) !== null;
}

function found(name: string, value: Mapping[string], { end, ending, missing }: Body): Found {
  const risk = ending === 'open' ? 'lossy' : missing === undefined ? 'none' : 'safe';
  const repairs = missing === undefined ? [] : [missing];
  return { end, calls: [{ name, arguments: value, ending, risk, repairs }] };
}
