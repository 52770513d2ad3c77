import type { CallInfo } from '@haft/core';
import { aBoolean, aFunction, aNumber, checkOptions, objectOf, objectWith, type OptionTable } from '@haft/core/options';
import type { Attributes, Meter, Tracer } from '@opentelemetry/api';

/** What {@link createTracing} takes; everything has a default. */
export interface TracingOptions {
  /** Default: that of the program's tracer provider, which does nothing where none is set up. */
  readonly tracer?: Tracer;
  /** Default: that of the program's meter provider. */
  readonly meter?: Meter;
  /** The name of a call's span; default `execute_tool NAME`. */
  readonly spanName?: (info: CallInfo) => string;
  /** Further attributes of a call's span. What it throws is dropped. */
  readonly attributes?: (info: CallInfo) => Attributes;
  /**
   * What of the contents goes into spans. Default: nothing, since arguments and results hold whatever a person typed and a tool read. What
   * is captured has secrets masked as far as they can be told.
   */
  readonly capture?: { readonly arguments?: boolean; readonly results?: boolean; readonly messages?: boolean };
  /** Longer captured texts are cut. Default 4,096 characters. */
  readonly maxCharacters?: number;
  /**
   * Whether a call that came with a W3C trace context, such as the `traceparent` in an MCP request's `_meta`, continues that trace. Default
   * true; it decides about no rights.
   */
  readonly remoteParents?: boolean;
}

const table: OptionTable<TracingOptions> = {
  tracer: objectWith<Tracer>('a Tracer of OpenTelemetry', 'startSpan'),
  meter: objectWith<Meter>('a Meter of OpenTelemetry', 'createHistogram'),
  spanName: aFunction,
  attributes: aFunction,
  capture: objectOf<NonNullable<TracingOptions['capture']>>(
    { arguments: aBoolean, results: aBoolean, messages: aBoolean },
    '{ arguments: true }',
  ),
  maxCharacters: aNumber({ above: 0 }),
  remoteParents: aBoolean,
};

/**
 * Refuses options that would be passed over, such as a misspelt one.
 * @throws HaftError `INVALID_OPTION`.
 */
export function checkTracingOptions(options: TracingOptions): void {
  checkOptions('createTracing', options, table, '{ capture: { arguments: true } }');
}
