import type { JsonObject, JsonValue } from '../../json/result/json-value.ts';
import { isKeyOf } from '../notations/json/json-call-keys.ts';
import { decodeXml } from '../notations/tags/nested-tags.ts';
import { readTaggedCall } from '../notations/tags/read-tagged-call.ts';
import type { SectionLayout, TaggedLayout } from '../notations/tags/tagged-layout.ts';
import { readTextValue } from '../notations/text-values.ts';
import { argumentsShape, mayBeArguments, shapeOf } from '../contract/argument-shape.ts';
import type { Envelope, WrittenCall } from '../contract/envelope.ts';
import { unwrap } from '../settle/fit-arguments.ts';
import { growingEnvelope } from '../source/growing-envelope.ts';
import type { GrowingText } from '../source/growing-text.ts';

/** Arguments in tags with their names, `<city>Sion</city>`. */
export const tagsOfArguments: Pick<
  TaggedLayout,
  'argument' | 'argumentOpener' | 'argumentCloser' | 'nestedPrefix' | 'unknown'
> = {
  argument: /<([A-Za-z_][\w.-]{0,127})(?:\s[^<>/]{0,199})?\/?>/y,
  argumentOpener: '<',
  argumentCloser: (key) => `</${key}>`,
  nestedPrefix: '',
  unknown: 'string',
};

/** The same in a tag with the name of a declared tool. */
export function layoutFor(name: string): SectionLayout {
  return {
    ...tagsOfArguments,
    call: new RegExp(`<(${name.replaceAll(/[^\w]/g, '\\$&')})\\s{0,9}/?>`, 'y'),
    callCloser: `</${name}>`,
    trim: 'own-line',
    sectionOpeners: [],
    sectionClosers: [],
  };
}

const tagEnds = ['>', '/>', ' />', '  />'];

const attributesPattern =
  /((?:\s{1,9}[A-Za-z_][\w.-]{0,63}=(?:"[^"<>]{0,999}"|'[^'<>]{0,999}')){1,32})\s{0,9}(?:\/>|>\s{0,9}<\/([\w.-]{1,128})>)/y;

const attributePattern = /([\w.-]+)=["']([^<>]*?)["'](?=\s|$)/g;

/** `<weather_at city="Sion"/>`: only the declared tools distinguish it from the markup of a page. */
function readAttributes(
  { tools }: GrowingText,
  name: string,
  text: string,
  closer: string | undefined,
): WrittenCall | undefined {
  const shape = shapeOf(tools.find((tool) => tool.name === name));
  const attributes = [...text.matchAll(attributePattern)];
  const areDeclared = attributes.every(([, key = '']) => shape?.hasMember(key) === true);
  if (!areDeclared || (closer ?? name) !== name) return undefined;
  const members = attributes.map(([, key = '', value = '']): readonly [string, JsonValue] => [
    key,
    readTextValue(decodeXml(value), shape?.member(key), 'string'),
  ]);
  return { name, arguments: Object.fromEntries(members), ending: 'closed', risk: 'safe', repairs: [] };
}

// Without arguments, the tag may be the subject of a sentence.
const sentencePattern = / {1,4}[a-z]/y;

/** `<weather_at><city>Sion</city></weather_at>`: tags with the names of the tool and its arguments. */
export const morphXml: Envelope = growingEnvelope(
  {
    name: 'morph-xml',
    tier: 2,
    openers: (tools) => tools.flatMap(({ name }) => [...tagEnds, ' '].map((end) => `<${name}${end}`)),
  },
  function* (source, start, _body, watch) {
    for (const { name } of source.tools) {
      if (!source.text.startsWith(name, start + 1)) continue;
      const body = start + 1 + name.length;
      if ((yield* source.needleAt(tagEnds, body)) === undefined) {
        const match = yield* source.matchAt(attributesPattern, body);
        const found = match === null ? undefined : readAttributes(source, name, match[1] ?? '', match[2]);
        if (match === null || found === undefined) continue;
        return { end: body + match[0].length, calls: [found] };
      }
      const one = yield* readTaggedCall(source, layoutFor(name), start, watch);
      if (one === undefined) return undefined;
      const { arguments: value = {}, ending } = one.call;
      const shape = argumentsShape(source.tools, name);
      const keys = Object.keys(value as object);
      const isLineStart = start === 0 || source.text[start - 1] === '\n';
      // `<args><city>Sion</city></args>`
      const areWrappers = shape !== undefined && keys.every((key) => isKeyOf('arguments', key));
      const isWrapped = areWrappers && unwrap(value as JsonObject, shape) !== undefined;
      const isDefinition =
        (keys.length === 0 && isLineStart && (yield* source.matchAt(sentencePattern, one.end)) !== null) ||
        (ending !== 'cut' && !mayBeArguments(value, shape) && !isWrapped);
      return { end: one.end, calls: [{ ...one.call, isDefinition }] };
    }
    return undefined;
  },
);
