import { redactSecrets, redactText, renderForModel, type CallInfo, type ToolError, type ToolResult } from '@haft/core';
import { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api';
import type { TracingOptions } from './tracing-options.ts';

/** Tool name for unknown tools, so that invented names create no time series. */
export const otherTool = '_OTHER';
export const spanKind: SpanKind = SpanKind.INTERNAL;
const maxNameLength = 128;
const maxDescriptionLength = 1_024;

/** Returns the span attributes of a call: the semantic conventions for generative AI, and `haft.…` for the rest. */
export function describeCall(info: CallInfo): Attributes {
  const { call, tool, provider, context } = info;
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id.slice(0, maxNameLength),
    'gen_ai.tool.description': tool.description.slice(0, maxDescriptionLength),
    'haft.tool.provider': provider,
    ...describeRun(context.sessionId, context.runId, context.turn),
  };
}

/** Returns the attributes of a conversation, run and turn. Unknown ones are omitted. */
export function describeRun(sessionId = '', runId = '', turn = 0): Attributes {
  return {
    ...(sessionId === '' ? {} : { 'gen_ai.conversation.id': sessionId.slice(0, maxNameLength) }),
    ...(runId === '' ? {} : { 'haft.run.id': runId.slice(0, maxNameLength) }),
    ...(turn === 0 ? {} : { 'haft.turn': turn }),
  };
}

/** Records a failure on a span. A cancelled call is not an error. */
export function markFailure(span: Span, error: ToolError, options: TracingOptions): void {
  span.setAttributes({ 'error.type': error.code, 'haft.error.fault': error.fault });
  if (error.fault === 'cancelled') return;
  const message = options.capture?.messages === true ? redactText(error.message).slice(0, limitOf(options)) : undefined;
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
}

/** Returns the arguments as an attribute if they are captured. */
export function captureArguments(args: unknown, options: TracingOptions): Attributes {
  if (options.capture?.arguments !== true) return {};
  return { 'gen_ai.tool.call.arguments': cut(JSON.stringify(redactSecrets(args)) ?? 'null', options) };
}

/** Returns the text of the result as an attribute if it is captured. */
export function captureResult(result: ToolResult, options: TracingOptions): Attributes {
  if (options.capture?.results !== true) return {};
  return { 'gen_ai.tool.call.result': cut(redactText(renderForModel(result)), options) };
}

function cut(text: string, options: TracingOptions): string {
  const limit = limitOf(options);
  return text.length <= limit ? text : `${text.slice(0, limit)}… (${text.length} characters)`;
}

function limitOf({ maxCharacters = 4_096 }: TracingOptions): number {
  return maxCharacters;
}
