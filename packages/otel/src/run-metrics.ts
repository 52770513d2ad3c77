import type { RunStep, RunStepOutcome } from '@haft/core/events';
import type { Attributes, Meter } from '@opentelemetry/api';
import { durationBoundaries } from './call-metrics.ts';
import { providerOf } from './run-attributes.ts';

// Boundaries recommended by the semantic conventions for numbers of tokens.
const tokenBoundaries = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** Records a finished step. */
export type RecordStep = (step: RunStep, outcome: RunStepOutcome, durationMs: number) => void;

/** Creates the metrics of runs and requests: durations, tokens and cost. */
export function createRunMetrics(meter: Meter): RecordStep {
  const duration = meter.createHistogram('gen_ai.client.operation.duration', {
    unit: 's',
    description: 'Duration of agent runs, requests to models and tool calls.',
    advice: { explicitBucketBoundaries: durationBoundaries },
  });
  const firstChunk = meter.createHistogram('gen_ai.client.operation.time_to_first_chunk', {
    unit: 's',
    description: 'Time from a request to the first event of the answer.',
    advice: { explicitBucketBoundaries: durationBoundaries },
  });
  const tokens = meter.createHistogram('gen_ai.client.token.usage', {
    unit: '{token}',
    description: 'Number of tokens of a request, as the vendor reports them.',
    advice: { explicitBucketBoundaries: tokenBoundaries },
  });
  const cost = meter.createCounter('haft.client.cost', {
    unit: '{USD}',
    description: 'Cost of the requests in US dollars.',
  });
  return (step, { usage = {}, error, firstEventMs }, durationMs) => {
    if (step.kind === 'turn') return;
    const attributes: Attributes = {
      'gen_ai.operation.name': step.kind === 'run' ? 'invoke_agent' : 'chat',
      'gen_ai.provider.name': providerOf(step.vendor),
      'gen_ai.request.model': step.modelName,
    };
    duration.record(durationMs / 1_000, error ? { ...attributes, 'error.type': error.code } : attributes);
    // The requests of a run are counted one by one.
    if (step.kind === 'run') return;
    if (firstEventMs !== undefined) firstChunk.record(firstEventMs / 1_000, attributes);
    const { inputTokens, outputTokens, costUsd } = usage;
    if (inputTokens !== undefined) tokens.record(inputTokens, { ...attributes, 'gen_ai.token.type': 'input' });
    if (outputTokens !== undefined) tokens.record(outputTokens, { ...attributes, 'gen_ai.token.type': 'output' });
    if (costUsd !== undefined) cost.add(costUsd, attributes);
  };
}
