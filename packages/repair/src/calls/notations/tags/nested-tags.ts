import { decodeEntities } from '../../../json/text/encoding-layers.ts';
import type { JsonValue } from '../../../json/result/json-value.ts';
import type { Shape } from '../../../json/result/declared-shape.ts';
import { isOnlyText, readTextValue } from '../text-values.ts';

const maxDepth = 16;

/**
 * Reads a value written as nested tags: `<item>a</item><item>b</item>` is a list, tags with other names are members.
 * Returns undefined if the text has another form, or if the schema requires a string.
 */
export function readNestedTags(
  text: string,
  prefix: string,
  shape: Shape | undefined,
  depth = 0,
): JsonValue | undefined {
  if (depth > maxDepth || !text.trim().startsWith(`${prefix}<`)) return undefined;
  if (isOnlyText(shape, 'json')) return undefined;
  const children: [string, JsonValue][] = [];
  let arePaired = true;
  let at = 0;
  for (;;) {
    while (/\s/.test(text[at] ?? '')) at += 1;
    if (at >= text.length) break;
    const open = text.startsWith(`${prefix}<`, at) ? text.indexOf('>', at + prefix.length) : -1;
    if (open === -1) return undefined;
    const name = text.slice(at + prefix.length + 1, open);
    const closer = `${prefix}</${name}>`;
    const first = /^[\w.-]{1,128}$/.test(name) ? text.indexOf(closer, open) : -1;
    if (first === -1) return undefined;
    const paired: number = arePaired ? pairedCloser(text, first, open, `${prefix}<${name}>`, closer) : -1;
    // The search for pairs ends at the first tag without a partner, so that each text is searched once.
    arePaired &&= paired !== -1;
    const close = paired === -1 ? first : paired;
    const inner = text.slice(open + 1, close);
    const innerShape = isDeclaredList(shape) ? shape?.item(0) : shape?.member(name);
    const plain = prefix === '' ? decodeXml(inner) : inner;
    children.push([
      name,
      readNestedTags(inner, prefix, innerShape, depth + 1) ?? readTextValue(plain, innerShape, 'json'),
    ]);
    at = close + closer.length;
  }
  return isList(children, shape) ? children.map(([, value]) => value) : Object.fromEntries(groupByName(children));
}

/** Returns whether the children are items of a list, because of their name, their numbers, or a declared list. */
function isList(children: readonly (readonly [string, JsonValue])[], shape: Shape | undefined): boolean {
  const [first] = children;
  const isDeclared = isDeclaredList(shape) && children.every(([name]) => name === first?.[0]);
  return (
    isDeclared ||
    children.every(([name]) => name === 'item') ||
    children.every(([name], index) => name === String(index))
  );
}

function isDeclaredList(shape: Shape | undefined): boolean {
  return shape?.kinds?.has('array') === true && !shape.kinds.has('object');
}

/** A repeated child is a list. */
function groupByName(children: readonly (readonly [string, JsonValue])[]): readonly (readonly [string, JsonValue])[] {
  const groups = new Map<string, JsonValue[]>();
  for (const [name, value] of children) {
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [value]);
    else group.push(value);
  }
  return [...groups].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? null) : values]);
}

/** Returns the offset of the closer of a tag that may contain tags of the same name, or -1 if they have no partners. */
function pairedCloser(text: string, first: number, from: number, opener: string, closer: string): number {
  let close = first;
  let open = text.indexOf(opener, from);
  while (open !== -1 && open < close) {
    open = text.indexOf(opener, open + opener.length);
    close = text.indexOf(closer, close + closer.length);
  }
  return close;
}

/** Decodes the entities of XML, except in a text with characters that XML would have to encode. */
export function decodeXml(text: string): string {
  const isXml = text.includes('&') && !/[<>]|&(?!(?:amp|lt|gt|quot|apos|#\d{1,6}|#x[\da-fA-F]{1,6});)/.test(text);
  return isXml ? decodeEntities(text) : text;
}
