import { redactSecrets, redactText, renderForModel, type CallInfo, type ToolError, type ToolResult } from '@haft/core';
import { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api';
import type { TracingOptions } from './tracing-options.ts';

/** What a name that no tool has counts as, so that a model that makes names up makes no new time series. */
export const otherTool = '_OTHER';
export const spanKind: SpanKind = SpanKind.INTERNAL;
const longestName = 128;
const longestDescription = 1_024;

/** What names a call in spans, by the semantic conventions for generative AI; `haft.…` where these have no word. */
export function describeCall(info: CallInfo): Attributes {
  const { call, tool, provider, context } = info;
  return {
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': tool.name,
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': call.id.slice(0, longestName),
    'gen_ai.tool.description': tool.description.slice(0, longestDescription),
    'haft.tool.provider': provider,
    ...describeRun(context.sessionId, context.runId, context.turn),
  };
}

/** Which conversation, run and turn a call belongs to; what is not known is left out. */
export function describeRun(sessionId = '', runId = '', turn = 0): Attributes {
  return {
    ...(sessionId === '' ? {} : { 'gen_ai.conversation.id': sessionId.slice(0, longestName) }),
    ...(runId === '' ? {} : { 'haft.run.id': runId.slice(0, longestName) }),
    ...(turn === 0 ? {} : { 'haft.turn': turn }),
  };
}

/** Tells a span how its call ended. A call that somebody cancelled is no error. */
export function markFailure(span: Span, error: ToolError, options: TracingOptions): void {
  span.setAttributes({ 'error.type': error.code, 'haft.error.fault': error.fault });
  if (error.fault === 'cancelled') return;
  const message = options.capture?.messages === true ? redactText(error.message).slice(0, limitOf(options)) : undefined;
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message === undefined ? {} : { message }) });
}

/** The arguments as text, where they may be shown. */
export function captureArguments(args: unknown, options: TracingOptions): Attributes {
  if (options.capture?.arguments !== true) return {};
  return { 'gen_ai.tool.call.arguments': cut(JSON.stringify(redactSecrets(args)) ?? 'null', options) };
}

/** What the model was told, where it may be shown. */
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
