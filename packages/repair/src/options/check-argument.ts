type Members = Readonly<Record<string, unknown>>;

/** Describes what is wrong with the value at a path, or returns undefined. */
export type FindFault = (value: unknown, path: string) => string | undefined;

/** Codes of the `TypeError` that is thrown for a wrong option and for a value that is not text. */
export const repairOptionErrorCodes = ['INVALID_OPTION'] as const;

/** @throws TypeError with the code `INVALID_OPTION` if a value that the caller passed has a fault. */
export function checkArgument(value: unknown, path: string, findFault: FindFault): void {
  const fault = findFault(value, path);
  if (fault !== undefined) throw invalidOption(fault);
}

/** Creates the error for a wrong option, with its code and the page that explains it. */
export function invalidOption(message: string): TypeError {
  const [code] = repairOptionErrorCodes;
  return Object.assign(new TypeError(message), {
    code,
    url: `https://docs.haft-project.example/errors/#repair-${code}`,
  });
}

/** Describes the first member of options that has an unknown name or a wrong value. Undefined members do not count. */
export function findMemberFault(
  options: unknown,
  path: string,
  checks: Readonly<Record<string, FindFault>>,
): string | undefined {
  if (typeof options !== 'object' || options === null) return mismatch(path, 'an object', options);
  for (const name in options) {
    const value = (options as Members)[name];
    if (value === undefined) continue;
    if (!Object.hasOwn(checks, name))
      return `${path}.${name.slice(0, 60)} is not an option (expected one of ${Object.keys(checks).join(', ')})`;
    const fault = checks[name]?.(value, `${path}.${name}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Describes a value of the wrong type. */
export function mismatch(path: string, expected: string, value: unknown): string {
  const got = typeof value === 'number' ? String(value) : nameOfType(value);
  return `${path} is not valid (expected ${expected}, got ${got})`;
}

function nameOfType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  return typeof value === 'object' ? 'an object' : typeof value;
}

/** Creates a check for one of several words. */
function oneOf(known: readonly string[], remedy = ''): FindFault {
  return (value, path) => {
    if (known.includes(value as string)) return undefined;
    const got = typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : nameOfType(value);
    return `${path} is not valid (expected ${known.map((name) => `"${name}"`).join(' or ')}, got ${got})${remedy}`;
  };
}

const findFunctionFault: FindFault = (value, path) =>
  typeof value === 'function' ? undefined : mismatch(path, 'a function', value);

const findAmountFault: FindFault = (value, path) =>
  typeof value === 'number' && value >= 0 ? undefined : mismatch(path, 'a number from 0 on', value);

/** The methods by which schemas of Zod and Valibot parse. */
const parsers = ['parse', '~run'] as const;

/** Describes a value that is not JSON Schema. Of a schema of Zod or Valibot, no rule would be read. */
export const findSchemaFault: FindFault = (schema, path) => {
  if (typeof schema === 'boolean') return undefined;
  const isObject = typeof schema === 'object' && schema !== null;
  if (isObject && !parsers.some((name) => typeof (schema as Members)[name] === 'function')) return undefined;
  return `${mismatch(path, 'a JSON Schema', schema)}. For Zod, pass z.toJSONSchema(schema)`;
};

/** Describes a wrong reason for which a text ended. */
export const findStopFault: FindFault = oneOf(
  ['stop', 'length'],
  '. Pass "stop" if the model stopped by itself ("stop", "tool_calls", "tool-calls", "end_turn", "tool_use"), and otherwise "length"',
);

const limitChecks = {
  depth: findAmountFault,
  size: findAmountFault,
  repairs: findAmountFault,
  backtracks: findAmountFault,
  duplicateKeys: oneOf(['last', 'report', 'refuse']),
  unsafeIntegers: oneOf(['round', 'report', 'refuse']),
};

/** Describes the first wrong limit. */
export const findLimitFault: FindFault = (limits, path) => findMemberFault(limits, path, limitChecks);

const repairChecks = {
  schema: findSchemaFault,
  root: oneOf(['object', 'any']),
  stopped: findStopFault,
  limits: findLimitFault,
  fallback: findFunctionFault,
  onDelta: findFunctionFault,
};

/** Describes the first wrong option of repairing JSON. Called for every text, so it only looks at types and words. */
export const findRepairFault: FindFault = (options, path) => findMemberFault(options, path, repairChecks);

/** Describes a value that is not text. */
export const findTextFault: FindFault = (value, path) =>
  typeof value === 'string' ? undefined : mismatch(path, 'a string', value);
