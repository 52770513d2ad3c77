import { readValue } from '../../../json/document/read-value.ts';
import { contradicts } from '../../../json/result/contradicts.ts';
import type { JsonValue } from '../../../json/result/json-value.ts';
import { createShape, type Shape } from '../../../json/result/declared-shape.ts';
import type { CallableTool } from '../../contract/envelope.ts';
import { argumentsShape } from '../../contract/argument-shape.ts';
import { type GrowingText, optionsFor } from '../../source/growing-text.ts';
import type { ShapedCall } from './json-call-shapes.ts';
import type { JsonReading } from './read-json-value.ts';

/**
 * Reads a value again with its declaration, if the declaration shows that characters were misread: `1.10` and `007` for
 * a declared string, or a Windows path such as `C:\new` in which `\n` was taken for a line break. The
 * same if a closer is missing in tags, because the declaration may show where. Otherwise returns the value unchanged.
 */
export function readAsDeclared(
  source: GrowingText,
  at: number,
  reading: JsonReading,
  shape: Shape | undefined,
): JsonReading {
  const { root, end, ending, hasAmbiguousEnd, hasClosingTag, failedAt } = reading;
  if (shape === undefined || root === undefined || failedAt !== undefined || hasAmbiguousEnd) return reading;
  // The missing closer may be the one before the next declared key.
  const isUnclosed = ending === 'open' && hasClosingTag;
  if (!isUnclosed && (ending !== 'closed' || !contradicts(root, shape))) return reading;
  const again = readValue(source.text.slice(0, end), at, 'beforeValue', { ...optionsFor(source, 'stop'), shape });
  const isWhole = again.ending === 'closed' || (isUnclosed && again.ending === 'open');
  if (again.failure !== undefined || !isWhole || again.root === undefined) return reading;
  return { ...reading, root: again.root, unclosed: again.unclosed, risk: again.risk, repairs: again.repairs };
}

const undeclared = createShape({}) as Shape;

/** The declared shape of a value that contains calls. Only their arguments are declared. */
export function shapeAround(
  value: JsonValue | undefined,
  calls: readonly ShapedCall[],
  tools: readonly CallableTool[],
): Shape | undefined {
  const byHolder = new Map<JsonValue, ShapedCall[]>();
  for (const call of calls) {
    const known = byHolder.get(call.holder);
    if (known === undefined) byHolder.set(call.holder, [call]);
    else known.push(call);
  }
  const partOf = (part: JsonValue | undefined): Shape | undefined => {
    if (typeof part !== 'object' || part === null) return undefined;
    const own = byHolder.get(part) ?? [];
    return {
      ...undeclared,
      hasMember: () => false,
      member: (key) => {
        const call = own.find(({ argumentsKey }) => argumentsKey === key);
        if (call !== undefined) return argumentsShape(tools, call.name);
        const [flat] = own;
        if (flat !== undefined && flat.argumentsKey === undefined) return argumentsShape(tools, flat.name)?.member(key);
        return partOf((part as Readonly<Record<string, JsonValue>>)[key]);
      },
      item: (index) => partOf((part as readonly JsonValue[])[index]),
    };
  };
  return partOf(value);
}
