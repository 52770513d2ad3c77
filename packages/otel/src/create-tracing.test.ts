import './fixtures/commonjs-api.ts';
import { setTimeout as pause } from 'node:timers/promises';
import {
  allowAll,
  createDispatcher,
  defineTool,
  toolError,
  failure,
  type CallContext,
  type ToolResult,
} from '@haft/core';
import { context, metrics, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTracing } from './create-tracing.ts';
import type { TracingOptions } from './tracing-options.ts';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const measured = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  trace.setGlobalTracerProvider(provider);
  metrics.setGlobalMeterProvider(meters);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
beforeEach(() => exporter.reset());
afterAll(async () => {
  await meters.shutdown();
  for (const api of [trace, metrics, context, propagation]) api.disable();
});

const object = { type: 'object' } as const;
const tools = [
  defineTool({
    name: 'add',
    description: 'Adds.',
    input: { ...object, properties: { a: { type: 'number' } } },
    undeclaredKeys: 'keep',
    kind: 'read',
    execute: () => '3',
  }),
  defineTool({
    name: 'nested',
    description: 'Makes a span of its own.',
    input: object,
    execute: async (_, { logger }) => {
      await pause(1);
      logger.info('at work');
      trace.getActiveSpan()?.setAttribute('own', true);
      return trace.getTracer('of the tool').startActiveSpan('inner', (span) => {
        span.end();
        return 'done';
      });
    },
  }),
  defineTool({
    name: 'fail',
    description: 'Fails.',
    input: object,
    execute: (_, { callId }) =>
      failure(callId, toolError('EXIT_CODE', 'password=hunter2 was refused', { fault: 'world' })),
  }),
  defineTool({
    name: 'hang',
    description: 'Waits.',
    input: object,
    execute: (_, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped')))),
  }),
  defineTool({
    name: 'alone',
    description: 'Waits for the others.',
    input: object,
    footprint: () => ({ reads: [], writes: ['*'] }),
    execute: () => pause(2),
  }),
];

async function call(
  name: string,
  args: unknown,
  options: TracingOptions = {},
  given: CallContext = {},
): Promise<ToolResult> {
  const { middleware, observer } = createTracing(options);
  const source = createDispatcher({ registry: tools, permission: allowAll, middleware: [middleware], observer });
  return source.dispatch({ id: 'call_1', name, arguments: args }, given);
}

const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
const spanOf = (name: string): ReadableSpan => spans().find((span) => span.name === name)!;

describe('the span of a call', () => {
  it('follows the semantic conventions and holds no content', async () => {
    await call('add', { a: 1 }, {}, { sessionId: 's', runId: 'r', turn: 2 });
    expect(spans()).toHaveLength(1);
    const [span] = spans();
    expect(span!.name).toBe('execute_tool add');
    expect(span!.attributes).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'add',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_1',
      'gen_ai.tool.description': 'Adds.',
      'gen_ai.conversation.id': 's',
      'haft.tool.provider': 'local',
      'haft.run.id': 'r',
      'haft.turn': 2,
    });
    expect(span!.status.code).toBe(SpanStatusCode.UNSET);
  });

  it('is active while the body runs, so that inner spans are its children', async () => {
    await trace.getTracer('of the program').startActiveSpan('outer', async (span) => {
      await call('nested', {});
      span.end();
    });
    const own = spanOf('execute_tool nested');
    expect(own.attributes['own']).toBe(true);
    expect(spanOf('inner').parentSpanContext?.spanId).toBe(own.spanContext().spanId);
    expect(own.parentSpanContext?.spanId).toBe(spanOf('outer').spanContext().spanId);
    expect(trace.getActiveSpan()).toBeUndefined();
  });

  it('is a child of the calling span, also after waiting for another call', async () => {
    const { middleware, observer } = createTracing();
    const source = createDispatcher({ registry: tools, permission: allowAll, middleware: [middleware], observer });
    await trace.getTracer('of the program').startActiveSpan('turn', async (span) => {
      await source.dispatchBatch(['1', '2', '3'].map((id) => ({ id, name: 'alone', arguments: {} })));
      span.end();
    });
    const turn = spanOf('turn').spanContext().spanId;
    expect(
      spans()
        .filter(({ name }) => name !== 'turn')
        .map((span) => span.parentSpanContext?.spanId),
    ).toEqual([turn, turn, turn]);
  });

  it('has the error code of a failure, and the message only with capture.messages', async () => {
    await call('fail', {});
    expect(spans()[0]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { 'error.type': 'EXIT_CODE', 'haft.error.fault': 'world' },
    });
    expect(JSON.stringify(spans()[0]!.attributes) + spans()[0]!.status.message).not.toContain('refused');
    exporter.reset();
    await call('fail', {}, { capture: { messages: true } });
    expect(spans()[0]!.status.message).toContain('was refused');
    expect(spans()[0]!.status.message).not.toContain('hunter2');
  });

  it('is not an error when the call was cancelled', async () => {
    const stop = new AbortController();
    setImmediate(() => stop.abort());
    await call('hang', {}, {}, { signal: stop.signal });
    expect(spans()[0]).toMatchObject({
      status: { code: SpanStatusCode.UNSET },
      attributes: { 'error.type': 'ABORTED' },
    });
  });

  it('exists also when the body never runs', async () => {
    const expectedAttributes = { 'gen_ai.tool.name': 'add', 'error.type': 'INVALID_ARGS', 'haft.error.fault': 'model' };
    await call('add', { a: 'x y z' });
    expect(spans()).toMatchObject([
      { name: 'execute_tool add', attributes: expectedAttributes, status: { code: SpanStatusCode.ERROR } },
    ]);
    exporter.reset();
    await call('made_up_by_a_model', {});
    expect(spans()).toMatchObject([{ name: 'execute_tool', attributes: { 'gen_ai.tool.name': '_OTHER' } }]);
  });

  it('holds masked and cut arguments and results when they are captured', async () => {
    const capture = { arguments: true, results: true };
    await call('add', { a: 1, api_key: 'sk-very-secret', note: 'n'.repeat(50) }, { capture, maxCharacters: 60 });
    const { attributes } = spans()[0]!;
    expect(attributes['gen_ai.tool.call.arguments']).toMatch(/^\{"a":1,"api_key":"[^"]*".*… \(\d+ characters\)$/);
    expect(JSON.stringify(attributes)).not.toContain('sk-very-secret');
    expect(attributes['gen_ai.tool.call.result']).toBe('3');
  });

  it('has a custom name and attributes when given', async () => {
    await call('add', {}, { spanName: ({ tool }) => `tool ${tool.name}`, attributes: () => ({ team: 'a' }) });
    expect(spans()).toMatchObject([{ name: 'tool add', attributes: { team: 'a' } }]);
  });

  it('never fails the call when tracing fails', async () => {
    const broken = (): never => {
      throw new Error('broken');
    };
    expect(await call('add', {}, { spanName: broken })).toMatchObject({ ok: true });
    expect(await call('add', {}, { tracer: { startSpan: broken, startActiveSpan: broken } })).toMatchObject({
      ok: true,
    });
    expect(await call('add', {}, { attributes: broken })).toMatchObject({ ok: true });
    expect(await call('add', {}, { meter: { createHistogram: broken } as never })).toMatchObject({ ok: true });
  });
});

