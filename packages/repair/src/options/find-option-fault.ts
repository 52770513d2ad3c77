import { nameOfType } from './name-of-type.ts';

type Members = Readonly<Record<string, unknown>>;

const repairNames = ['schema', 'root', 'stopped', 'limits', 'fallback', 'onDelta'] as const;
const limitNames = ['depth', 'size', 'repairs', 'backtracks', 'duplicateKeys', 'unsafeIntegers'] as const;
const stops = ['stop', 'length'] as const;
const roots = ['object', 'any'] as const;

const words = [
  ['duplicateKeys', ['last', 'report', 'refuse']],
  ['unsafeIntegers', ['round', 'report', 'refuse']],
] as const;
const amounts = ['depth', 'size', 'repairs', 'backtracks'] as const;
const functions = ['fallback', 'onDelta'] as const;

/** Describes the first wrong option of repairing JSON. Called for every text, so it only looks at types and words. */
export function findRepairFault(options: unknown): string | undefined {
  if (typeof options !== 'object' || options === null) return mismatch('options', 'an object', options);
  const { root, schema, stopped, limits } = options as Members;
  const fault =
    findStranger(options, repairNames, 'options') ??
    findStopFault(stopped, 'options.stopped') ??
    (schema === undefined ? undefined : findSchemaFault(schema, 'options.schema'));
  if (fault !== undefined) return fault;
  if (root !== undefined && !roots.includes(root as 'any')) return notOneOf('options.root', roots, root);
  for (const name of functions) {
    const value = (options as Members)[name];
    if (value !== undefined && typeof value !== 'function') return mismatch(`options.${name}`, 'a function', value);
  }
  return limits === undefined ? undefined : findLimitFault(limits);
}

/** Describes the first wrong limit. */
export function findLimitFault(limits: unknown): string | undefined {
  if (typeof limits !== 'object' || limits === null) return mismatch('options.limits', 'an object', limits);
  for (const name of amounts) {
    const value = (limits as Members)[name];
    if (value !== undefined && !(typeof value === 'number' && value >= 0))
      return mismatch(`options.limits.${name}`, 'a number from 0 on', value);
  }
  for (const [name, known] of words) {
    const value = (limits as Members)[name];
    if (value !== undefined && !known.includes(value as never)) return notOneOf(`options.limits.${name}`, known, value);
  }
  return findStranger(limits, limitNames, 'options.limits');
}

/** The methods by which schemas of Zod and Valibot parse. */
const parsers = ['parse', '~run'] as const;

/** Describes a value that is not JSON Schema. Of a schema of Zod or Valibot, no rule would be read. */
export function findSchemaFault(schema: unknown, path: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  const isObject = typeof schema === 'object' && schema !== null;
  if (isObject && !parsers.some((name) => typeof (schema as Members)[name] === 'function')) return undefined;
  return `${mismatch(path, 'a JSON Schema', schema)}. For Zod, pass z.toJSONSchema(schema)`;
}

/** Describes a value of the wrong type. */
export function mismatch(path: string, expected: string, value: unknown): string {
  const got = typeof value === 'number' ? String(value) : nameOfType(value);
  return `${path} is not valid (expected ${expected}, got ${got})`;
}

/** Describes a wrong reason for which a text ended. */
export function findStopFault(stopped: unknown, path: string): string | undefined {
  if (stopped === undefined || stops.includes(stopped as 'stop')) return undefined;
  return `${notOneOf(path, stops, stopped)}. Pass "stop" if the model stopped by itself ("stop", "tool_calls", "tool-calls", "end_turn", "tool_use"), and otherwise "length"`;
}

/** Describes the first option with an unknown name. */
export function findStranger(options: object, known: readonly string[], path: string): string | undefined {
  for (const name in options) {
    if (!known.includes(name) && (options as Members)[name] !== undefined)
      return `${path}.${name.slice(0, 60)} is not an option (expected one of ${known.join(', ')})`;
  }
  return undefined;
}

function notOneOf(path: string, known: readonly string[], value: unknown): string {
  const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : nameOfType(value);
  return `${path} is not valid (expected ${known.map((name) => `"${name}"`).join(' or ')}, got ${got})`;
}
