export {
  createJsonStream,
  type JsonStream,
  type JsonStreamOptions,
  type StringDelta,
} from './json/stream/json-stream.ts';
export { ready } from './json/ready.ts';
export { repairJson } from './json/repair-json.ts';
export { repairErrorCodes, type RepairErrorCode } from './json/repair-error-codes.ts';
export type { Limits, RepairOptions } from './json/repair-options.ts';
export type { Repair, RepairFailure, RepairResult, RepairRisk, RepairSuccess } from './json/repair-result.ts';
export type { JsonObject, JsonValue } from './json/json-value.ts';
export type { JsonSchema } from './json-schema.ts';
