import { showValue, type OptionKind } from '@haft/core/options';

const expected = '32 bytes or more';

/** A secret key of at least 32 bytes. The message about another one has its length, but never the key. */
export const keyKind: OptionKind<string | Uint8Array> = {
  expected,
  findFault(value, path) {
    const isKey = typeof value === 'string' || value instanceof Uint8Array;
    if (isKey && Buffer.byteLength(value) >= 32) return undefined;
    const got = isKey ? `${Buffer.byteLength(value)} bytes` : showValue(value);
    return { path, problem: `is not valid (expected ${expected}, got ${got})` };
  },
};
