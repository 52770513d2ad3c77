import type { RunStep, TracedStep } from '@haft/core/events';
import { context, metrics, trace, type Tracer } from '@opentelemetry/api';
import { continueTrace } from './trace-context.ts';
import { describeStep, kindOfStep, nameStep, recordOutcome } from './run-attributes.ts';
import { createRunMetrics, type RecordStep } from './run-metrics.ts';
import { instrumentationScope, type TracingOptions } from './tracing-options.ts';

/** Returns a function that opens a span for each step of a run and records its metrics at the end. */
export function createStepTracing(options: TracingOptions, tracerOf: () => Tracer): (step: RunStep) => TracedStep {
  let measure: RecordStep | undefined;
  return (step) => {
    const startedAt = performance.now();
    const metadata = step.kind === 'run' ? step.session?.metadata : undefined;
    const { at: parent, links } = continueTrace(context.active(), metadata, options);
    const given = { kind: kindOfStep(step), attributes: describeStep(step), links: [...links] };
    const span = tracerOf().startSpan(nameStep(step), given, parent);
    const at = trace.setSpan(parent, span);
    return {
      within: (work) => context.with(at, work),
      end(outcome) {
        try {
          recordOutcome(span, outcome, options);
        } finally {
          span.end();
        }
        measure ??= createRunMetrics(options.meter ?? metrics.getMeter(instrumentationScope));
        measure(step, outcome, performance.now() - startedAt);
      },
    };
  };
}
