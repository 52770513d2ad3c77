import './fixtures/commonjs-api.ts';
import { allowAll, createDispatcher, defineTool, type AnyTool } from '@haft/core';
import type { RunTracing } from '@haft/core/events';
import { createSubagents, runAgent, type RunAgentOptions } from '@haft/runner';
import { scriptedModel, type ScriptedTurn } from '@haft/runner/testing';
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
  type MetricData,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import * as conventions from '@opentelemetry/semantic-conventions/incubating';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTracing } from './create-tracing.ts';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  trace.setGlobalTracerProvider(provider);
  metrics.setGlobalMeterProvider(meters);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
});
beforeEach(async () => {
  exporter.reset();
  await reader.forceFlush();
  measured.reset();
});
afterAll(async () => {
  await meters.shutdown();
  for (const api of [trace, metrics, context, propagation]) api.disable();
});

const look = defineTool({
  name: 'look',
  description: 'Looks.',
  kind: 'read',
  execute: () => trace.getTracer('of the tool').startActiveSpan('inner', (span) => (span.end(), 'seen')),
}) as AnyTool;

const spans = (): readonly ReadableSpan[] => exporter.getFinishedSpans();
const spanOf = (name: string): ReadableSpan => {
  const found = spans().find((span) => span.name === name);
  if (!found)
    throw new Error(
      `no span ${name} among ${spans()
        .map((span) => span.name)
        .join(', ')}`,
    );
  return found;
};
const idOf = (name: string): string => spanOf(name).spanContext().spanId;
const parentOf = (name: string): string | undefined => spanOf(name).parentSpanContext?.spanId;

const script: readonly ScriptedTurn[] = [
  { calls: [{ name: 'look' }], usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.02 } },
  { text: 'Done.', usage: { inputTokens: 120, outputTokens: 5, costUsd: 0.03 } },
];

async function run(
  options: Partial<RunAgentOptions> = {},
  turns: readonly ScriptedTurn[] = script,
): ReturnType<typeof runAgent> {
  const model = scriptedModel(turns, { name: 'm-1', vendor: 'google' });
  return runAgent({ model, tools: [look], prompt: 'Go.', tracing: createTracing(), ...options });
}

async function collectMetrics(): Promise<readonly MetricData[]> {
  await reader.forceFlush();
  return measured.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
}

