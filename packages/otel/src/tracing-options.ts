import type { CallInfo } from '@haft/core';
import {
  booleanKind,
  functionKind,
  numberKind,
  checkOptions,
  objectOf,
  objectWith,
  type OptionTable,
} from '@haft/core/options';
import type { Attributes, Meter, Tracer } from '@opentelemetry/api';

/** Name of this instrumentation for tracers and meters. */
export const instrumentationScope = '@haft/otel';

/** Options of {@link createTracing}. */
export interface TracingOptions {
  /** Tracer for spans. Default: from the program's tracer provider, which does nothing unless one is set up. */
  readonly tracer?: Tracer;
  /** Meter for metrics. Default: from the program's meter provider. */
  readonly meter?: Meter;
  /** Returns the name of a call's span. Default `execute_tool NAME`. */
  readonly spanName?: (info: CallInfo) => string;
  /** Returns further attributes of a call's span. Errors are dropped. */
  readonly attributes?: (info: CallInfo) => Attributes;
  /**
   * Content to record in spans. Default: nothing, because arguments and results may hold private data. Likely secrets
   * are masked.
   */
  readonly capture?: { readonly arguments?: boolean; readonly results?: boolean; readonly messages?: boolean };
  /** Maximum length of a captured text. Default 4,096 characters. */
  readonly maxCharacters?: number;
  /**
   * Whether a call that arrives with a W3C trace context, such as `traceparent` in the `_meta` of an MCP request,
   * continues that trace. Default true. It never affects permissions.
   */
  readonly remoteParents?: boolean;
}

const table: OptionTable<TracingOptions> = {
  tracer: objectWith<Tracer>('a Tracer of OpenTelemetry', 'startSpan'),
  meter: objectWith<Meter>('a Meter of OpenTelemetry', 'createHistogram'),
  spanName: functionKind,
  attributes: functionKind,
  capture: objectOf<NonNullable<TracingOptions['capture']>>(
    { arguments: booleanKind, results: booleanKind, messages: booleanKind },
    '{ arguments: true }',
  ),
  maxCharacters: numberKind({ above: 0 }),
  remoteParents: booleanKind,
};

/**
 * Refuses options that would have no effect, such as misspelt ones.
 * @throws HaftError `INVALID_OPTION`.
 */
export function checkTracingOptions(options: TracingOptions): void {
  checkOptions('createTracing', options, table, '{ capture: { arguments: true } }');
}
