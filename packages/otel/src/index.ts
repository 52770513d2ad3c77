export { createTracing, type Tracing } from './create-tracing.ts';
export { observeJobs, type CountedJobs, type JobMetricsOptions } from './observe-jobs.ts';
export type { TraceContextCarrier } from './trace-context.ts';
export type { TracingOptions } from './tracing-options.ts';
