import { createTraceState, isSpanContextValid, trace, type Context, type SpanContext } from '@opentelemetry/api';

/** A W3C trace context as it stands in headers and in `_meta` of MCP. */
export interface TraceContextCarrier {
  readonly traceparent: string;
  readonly tracestate?: string;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const longestState = 512;

/** Reads the context that somebody sent along; nothing where there is none, or none that can be read. */
export function readTraceContext(carrier: unknown): SpanContext | undefined {
  try {
    const { traceparent, tracestate } = carrier as Readonly<Record<string, unknown>>;
    if (typeof traceparent !== 'string' || traceparent.length > 512) return undefined;
    const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(traceparent) ?? [];
    // Later versions may say more; this one says no more than that, and ff is none.
    if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
    const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    if (!isSpanContextValid(context)) return undefined;
    const hasState = typeof tracestate === 'string' && tracestate !== '' && tracestate.length <= longestState;
    return hasState ? { ...context, traceState: createTraceState(tracestate) } : context;
  } catch {
    return undefined;
  }
}

/** Writes the context of the active span, to be sent along; nothing where there is no span. */
export function writeTraceContext(context: Context): TraceContextCarrier | undefined {
  const active = trace.getSpanContext(context);
  if (!active || !isSpanContextValid(active)) return undefined;
  const flags = active.traceFlags.toString(16).padStart(2, '0');
  const state = active.traceState?.serialize();
  return {
    traceparent: `00-${active.traceId}-${active.spanId}-${flags}`,
    ...(state === undefined || state === '' ? {} : { tracestate: state }),
  };
}
