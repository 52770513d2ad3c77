import type { Envelope, Found } from '../envelope.ts';
import { growingEnvelope } from '../growing-envelope.ts';
import { findFirst, matchAt, passSpace, type GrowingText, type Reading } from '../growing-text.ts';
import { readYamlMapping } from '../read-yaml.ts';

/** `<tool_call>⏎name: find_docs⏎arguments:⏎  query: x⏎</tool_call>`, and `<weather_at>⏎city: Bled⏎</weather_at>` */
export const yamlBody: Envelope = growingEnvelope(
  {
    name: 'yaml-body',
    tier: 2,
    openers: (tools) => ['<tool_call>\n', ...tools.map(({ name }) => `<${name}>\n`)],
  },
  function* (source, start, body) {
    const tag = source.text.slice(start + 1, source.text.indexOf('>', start));
    const mapping = yield* readBody(source, body, `</${tag}>`);
    if (mapping === undefined) return undefined;
    if (tag !== 'tool_call') return found(tag, mapping.value, mapping.end);
    const { name } = mapping.value;
    return typeof name === 'string' ? found(name, mapping.value['arguments'] ?? {}, mapping.end) : undefined;
  },
);

type Mapping = NonNullable<ReturnType<typeof readYamlMapping>>;

interface Body {
  readonly value: Mapping;
  readonly end: number;
}

function* readBody(source: GrowingText, body: number, closer: string): Reading<Body | undefined> {
  if (!(yield* beginsMapping(source, body))) return undefined;
  const close = yield* findFirst(source, [closer], body);
  // Without its closing tag nobody knows whether the text ends in the middle of a value.
  if (close.at === -1) return undefined;
  const value = readYamlMapping(source.text.slice(body, close.at));
  return value && { value, end: close.at + closer.length };
}

const COMMENT = /#[^\n]{0,999}\n/y;
const KEY = /(?:"[^"\n]{1,128}"|'[^'\n]{1,128}'|[^\s:#'"[\]{},-][^:#\n]{0,127}?):(?=\s)/y;

/** Whether the first thing that is not blank or a comment is a key, which prose is not. */
function* beginsMapping(source: GrowingText, from: number): Reading<boolean> {
  let at = yield* passSpace(source, from);
  for (;;) {
    const comment = yield* matchAt(source, COMMENT, at);
    if (comment === null) return (yield* matchAt(source, KEY, at)) !== null;
    at = yield* passSpace(source, at + comment[0].length);
  }
}

function found(name: string, value: Mapping[string], end: number): Found {
  return { end, calls: [{ name, arguments: value, ending: 'closed', risk: 'none', repairs: [] }] };
}
