import type { CallInfo, DispatchMiddleware, ToolEvent, ToolObserver } from '@haft/core';
import { context, metrics, trace, type Context, type Link, type Span } from '@opentelemetry/api';
import {
  captureArguments,
  captureResult,
  describeCall,
  describeRun,
  markFailure,
  otherTool,
  spanKind,
} from './call-attributes.ts';
import { createCallMetrics, nameOf } from './call-metrics.ts';
import { readTraceContext, writeTraceContext, type TraceContextCarrier } from './trace-context.ts';
import { checkTracingOptions, type TracingOptions } from './tracing-options.ts';

/** Spans and metrics of a dispatcher's calls. */
export interface Tracing {
  /**
   * Opens a span around each call's body, active while it runs. Put it first, so that other middleware runs inside the
   * span.
   */
  readonly middleware: DispatchMiddleware;
  /**
   * Records metrics, and a span for each call that never runs (invalid arguments, no permission, unknown tool). Pass it
   * as the dispatcher's `observer`, or call it from yours.
   */
  readonly observer: ToolObserver;
  /**
   * Returns the W3C trace context of the active span, to send along. Use it as `meta` of a connection of `@haft/mcp`.
   */
  readonly getTraceContext: () => TraceContextCarrier | undefined;
}

const scope = '@haft/otel';

/** A started call. */
interface StartedCall {
  /** Context in which the call was made. It may start in another one after waiting. */
  readonly at: Context;
  isTraced: boolean;
}

/**
 * Makes what a dispatcher needs to be traced and counted by OpenTelemetry: `execute_tool` spans and durations by the semantic
 * conventions for generative AI, without what arguments and results say unless that is asked for. Nothing that goes wrong here
 * reaches a call.
 *
 * @throws HaftError `INVALID_OPTION` for an option that is misspelt or not what it has to be.
 */
export function createTracing(options: TracingOptions = {}): Tracing {
  checkTracingOptions(options);
  // Asked for when they are needed: a program may set up its providers later than this.
  const tracerOf = (): ReturnType<typeof trace.getTracer> => options.tracer ?? trace.getTracer(scope);
  let measure: ((event: ToolEvent) => void) | undefined;
  const started = new Map<string, StartedCall>();

  const open = (info: CallInfo): { readonly span: Span; readonly at: Context } | undefined => {
    try {
      const known = started.get(keyOf(info.context.runId, info.call.id));
      if (known) known.isTraced = true;
      const current = known?.at ?? context.active();
      const { at, links } = continueTrace(current, info, options);
      const attributes = {
        ...describeCall(info),
        ...captureArguments(info.arguments, options),
        ...customAttributes(info, options),
      };
      const span = tracerOf().startSpan(nameSpan(info, options), { kind: spanKind, attributes, links: [...links] }, at);
      return { span, at: trace.setSpan(at, span) };
    } catch {
      return undefined;
    }
  };

  return {
    middleware: {
      name: 'tracing',
      async around(info, next) {
        const opened = open(info);
        if (!opened) return next();
        const { span, at } = opened;
        try {
          const result = await context.with(at, next);
          ignoreErrors(() => {
            span.setAttributes(captureResult(result, options));
            if (!result.ok) markFailure(span, result.error, options);
          });
          return result;
        } finally {
          ignoreErrors(() => span.end());
        }
      },
    },
    observer(event) {
      ignoreErrors(() => {
        measure ??= createCallMetrics(options.meter ?? metrics.getMeter(scope));
        measure(event);
      });
      if (event.action === 'execute_progress') return;
      const key = keyOf(event.data.runId, event.data.callId);
      if (event.action === 'execute_start') {
        started.set(key, { at: context.active(), isTraced: false });
        return;
      }
      const known = started.get(key);
      started.delete(key);
      if (known && !known.isTraced) ignoreErrors(() => traceRefusal(event, known.at));
    },
    getTraceContext: () => writeTraceContext(context.active()),
  };

  /** Records a span for a call that never ran. */
  function traceRefusal(event: ToolEvent, at: Context): void {
    const { data, timestamp, duration = 0, error } = event;
    const name = nameOf(event);
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.call.id': data.callId.slice(0, 128),
      ...describeRun(data.sessionId, data.runId, data.turn),
    };
    const title = name === otherTool ? 'execute_tool' : `execute_tool ${name}`;
    const span = tracerOf().startSpan(title, { kind: spanKind, attributes, startTime: timestamp - duration }, at);
    if (error) markFailure(span, error, options);
    span.end(timestamp);
  }
}

/** Returns the context of a remote trace with a link to the local span, or the local context. */
function continueTrace(
  current: Context,
  info: CallInfo,
  { remoteParents = true }: TracingOptions,
): { readonly at: Context; readonly links: readonly Link[] } {
  const remote = remoteParents ? readTraceContext(info.context.session?.metadata) : undefined;
  if (!remote) return { at: current, links: [] };
  const local = trace.getSpanContext(current);
  // The caller may already be part of the remote trace.
  if (local?.traceId === remote.traceId) return { at: current, links: [] };
  return { at: trace.setSpanContext(current, remote), links: local ? [{ context: local }] : [] };
}

function nameSpan(info: CallInfo, { spanName }: TracingOptions): string {
  return spanName?.(info) ?? `execute_tool ${info.tool.name}`;
}

function customAttributes(info: CallInfo, { attributes }: TracingOptions): object {
  try {
    return attributes?.(info) ?? {};
  } catch {
    return {};
  }
}

function keyOf(runId: string | undefined, callId: string): string {
  return `${runId ?? ''}\n${callId}`;
}

function ignoreErrors(work: () => void): void {
  try {
    work();
  } catch {
    // Tracing must not fail a call.
  }
}
