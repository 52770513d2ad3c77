import type { Shape } from '../../json/result/declared-shape.ts';
import type { JsonValue } from '../../json/result/json-value.ts';
import { argumentsShape, declares, mayBeArguments } from '../contract/argument-shape.ts';
import { type Envelope, type Found, unreadable } from '../contract/envelope.ts';
import { resolveName } from '../contract/resolve-tool-name.ts';
import { looseArguments } from '../notations/json/unwrapped-arguments.ts';
import { missingTag } from '../notations/tags/tagged-layout.ts';
import { readYamlMapping } from '../notations/yaml/read-yaml.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import type { GrowingText, Reading } from '../source/growing-text.ts';

// Matches a line that can't begin a mapping.
const markup = '\n<';
const specialOpeners = ['<|', '</', '<｜'];
const spaceAndComments = /[ \n\t\r]{1,400}|#[^\n]{0,999}\n/y;
const keyPattern = /(?:"[^"\n]{1,128}"|'[^'\n]{1,128}'|[^\s:#'"[\]{},-][^:#\n]{0,127}?):(?=\s)/y;

// `content: one⏎two`: without its indentation, the second line would be left out.
const callPattern =
  /^\s{0,9}name:[ \t]{1,9}([^\s"']{1,128})[ \t]{0,9}\r?\narguments:[ \t]{0,9}\r?\n[ \t]{1,16}[\w.-]{1,64}:\s/;

/** Each value is repaired separately, so reading here costs this many times more than elsewhere. */
const costPerCharacter = 8;

// Text directly after a closing tag: the tag is part of a value.
const textAfterTag = /["'`;).,\]}]/y;

/** Finds the closing tag, or a line that is markup. A closing tag inside a line counts if no other one follows. */
function* findEnd(source: GrowingText, closer: string, from: number): Reading<{ at: number; needle: string }> {
  const first = yield* source.findFirst([closer, markup], from);
  const afterFirst = first.at + closer.length;
  if (first.needle !== closer || (yield* source.matchAt(textAfterTag, afterFirst)) === null) return first;
  const next = yield* source.findFirst([closer, closer.replace('/', ''), markup], afterFirst);
  if (next.needle === closer) return next;
  const isClosed = next.needle === markup && (yield* source.needleAt([closer], next.at + 1)) !== undefined;
  return isClosed ? next : first;
}

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
  function* (source, start): Reading<Found | undefined> {
    const tag = source.text.slice(start + 1, source.text.indexOf('>', start));
    const body = start + tag.length + 2;
    // Unlike prose, a mapping begins with a key.
    const key = yield* source.skipMatches(spaceAndComments, body);
    if ((yield* source.matchAt(keyPattern, key)) === null) return undefined;
    const closer = `</${tag}>`;
    const first = yield* findEnd(source, closer, body);
    const isOpen = first.at === -1;
    const to = isOpen ? source.text.length : first.needle === markup ? first.at + 1 : first.at;
    const next = yield* source.needleAt([closer, `<${tag}>`, ...specialOpeners], to);
    // Many tags without a closer would each be read to the end of the text.
    if (isOpen ? !source.mayGuess(body) : next === undefined) return undefined;
    if (isOpen) source.guessed += costPerCharacter * (to - body);
    const text = source.text.slice(body, to);
    const shape = argumentsShape(source.tools, tag);
    const mapping = readYamlMapping(text, shape);
    const isClosed = next === closer;
    const end = isClosed ? to + closer.length : to;
    if (mapping === undefined) {
      const isWhole = /\n(?:---|\.\.\.|```)\s*$/.test(text);
      const called = isClosed && !isWhole && tag === 'tool_call' ? callPattern.exec(text)?.[1] : undefined;
      if (resolveName(source.tools, called) === undefined) return undefined;
      return { end: to + closer.length, calls: [{ ...unreadable, name: called, ending: 'cut' }] };
    }
    let name: JsonValue | undefined = tag;
    let value: JsonValue = mapping;
    if (tag === 'tool_call') {
      ({ name } = mapping);
      if (typeof name !== 'string') return undefined;
      const own = argumentsShape(source.tools, name);
      const member = (key: string): Shape | undefined => (key === 'arguments' ? own : own?.member(key));
      const typed = own && readYamlMapping(text, { ...own, member });
      const { name: _name, arguments: given, ...others } = typed ?? mapping;
      const tool = resolveName(source.tools, name);
      const isFlat = tool !== undefined && (given === undefined || given === null);
      const filled = Object.fromEntries(Object.entries(others).filter(([, one]) => one !== null));
      const loose = isFlat ? looseArguments({ ...filled, name }, 'name', tool, source.tools) : undefined;
      if (isFlat && loose === undefined) return { end, calls: [{ ...unreadable, name, ending: 'cut' }] };
      value = loose ?? given ?? {};
    } else {
      // Prose after a tag without a closer looks similar.
      const tool = source.tools.find((one) => one.name === tag);
      const isProse = !isClosed && !Object.keys(mapping).every((member) => declares(tool, member));
      if (isProse || !mayBeArguments(mapping, shape)) return undefined;
    }
    // The last value may be truncated at the end of the text.
    const ending = isOpen ? 'open' : 'closed';
    const risk = isOpen ? 'lossy' : isClosed ? 'none' : 'safe';
    const call = { name, arguments: value, ending, risk, repairs: isClosed ? [] : [missingTag(closer, to)] } as const;
    return { end, calls: [call] };
  },
);
