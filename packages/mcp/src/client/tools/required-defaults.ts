import { isRecord } from '@haft/core/options';

type JsonRecord = Readonly<Record<string, unknown>>;

/**
 * Returns the schema without requirements for members that have a default. Some servers list such members as required,
 * although their own clients fill them in. Looks into objects and lists of objects. Returns the schema itself if nothing
 * changed.
 */
export function relaxDefaults(schema: JsonRecord): JsonRecord {
  const { required, properties, items } = schema;
  const members = isRecord(properties) ? properties : {};
  const stillRequired = Array.isArray(required) ? required.filter((name) => !hasDefault(members, name)) : required;
  const relaxed = Object.fromEntries(
    Object.entries(members).map(([name, member]) => [name, isRecord(member) ? relaxDefaults(member) : member]),
  );
  const isSame =
    (!Array.isArray(required) || (stillRequired as readonly unknown[]).length === required.length) &&
    Object.entries(members).every(([name, member]) => relaxed[name] === member);
  const relaxedItems = isRecord(items) ? relaxDefaults(items) : items;
  if (isSame && relaxedItems === items) return schema;
  return {
    ...schema,
    ...(isRecord(properties) ? { properties: relaxed } : {}),
    ...(Array.isArray(required) ? { required: stillRequired } : {}),
    ...(items === undefined ? {} : { items: relaxedItems }),
  };
}

/**
 * Adds the defaults of missing members that the schema requires. Returns the arguments themselves if nothing is missing.
 *
 * @param schema the server's schema, as it was before `relaxDefaults`.
 */
export function fillDefaults(schema: unknown, args: unknown): unknown {
  if (!isRecord(schema)) return args;
  if (Array.isArray(args)) {
    const filled = args.map((item) => fillDefaults(schema['items'], item));
    return filled.some((item, index) => item !== args[index]) ? filled : args;
  }
  const { properties, required } = schema;
  if (!isRecord(args) || !isRecord(properties)) return args;
  const added = (Array.isArray(required) ? required : [])
    .filter((name): name is string => hasDefault(properties, name) && !Object.hasOwn(args, name as string))
    .map((name) => [name, structuredClone((properties[name] as JsonRecord)['default'])] as const);
  const filled = Object.entries(args).map(
    ([name, value]) => [name, Object.hasOwn(properties, name) ? fillDefaults(properties[name], value) : value] as const,
  );
  const isSame = added.length === 0 && filled.every(([name, value]) => value === args[name]);
  return isSame ? args : Object.fromEntries([...filled, ...added]);
}

function hasDefault(properties: JsonRecord, name: unknown): boolean {
  const member = typeof name === 'string' && Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isRecord(member) && member['default'] !== undefined;
}
