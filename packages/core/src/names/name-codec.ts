const longest = 64;
const hashLength = 8;
const wireName = /^[A-Za-z0-9_-]{1,64}$/;

/** Tells whether every vendor of models takes a name for a tool: 1 to 64 letters, digits, `_` and `-`. */
export function isWireName(name: string): boolean {
  return wireName.test(name);
}

/**
 * The name under which a tool from elsewhere is known to models: its own where every vendor takes it and nobody has it,
 * else what is readable of it, and a hash of the whole. The same name gives the same again.
 *
 * @param isTaken tells whether somebody else has a name already.
 */
export function encodeName(name: string, isTaken: (wireName: string) => boolean): string {
  if (isWireName(name) && !isTaken(name)) return name;
  const readable = name.slice(0, longest).replace(/[^A-Za-z0-9_-]/g, '_');
  for (let attempt = 0; ; attempt += 1) {
    const encoded = `${readable.slice(0, longest - hashLength - 1)}_${hash(`${attempt}:${name}`)}`;
    if (!isTaken(encoded)) return encoded;
  }
}

/** Wire names of some names, and the way back. */
export interface NameCodec {
  /** The wire name of one of the names; `undefined` for any other. */
  encode(name: string): string | undefined;
  /** The name that a wire name stands for; `undefined` when it stands for none. */
  decode(wireName: string): string | undefined;
}

/**
 * Gives each of some names, such as those of a snapshot, a wire name of its own: that name itself where every vendor takes
 * it. What one name becomes does not depend on the order of the others.
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
  // Names that stay as they are come first, so that none of them has to give way to one that is made up.
  for (const name of others.sort())
    note(
      name,
      encodeName(name, (wire) => originals.has(wire)),
    );
  return { encode: (name) => wires.get(name), decode: (wire) => originals.get(wire) };
}

/** FNV-1a over UTF-16 code units, stirred once more at the end; 32 bits, since who is taken is asked for anyway. */
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
