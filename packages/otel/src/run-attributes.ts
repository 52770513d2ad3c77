import type { FinishReason, Usage } from '@haft/core';
import type { RunStep, RunStepOutcome } from '@haft/core/events';
import { SpanKind, SpanStatusCode, type Attributes, type Span } from '@opentelemetry/api';
import { describeRun, markFailure } from './call-attributes.ts';
import type { TracingOptions } from './tracing-options.ts';

type RequestStep = Extract<RunStep, { readonly kind: 'request' }>;

const maxNameLength = 128;

/** Vendors whose name in the semantic conventions differs from the usual one. */
const providerNames: ReadonlyMap<string, string> = new Map([
  ['amazon-bedrock', 'aws.bedrock'],
  ['bedrock', 'aws.bedrock'],
  ['azure', 'azure.ai.openai'],
  ['google', 'gcp.gemini'],
  ['google-vertex', 'gcp.vertex_ai'],
  ['mistral', 'mistral_ai'],
  ['xai', 'x_ai'],
]);

/** Returns the provider name of the semantic conventions. `_OTHER` if the vendor is unknown. */
export function providerOf(vendor: string | undefined): string {
  if (vendor === undefined || vendor === '') return '_OTHER';
  return providerNames.get(vendor) ?? vendor.slice(0, maxNameLength);
}

/** Returns the name of a step's span. */
export function nameStep(step: RunStep): string {
  if (step.kind === 'turn') return `turn ${step.turn}`;
  if (step.kind === 'request') return `chat ${step.modelName.slice(0, maxNameLength)}`;
  return step.agentName === undefined ? 'invoke_agent' : `invoke_agent ${step.agentName.slice(0, maxNameLength)}`;
}

/** Returns the kind of a step's span. Only a request leaves the process. */
export function kindOfStep({ kind }: RunStep): SpanKind {
  return kind === 'request' ? SpanKind.CLIENT : SpanKind.INTERNAL;
}

/** Returns the span attributes of a step that are known at its start. */
export function describeStep(step: RunStep): Attributes {
  if (step.kind === 'turn') return describeRun(step.sessionId, step.runId, step.turn);
  if (step.kind === 'request') return describeRequest(step);
  return {
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.provider.name': providerOf(step.vendor),
    'gen_ai.request.model': step.modelName.slice(0, maxNameLength),
    ...(step.agentName === undefined ? {} : { 'gen_ai.agent.name': step.agentName.slice(0, maxNameLength) }),
    ...describeRun(step.sessionId, step.runId),
  };
}

function describeRequest(step: RequestStep): Attributes {
  const { temperature, maxOutputTokens, hasSchema, attempt } = step;
  return {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': providerOf(step.vendor),
    'gen_ai.request.model': step.modelName.slice(0, maxNameLength),
    'gen_ai.request.stream': true,
    ...(temperature === undefined ? {} : { 'gen_ai.request.temperature': temperature }),
    ...(maxOutputTokens === undefined ? {} : { 'gen_ai.request.max_tokens': maxOutputTokens }),
    ...(hasSchema ? { 'gen_ai.output.type': 'json' } : {}),
    ...describeRun(step.sessionId, step.runId, step.turn),
    ...(attempt > 1 ? { 'haft.request.attempt': attempt } : {}),
  };
}

/** Records the outcome of a step on its span. */
export function recordOutcome(span: Span, outcome: RunStepOutcome, options: TracingOptions): void {
  const { usage = {}, finishReason, stopReason, turns, firstEventMs, error } = outcome;
  span.setAttributes({
    ...describeUsage(usage),
    ...(finishReason === undefined ? {} : { 'gen_ai.response.finish_reasons': [nameFinish(finishReason)] }),
    ...(firstEventMs === undefined ? {} : { 'gen_ai.response.time_to_first_chunk': firstEventMs / 1_000 }),
    ...(stopReason === undefined ? {} : { 'haft.run.stop_reason': stopReason }),
    ...(turns === undefined ? {} : { 'haft.run.turns': turns }),
  });
  if (error) markFailure(span, error, options);
  else if (stopReason === 'error') span.setStatus({ code: SpanStatusCode.ERROR });
}

function describeUsage({ inputTokens, outputTokens, costUsd }: Usage): Attributes {
  return {
    ...(inputTokens === undefined ? {} : { 'gen_ai.usage.input_tokens': inputTokens }),
    ...(outputTokens === undefined ? {} : { 'gen_ai.usage.output_tokens': outputTokens }),
    ...(costUsd === undefined ? {} : { 'haft.usage.cost_usd': costUsd }),
  };
}

function nameFinish(reason: FinishReason): string {
  return reason.replaceAll('-', '_');
}
