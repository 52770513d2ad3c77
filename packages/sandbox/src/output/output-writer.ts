/**
 * Builds a string code unit by code unit, for loops over long texts where a string per character would cost too much.
 */
export interface CodeUnitWriter {
  push(unit: number): void;
  /** Removes the last character, including both surrogates of a pair. */
  pop(): void;
  text(): string;
}

/** @param capacity - maximum number of code units that will be pushed. */
export function createCodeUnitWriter(capacity: number): CodeUnitWriter {
  const units = new Uint16Array(capacity);
  let length = 0;
  return {
    push(unit) {
      units[length] = unit;
      length += 1;
    },
    pop() {
      const isPair = length > 1 && isLow(units[length - 1]) && isHigh(units[length - 2]);
      length = Math.max(0, length - (isPair ? 2 : 1));
    },
    text: () => new TextDecoder('utf-16le', { ignoreBOM: true }).decode(units.subarray(0, length)),
  };
}

function isHigh(unit: number | undefined): boolean {
  return unit !== undefined && (unit & 0xfc00) === 0xd800;
}

function isLow(unit: number | undefined): boolean {
  return unit !== undefined && (unit & 0xfc00) === 0xdc00;
}
