import type { JsonValue } from '../../json/result/json-value.ts';

/** Parses valid JSON. Returns undefined for any other text. */
export function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
