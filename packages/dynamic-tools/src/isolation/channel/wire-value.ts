/**
 * The keys that mark bytes and resources in JSON. A plugin's own key that begins like one gets an additional prefix.
 */
const sign = '$haft:';
const bytesKey = `${sign}bytes`;
const resourceKey = `${sign}resource`;

/** A serialized resource. A class distinguishes it from objects that only look alike. */
class WireResource {
  readonly resource: object;
  constructor(resource: object) {
    this.resource = resource;
  }
}

/**
 * Prepares a tool's return value for sending. Reads its resources now, because they can't be read later. Rejects if a
 * resource can't be read. Throws a `TypeError` for values that no result can contain.
 */
export async function prepareValue(value: unknown): Promise<unknown> {
  if (typeof value === 'function' || typeof value === 'symbol')
    throw new TypeError(`a tool returned a ${typeof value}, which a result can't contain`);
  if (value instanceof Map || value instanceof Set)
    throw new TypeError("a tool returned a Map or a Set, which JSON can't represent: return an array or an object");
  if (typeof value !== 'object' || value === null) return value;
  if (isResource(value)) return toWireResource(value);
  if (Array.isArray(value)) return Promise.all(value.map(preparePart));
  const { content } = value as { readonly content?: unknown };
  if (Array.isArray(content)) return { ...value, content: await Promise.all(content.map(preparePart)) };
  return preparePart(value);
}

/**
 * Converts a value to JSON, with bytes and resources in the form that {@link reviveValue} reads. Throws for values that
 * JSON can't represent.
 */
export function writeForWire(value: unknown): string {
  return JSON.stringify(value, replace);
}

function replace(this: unknown, key: string, value: unknown): unknown {
  // The original value: `value` is the result of `toJSON`, which Node's buffers have.
  const raw = (this as Readonly<Record<string, unknown>>)[key];
  if (raw instanceof Uint8Array)
    return { [bytesKey]: Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength).toString('base64') };
  if (raw instanceof WireResource) return { [resourceKey]: raw.resource };
  if (!isPlain(value) || !hasSign(value)) return value;
  return mapKeys(value, (name) => (name.startsWith(sign) ? `${sign}${name}` : name));
}

/**
 * Converts JSON back to the original value, including bytes and readable resources. Throws if it is nested too deeply.
 */
export function reviveValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reviveValue);
  if (!isPlain(value)) return value;
  const bytes = value[bytesKey];
  if (typeof bytes === 'string') return new Uint8Array(Buffer.from(bytes, 'base64'));
  const wireResource = value[resourceKey];
  if (isPlain(wireResource)) {
    const body = reviveValue(wireResource['body']);
    const { body: _, ...resource } = wireResource;
    return { ...resource, read: () => body };
  }
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [name, reviveValue(member)]);
  const revived = Object.fromEntries(members);
  return hasSign(value)
    ? mapKeys(revived, (name) => (name.startsWith(sign) ? name.slice(sign.length) : name))
    : revived;
}

async function preparePart(part: unknown): Promise<unknown> {
  if (!isPlain(part)) return part;
  const { type, resource } = part;
  return type === 'resource' && isResource(resource) ? { ...part, resource: await toWireResource(resource) } : part;
}

interface ReadableResource {
  readonly uri: string;
  readonly name: string;
  readonly type: string;
  readonly description?: unknown;
  read(): unknown;
}

async function toWireResource(resource: ReadableResource): Promise<WireResource> {
  const { uri, name, type, description } = resource;
  const body = await resource.read();
  return new WireResource({ uri, name, type, ...(typeof description === 'string' && { description }), body });
}

function isResource(value: unknown): value is ReadableResource {
  if (!isPlain(value)) return false;
  const { uri, name, type, read } = value;
  return [uri, name, type].every((member) => typeof member === 'string') && typeof read === 'function';
}

function hasSign(value: Readonly<Record<string, unknown>>): boolean {
  for (const name in value) if (name.startsWith(sign)) return true;
  return false;
}

function mapKeys(value: Readonly<Record<string, unknown>>, rename: (name: string) => string): object {
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), member]));
}

function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
