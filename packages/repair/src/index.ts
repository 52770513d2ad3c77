export { allEnvelopes, extractToolCalls } from './calls.ts';
export type {
  CallableTool,
  Envelope,
  ExtractOptions,
  ExtractedCall,
  Extraction,
  Found,
  RejectReason,
  RejectedCall,
  Source,
  WrittenCall,
} from './calls.ts';
export { repairErrorCodes, repairJson } from './json.ts';
export type {
  JsonObject,
  JsonSchema,
  JsonValue,
  Limits,
  Repair,
  RepairErrorCode,
  RepairFailure,
  RepairOptions,
  RepairResult,
  RepairRisk,
  RepairSuccess,
} from './json.ts';
