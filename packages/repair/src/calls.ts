/**
 * Extraction of tool calls from text, whole or streamed, and the envelopes in which models write them.
 *
 * @packageDocumentation
 */
export { createToolCallStream, type ToolCallStream, type ToolCallStreamEvent } from './calls/stream/call-stream.ts';
export { repairOptionErrorCodes } from './options/check-argument.ts';
export { extractToolCalls } from './calls/message/extract-tool-calls.ts';
export { allEnvelopes } from './calls/envelopes/index.ts';
export {
  codeEnvelope,
  jsonEnvelope,
  namedEnvelope,
  taggedEnvelope,
  type CodeEnvelopeParts,
  type JsonEnvelopeParts,
  type NamedEnvelopeParts,
  type TaggedEnvelopeParts,
} from './calls/envelopes/envelope-makers.ts';
export type { CodeLayout } from './calls/notations/code/read-parentheses.ts';
export type { TaggedLayout } from './calls/notations/tags/tagged-layout.ts';
export type { Envelope, Found, Source, WrittenCall } from './calls/contract/envelope.ts';
export type {
  ExtractOptions,
  ExtractedCall,
  Extraction,
  RejectReason,
  RejectedCall,
} from './calls/contract/extraction.ts';
export type { CallableTool } from './calls/contract/envelope.ts';
