/**
 * JSON repair alone, without the extraction of calls.
 *
 * @packageDocumentation
 */
export { createJsonStream, type JsonStream, type JsonStreamOptions } from './json/stream/json-stream.ts';
export type { StringDelta } from './json/stream/live-machine.ts';
export { ready } from './json/document/ready.ts';
export { repairJson } from './json/document/repair-json.ts';
export { repairOptionErrorCodes } from './options/invalid-option.ts';
export { repairErrorCodes, type RepairErrorCode } from './json/result/repair-error-codes.ts';
export type { Limits, RepairOptions } from './json/result/repair-options.ts';
export type { Repair, RepairFailure, RepairResult, RepairRisk, RepairSuccess } from './json/result/repair-result.ts';
export type { JsonObject, JsonValue } from './json/result/json-value.ts';
export type { JsonSchema } from './json-schema.ts';
