/**
 * JSON repair alone, without the extraction of calls.
 *
 * @packageDocumentation
 */
export { createJsonStream, type JsonStream, type JsonStreamOptions } from './json/stream/json-stream.ts';
export type { StringDelta } from './json/stream/live-machine.ts';
export { repairJson } from './json/document/repair-json.ts';
export { repairOptionErrorCodes } from './options/check-argument.ts';
export type { JsonSchema, Limits, RepairOptions } from './json/result/repair-options.ts';
export {
  repairErrorCodes,
  type Repair,
  type RepairErrorCode,
  type RepairFailure,
  type RepairResult,
  type RepairRisk,
  type RepairSuccess,
} from './json/result/repair-result.ts';
export type { JsonObject, JsonValue } from './json/result/json-value.ts';

/**
 * Loads everything that this entry needs. Returns `undefined` if it is loaded already, which is always the case outside
 * Node. On Node, the first text that needs it loads the repair code synchronously. Only if that is impossible, because
 * another part of the program is importing it at the moment, returns a promise. Until it resolves, `repairJson` throws.
 */
export const ready = (): Promise<void> | undefined => undefined;
