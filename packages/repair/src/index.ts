export { allEnvelopes, callEnvelope, extractToolCalls, jsonEnvelope, namedEnvelope, taggedEnvelope } from './calls.ts';
export type {
  CallEnvelopeParts,
  CallLiteralLayout,
  CallableTool,
  Envelope,
  ExtractOptions,
  ExtractedCall,
  Extraction,
  Found,
  JsonEnvelopeParts,
  NamedEnvelopeParts,
  RejectReason,
  RejectedCall,
  Source,
  TaggedEnvelopeParts,
  TaggedLayout,
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
