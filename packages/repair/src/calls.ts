export { extractToolCalls } from './calls/extract-tool-calls.ts';
export { allEnvelopes } from './calls/envelopes/index.ts';
export type { Envelope, Found, Source, WrittenCall } from './calls/envelope.ts';
export type {
  CallableTool,
  ExtractOptions,
  ExtractedCall,
  Extraction,
  RejectReason,
  RejectedCall,
} from './calls/extraction.ts';
