import type { Envelope, Found, Source } from '../envelope.ts';
import { findNext } from '../find-next.ts';
import { readYamlMapping } from '../read-yaml.ts';

/** `<tool_call>⏎name: find_docs⏎arguments:⏎  query: x⏎</tool_call>`, and `<weather_at>⏎city: Bled⏎</weather_at>` */
export const yamlBody: Envelope = {
  name: 'yaml-body',
  tier: 2,
  openers: (tools) => ['<tool_call>\n', ...tools.map(({ name }) => `<${name}>\n`)],
  read: (source, start, body) => {
    const tag = source.text.slice(start + 1, source.text.indexOf('>', start));
    const mapping = readBody(source, body, `</${tag}>`);
    if (mapping === undefined) return undefined;
    if (tag !== 'tool_call') return found(tag, mapping.value, mapping.end);
    const { name } = mapping.value;
    return typeof name === 'string' ? found(name, mapping.value['arguments'] ?? {}, mapping.end) : undefined;
  },
};

type Mapping = NonNullable<ReturnType<typeof readYamlMapping>>;

function readBody(source: Source, body: number, closer: string): { value: Mapping; end: number } | undefined {
  const { text } = source;
  const close = findNext(source, closer, body);
  // Without its closing tag nobody knows whether the text ends in the middle of a value.
  if (close === -1 || /[[{<]/.test(text.slice(body, close).trimStart()[0] ?? '<')) return undefined;
  const value = readYamlMapping(text.slice(body, close));
  return value && { value, end: close + closer.length };
}

function found(name: string, value: Mapping[string], end: number): Found {
  return { end, calls: [{ name, arguments: value, ending: 'closed', risk: 'none', repairs: [] }] };
}
