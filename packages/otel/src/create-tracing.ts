import type { CallInfo, DispatchMiddleware, ToolEvent, ToolObserver } from '@haft/core';
import type { RunTracing } from '@haft/core/events';
import { context, metrics, trace, type Context, type Span } from '@opentelemetry/api';
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
import { continueTrace, writeTraceContext, type TraceContextCarrier } from './trace-context.ts';
import { createStepTracing } from './trace-steps.ts';
import { checkTracingOptions, instrumentationScope, type TracingOptions } from './tracing-options.ts';

/** Spans and metrics of agent runs and of a dispatcher's calls. Pass it to `runAgent` as `tracing`. */
export interface Tracing extends RunTracing {
  /** Opens a span for a run, a turn or a request. The agent loop calls it. */
  readonly startStep: RunTracing['startStep'];
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

/** A started call. */
interface StartedCall {
  /** Context in which the call was made. It may start in another one after waiting. */
  readonly at: Context;
  isTraced: boolean;
}

/**
 * Records agent runs and tool calls with OpenTelemetry, by the semantic conventions for generative AI: spans, durations,
 * tokens and cost. Arguments and results are recorded only on request. Errors of the tracing never affect a run or a call.
 *
 * @throws HaftError `INVALID_OPTION` for a misspelt or invalid option.
 */
export function createTracing(options: TracingOptions = {}): Tracing {
  checkTracingOptions(options);
  // Read on demand, because a program may set up its providers after this call.
  const tracerOf = (): ReturnType<typeof trace.getTracer> => options.tracer ?? trace.getTracer(instrumentationScope);
  let measure: ((event: ToolEvent) => void) | undefined;
  const started = new Map<string, StartedCall>();

  const open = (info: CallInfo): { readonly span: Span; readonly at: Context } | undefined => {
    try {
      const known = started.get(keyOf(info.context.runId, info.call.id));
      if (known) known.isTraced = true;
      const current = known?.at ?? context.active();
      const { at, links } = continueTrace(current, info.context.session?.metadata, options);
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
    startStep: createStepTracing(options, tracerOf),
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
        measure ??= createCallMetrics(options.meter ?? metrics.getMeter(instrumentationScope));
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
    // An error of the tracing must not fail a call.
  }
}
