import {
  createTraceState,
  isSpanContextValid,
  trace,
  type Context,
  type Link,
  type SpanContext,
} from '@opentelemetry/api';
import type { TracingOptions } from './tracing-options.ts';

/** A W3C trace context as used in headers and in `_meta` of MCP. */
export interface TraceContextCarrier {
  readonly traceparent: string;
  readonly tracestate?: string;
}

const pattern = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const maxStateLength = 512;

/** Reads a trace context. Returns undefined if it is missing or invalid. */
export function readTraceContext(carrier: unknown): SpanContext | undefined {
  try {
    const { traceparent, tracestate } = carrier as Readonly<Record<string, unknown>>;
    if (typeof traceparent !== 'string' || traceparent.length > 512) return undefined;
    const [, version, traceId = '', spanId = '', flags = '', more] = pattern.exec(traceparent) ?? [];
    // Later versions may append fields; version 00 may not, and ff is invalid.
    if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
    const context: SpanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    if (!isSpanContextValid(context)) return undefined;
    const hasState = typeof tracestate === 'string' && tracestate !== '' && tracestate.length <= maxStateLength;
    return hasState ? { ...context, traceState: createTraceState(tracestate) } : context;
  } catch {
    return undefined;
  }
}

/** Returns the trace context of the active span, or undefined without a span. */
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

/** Returns the context of a remote trace with a link to the local span, or the local context. */
export function continueTrace(
  current: Context,
  carrier: unknown,
  { remoteParents = true }: TracingOptions,
): { readonly at: Context; readonly links: readonly Link[] } {
  const remote = remoteParents ? readTraceContext(carrier) : undefined;
  if (!remote) return { at: current, links: [] };
  const local = trace.getSpanContext(current);
  // The caller may already be part of the remote trace.
  if (local?.traceId === remote.traceId) return { at: current, links: [] };
  return { at: trace.setSpanContext(current, remote), links: local ? [{ context: local }] : [] };
}