describe('the spans of an agent run', () => {
  it('nest: the run around its turns, each turn around its request and its calls, a call around the spans of its tool', async () => {
    await run({ agentName: 'helper' });
    expect(parentOf('invoke_agent helper')).toBeUndefined();
    for (const turn of ['turn 1', 'turn 2']) expect(parentOf(turn)).toBe(idOf('invoke_agent helper'));
    expect(spans().filter(({ name }) => name === 'chat m-1')).toHaveLength(2);
    expect(parentOf('chat m-1')).toBe(idOf('turn 1'));
    expect(parentOf('execute_tool look')).toBe(idOf('turn 1'));
    expect(parentOf('inner')).toBe(idOf('execute_tool look'));
  });

  it('follow the semantic conventions: operation, provider, model, usage, finish reason and kind', async () => {
    await run({ agentName: 'helper', sessionId: 's', runId: 'r', temperature: 0.5, maxOutputTokens: 99 });
    expect(spanOf('invoke_agent helper')).toMatchObject({ kind: SpanKind.INTERNAL, status: { code: 0 } });
    expect(spanOf('invoke_agent helper').attributes).toEqual({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'helper',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'm-1',
      'gen_ai.conversation.id': 's',
      'gen_ai.usage.input_tokens': 220,
      'gen_ai.usage.output_tokens': 15,
      'gen_ai.response.finish_reasons': ['stop'],
      'haft.usage.cost_usd': 0.05,
      'haft.run.id': 'r',
      'haft.run.turns': 2,
      'haft.run.stop_reason': 'finished',
    });
    const chat = spanOf('chat m-1');
    expect(chat.kind).toBe(SpanKind.CLIENT);
    expect(chat.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'm-1',
      'gen_ai.request.stream': true,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 99,
      'gen_ai.conversation.id': 's',
      'gen_ai.usage.input_tokens': 100,
      'gen_ai.usage.output_tokens': 10,
      'gen_ai.response.finish_reasons': ['tool_calls'],
      'gen_ai.response.time_to_first_chunk': expect.any(Number),
      'haft.usage.cost_usd': 0.02,
      'haft.run.id': 'r',
      'haft.turn': 1,
    });
  });

  it("use only attributes and metrics of the conventions' own list, besides haft.…", async () => {
    const listed = new Set<unknown>(Object.values(conventions));
    const limits = { wallTimeMs: 60_000 };
    await run({ agentName: 'helper', sessionId: 's', limits, output: { schema: { type: 'object' } } }, [
      { calls: [{ name: 'look' }], usage: { inputTokens: 1, outputTokens: 1, costUsd: 1 } },
      { text: '{}', finishReason: 'length' },
      { text: '{}', error: new Error('broken') },
    ]);
    const all = await collectMetrics();
    const points = all.flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes));
    const names = [...spans().map(({ attributes }) => attributes), ...points].flatMap((one) => Object.keys(one));
    const used = [...new Set([...names, ...all.map(({ descriptor }) => descriptor.name)])];
    expect(used.length).toBeGreaterThan(15);
    expect(used.filter((name) => !name.startsWith('haft.') && !listed.has(name))).toEqual([]);
    const operations = [...spans(), ...points.map((attributes) => ({ attributes }))].flatMap(
      ({ attributes }) => attributes[conventions.ATTR_GEN_AI_OPERATION_NAME] ?? [],
    );
    expect(new Set(operations)).toEqual(
      new Set([
        conventions.GEN_AI_OPERATION_NAME_VALUE_INVOKE_AGENT,
        conventions.GEN_AI_OPERATION_NAME_VALUE_CHAT,
        conventions.GEN_AI_OPERATION_NAME_VALUE_EXECUTE_TOOL,
      ]),
    );
  });

  it("are children of the caller's active span", async () => {
    await trace.getTracer('of the program').startActiveSpan('request', async (span) => {
      await run();
      span.end();
    });
    expect(parentOf('invoke_agent')).toBe(idOf('request'));
    expect(trace.getActiveSpan()).toBeUndefined();
  });

  it('continue the trace context of the session, with a link to the local span', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const traceparent = `00-${traceId}-b7ad6b7169203331-01`;
    await trace.getTracer('of the program').startActiveSpan('request', async (span) => {
      await run({ session: { id: 's', metadata: { traceparent } } });
      span.end();
    });
    expect(spanOf('invoke_agent').parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
    expect(spanOf('invoke_agent').links).toMatchObject([{ context: { spanId: idOf('request') } }]);
    expect(spanOf('execute_tool look').spanContext().traceId).toBe(traceId);
    expect(parentOf('execute_tool look')).toBe(idOf('turn 1'));
  });

  it('are active while the model is asked, so that spans of its HTTP client are children of chat', async () => {
    await run({}, [() => trace.getTracer('of the client').startActiveSpan('POST', (span) => (span.end(), 'Done.'))]);
    expect(parentOf('POST')).toBe(idOf('chat m-1'));
  });

  it('report a failed model on the request and on the run, with one chat span for each attempt', async () => {
    const error = { code: 'MODEL_FAILED', fault: 'world', retryable: true, message: 'unreachable' };
    const result = await run({ retries: { max: 1, delayMs: 1 } }, [{ error }, { error }]);
    expect(result.stopReason).toBe('error');
    const chats = spans().filter(({ name }) => name === 'chat m-1');
    expect(chats.map(({ attributes }) => attributes['haft.request.attempt'])).toEqual([undefined, 2]);
    for (const span of [...chats, spanOf('turn 1'), spanOf('invoke_agent')]) {
      expect(span.status).toEqual({ code: SpanStatusCode.ERROR });
      expect(span.attributes).toMatchObject({ 'error.type': 'MODEL_FAILED', 'haft.error.fault': 'world' });
    }
  });

  it('show the run of a sub-agent inside the call that started it', async () => {
    const tracing = createTracing();
    const model = scriptedModel(
      [
        { calls: [{ name: 'subagent', arguments: { subagent_type: 'finder', prompt: 'Find it.' } }] },
        'Found.',
        'Done.',
      ],
      { name: 'm-1' },
    );
    const source = createDispatcher({ registry: [look], permission: allowAll });
    const { tools } = createSubagents({ model, source, types: { finder: { description: 'Finds.' } }, tracing });
    await runAgent({ model, tools: [...tools], prompt: 'Go.', permission: allowAll, tracing });
    expect(parentOf('invoke_agent finder')).toBe(idOf('execute_tool subagent'));
  });

  it('record each call once if the tracing middleware is also passed explicitly', async () => {
    const tracing = createTracing();
    await run({ tracing, middleware: [tracing.middleware], observer: tracing.observer });
    expect(spans().filter(({ name }) => name === 'execute_tool look')).toHaveLength(1);
  });

  it.each<[string, RunTracing]>([
    ['startStep throws', { startStep: () => fail() }],
    ['within throws before it calls the work', { startStep: () => ({ within: () => fail(), end: () => {} }) }],
    [
      'within throws after it has called the work',
      { startStep: () => ({ within: (work) => fail(work()), end: () => {} }) },
    ],
    ['end throws', { startStep: () => ({ within: (work) => work(), end: () => fail() }) }],
  ])('never affect the run when %s', async (_, tracing) => {
    expect(await run({ tracing })).toMatchObject({ stopReason: 'finished', text: 'Done.', turns: 2 });
  });
});