describe('a remote trace context', () => {
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const spanId = 'b7ad6b7169203331';
  const session = (metadata: Record<string, unknown>): CallContext => ({ session: { id: 's', metadata } });
  const traceparent = `00-${traceId}-${spanId}-01`;

  it('is continued with a link to the local span', async () => {
    await trace.getTracer('of the server').startActiveSpan('request', async (span) => {
      await call('add', {}, {}, session({ traceparent, tracestate: 'vendor=1' }));
      span.end();
    });
    const own = spanOf('execute_tool add');
    expect(own.spanContext().traceId).toBe(traceId);
    expect(own.parentSpanContext).toMatchObject({ spanId, isRemote: true });
    expect(own.spanContext().traceState?.serialize()).toBe('vendor=1');
    expect(own.links).toMatchObject([{ context: { spanId: spanOf('request').spanContext().spanId } }]);
  });

  it.each([
    ['nothing', undefined],
    ['a number', 7],
    ['no context', 'hello'],
    ['upper case', traceparent.toUpperCase()],
    ['a zero trace id', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['the invalid version ff', `ff-${traceId}-${spanId}-01`],
    ['longer than its version allows', `${traceparent}-more`],
    ['too long', `01-${traceId}-${spanId}-01-${'x'.repeat(10_000)}`],
  ])('is ignored when it is %s', async (_, given) => {
    await call('add', {}, {}, session({ traceparent: given }));
    expect(spans()[0]!.spanContext().traceId).not.toBe(traceId);
    expect(spans()[0]!.parentSpanContext).toBeUndefined();
  });

  it('is ignored when remoteParents is false', async () => {
    await call('add', {}, { remoteParents: false }, session({ traceparent }));
    expect(spans()[0]!.spanContext().traceId).not.toBe(traceId);
  });

  it('is returned for sending by getTraceContext', () => {
    const tracing = createTracing();
    expect(tracing.getTraceContext()).toBeUndefined();
    const sent = trace.getTracer('t').startActiveSpan('s', () => tracing.getTraceContext());
    expect(sent?.traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/);
  });
});

describe('metrics', () => {
  it('record durations and outcomes, by names of known tools only', async () => {
    await call('add', {});
    await call('fail', {});
    for (let count = 0; count < 50; count += 1) await call(`made_up_${count}`, {});
    await reader.forceFlush();
    const all = measured
      .getMetrics()
      .at(-1)!
      .scopeMetrics.flatMap(({ metrics: each }) => each);
    const durations = all.find(({ descriptor }) => descriptor.name === 'gen_ai.client.operation.duration')!;
    expect(durations.descriptor.unit).toBe('s');
    const names = new Set(durations.dataPoints.map(({ attributes }) => attributes['gen_ai.tool.name']));
    expect([...names].filter((name) => String(name).startsWith('made_up'))).toEqual([]);
    expect(durations.dataPoints.map(({ attributes }) => attributes)).toContainEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'fail',
      'error.type': 'EXIT_CODE',
      'haft.error.fault': 'world',
    });
    const active = all.find(({ descriptor }) => descriptor.name === 'haft.tool.active')!;
    expect(active.dataPoints.map(({ value }) => value)).toEqual([0]);
  });
});
