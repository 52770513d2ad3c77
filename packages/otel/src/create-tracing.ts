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

/** Spans and metrics of the calls of a dispatcher. */
export interface Tracing {
  /** Opens a span around each call's body, active while it runs. The first of a dispatcher's middleware, so that the rest is inside. */
  readonly middleware: DispatchMiddleware;
  /**
   * Counts calls, and gives those that never came to their body (arguments that don't fit, no permission, no such tool) a span of their own.
   * The dispatcher's `observer`, or called by it.
   */
  readonly observer: ToolObserver;
  /** The W3C trace context of the active span, to be sent along; `meta` of a connection of `@haft/mcp`. */
  readonly carry: () => TraceContextCarrier | undefined;
}

const scope = '@haft/otel';

/** A call that has begun and has no span yet. */
interface Begun {
  /** Where it was made: what it waits for may end elsewhere. */
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
  const begun = new Map<string, Begun>();

  const open = (info: CallInfo): { readonly span: Span; readonly at: Context } | undefined => {
    try {
      const known = begun.get(keyOf(info.context.runId, info.call.id));
      if (known) known.isTraced = true;
      const here = known?.at ?? context.active();
      const { at, links } = continueTrace(here, info, options);
      const attributes = {
        ...describeCall(info),
        ...captureArguments(info.arguments, options),
        ...moreOf(info, options),
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
          quietly(() => {
            span.setAttributes(captureResult(result, options));
            if (!result.ok) markFailure(span, result.error, options);
          });
          return result;
        } finally {
          quietly(() => span.end());
        }
      },
    },
    observer(event) {
      quietly(() => {
        measure ??= createCallMetrics(options.meter ?? metrics.getMeter(scope));
        measure(event);
      });
      if (event.action === 'execute_progress') return;
      const key = keyOf(event.data.runId, event.data.callId);
      if (event.action === 'execute_start') {
        begun.set(key, { at: context.active(), isTraced: false });
        return;
      }
      const known = begun.get(key);
      begun.delete(key);
      if (known && !known.isTraced) quietly(() => traceRefusal(event, known.at));
    },
    carry: () => writeTraceContext(context.active()),
  };

  /** A call that never came to its body. */
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

/** The trace that a call came with, and a link to where it is answered; else where it is. */
function continueTrace(
  here: Context,
  info: CallInfo,
  { remoteParents = true }: TracingOptions,
): { readonly at: Context; readonly links: readonly Link[] } {
  const remote = remoteParents ? readTraceContext(info.context.session?.metadata) : undefined;
  if (!remote) return { at: here, links: [] };
  const local = trace.getSpanContext(here);
  // Whoever made the call may be in that trace already.
  if (local?.traceId === remote.traceId) return { at: here, links: [] };
  return { at: trace.setSpanContext(here, remote), links: local ? [{ context: local }] : [] };
}

function nameSpan(info: CallInfo, { spanName }: TracingOptions): string {
  return spanName?.(info) ?? `execute_tool ${info.tool.name}`;
}

function moreOf(info: CallInfo, { attributes }: TracingOptions): object {
  try {
    return attributes?.(info) ?? {};
  } catch {
    return {};
  }
}

function keyOf(runId: string | undefined, callId: string): string {
  return `${runId ?? ''}\n${callId}`;
}

function quietly(work: () => void): void {
  try {
    work();
  } catch {
    // Whoever is told of a call can't break it.
  }
}
