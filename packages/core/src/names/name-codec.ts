const longest = 64;
const hashLength = 8;
const wireName = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * Checks whether every model vendor accepts a tool name: 1 to 64 letters, digits, `_` and `-`.
 *
 * @example
 * import { isWireName } from '@haft/core/registry';
 * isWireName('weather_forecast'); // => true
 * isWireName('weather/forecast'); // => false
 */
export function isWireName(name: string): boolean {
  return wireName.test(name);
}

/**
 * Returns the wire name of an external tool: its own name if every vendor accepts it and it is not taken, otherwise its
 * readable characters plus a hash of the full name. Deterministic for the same name.
 *
 * @param isTaken checks whether another tool already has a name.
 * @example
 * import { encodeName } from '@haft/core/registry';
 * encodeName('search', () => false); // => 'search'
 * encodeName('weather/forecast', () => false); // => 'weather_forecast_78565859'
 */
export function encodeName(name: string, isTaken: (wireName: string) => boolean): string {
  if (isWireName(name) && !isTaken(name)) return name;
  const readable = name.slice(0, longest).replace(/[^A-Za-z0-9_-]/g, '_');
  for (let attempt = 0; ; attempt += 1) {
    const encoded = `${readable.slice(0, longest - hashLength - 1)}_${hash(`${attempt}:${name}`)}`;
    if (!isTaken(encoded)) return encoded;
  }
}

/** Maps names to wire names and back. */
export interface NameCodec {
  /** Returns the wire name of a known name, or `undefined`. */
  encode(name: string): string | undefined;
  /** Returns the name for a wire name, or `undefined` if the wire name is unknown. */
  decode(wireName: string): string | undefined;
}

/**
 * Assigns each name, such as the tool names of a snapshot, a unique wire name. A name that every vendor accepts stays
 * unchanged. The result does not depend on the order of the names.
 *
 * @example
 * import { createNameCodec } from '@haft/core/registry';
 * const codec = createNameCodec(['search', 'weather/forecast']);
 * codec.encode('search'); // => 'search'
 * codec.decode(codec.encode('weather/forecast') ?? ''); // => 'weather/forecast'
 */
export function createNameCodec(names: Iterable<string>): NameCodec {
  const wires = new Map<string, string>();
  const originals = new Map<string, string>();
  const note = (name: string, wire: string): void => {
    wires.set(name, wire);
    originals.set(wire, name);
  };
  const others: string[] = [];
  for (const name of new Set(names)) {
    if (isWireName(name)) note(name, name);
    else others.push(name);
  }
  // Names that stay unchanged come first, so that they take precedence over generated names.
  for (const name of others.sort())
    note(
      name,
      encodeName(name, (wire) => originals.has(wire)),
    );
  return { encode: (name) => wires.get(name), decode: (wire) => originals.get(wire) };
}

/**
 * Returns the 32-bit FNV-1a hash of the UTF-16 code units, with a final mixing step. 32 bits suffice, because
 * collisions are checked anyway.
 */
function hash(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    value = Math.imul(value ^ (unit & 0xff), 0x01000193);
    value = Math.imul(value ^ (unit >>> 8), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return ((value ^ (value >>> 16)) >>> 0).toString(16).padStart(hashLength, '0');
}