function fail(_result?: unknown): never {
  throw new Error('broken');
}

describe('the metrics of an agent run', () => {
  it('count the tokens and the cost of each request, by provider and model', async () => {
    await run();
    const all = await collectMetrics();
    const metric = (name: string): MetricData => all.find(({ descriptor }) => descriptor.name === name)!;
    const about = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'gcp.gemini',
      'gen_ai.request.model': 'm-1',
    };
    const tokens = metric(conventions.METRIC_GEN_AI_CLIENT_TOKEN_USAGE);
    expect(tokens.descriptor.unit).toBe('{token}');
    expect(tokens.dataPoints).toMatchObject([
      { attributes: { ...about, 'gen_ai.token.type': 'input' }, value: { count: 2, sum: 220 } },
      { attributes: { ...about, 'gen_ai.token.type': 'output' }, value: { count: 2, sum: 15 } },
    ]);
    expect(metric('haft.client.cost').dataPoints).toMatchObject([{ attributes: about, value: 0.05 }]);
    const durations = metric(conventions.METRIC_GEN_AI_CLIENT_OPERATION_DURATION).dataPoints;
    expect(new Set(durations.map(({ attributes }) => attributes['gen_ai.operation.name']))).toEqual(
      new Set(['chat', 'execute_tool', 'invoke_agent']),
    );
  });

  it('take the cost from costOf if the model does not report it', async () => {
    await run({ costOf: ({ inputTokens = 0 }) => inputTokens / 100 }, [{ text: 'Done.', usage: { inputTokens: 50 } }]);
    const cost = (await collectMetrics()).find(({ descriptor }) => descriptor.name === 'haft.client.cost');
    expect(cost?.dataPoints).toMatchObject([{ value: 0.5 }]);
    expect(spanOf('invoke_agent').attributes).toMatchObject({ 'haft.usage.cost_usd': 0.5 });
  });
});
