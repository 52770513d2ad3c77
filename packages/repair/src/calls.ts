export { createToolCallStream, type ToolCallStream, type ToolCallStreamEvent } from './calls/call-stream.ts';
export { extractToolCalls } from './calls/extract-tool-calls.ts';
export { allEnvelopes } from './calls/envelopes/index.ts';
export { callEnvelope, type CallEnvelopeParts } from './calls/envelopes/call-envelope.ts';
export { jsonEnvelope, type JsonEnvelopeParts } from './calls/envelopes/json-envelope.ts';
export { namedEnvelope, type NamedEnvelopeParts } from './calls/envelopes/named-envelope.ts';
export { taggedEnvelope, type TaggedEnvelopeParts } from './calls/envelopes/tagged-envelope.ts';
export type { CallLiteralLayout } from './calls/read-call-literals.ts';
export type { TaggedLayout } from './calls/tagged-layout.ts';
export type { Envelope, Found, Source, WrittenCall } from './calls/envelope.ts';
export type {
  CallableTool,
  ExtractOptions,
  ExtractedCall,
  Extraction,
  RejectReason,
  RejectedCall,
} from './calls/extraction.ts';
