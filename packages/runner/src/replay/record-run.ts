import { asModelTool, type Message, type Model, type ToolSnapshot, type ToolSource } from '@haft/core';
import { toStoredResult } from '@haft/core/results';
import { compileSchema } from '@haft/schema';
import type { RunAgentOptions } from '../options/agent-options.ts';
import type { AgentResult } from '../contracts/agent-result.ts';
import { storeMessages } from '../history/stored-messages.ts';
import { asToolSource } from '../run/run-tool-source.ts';
import { checkRunOptions } from '../options/check-options.ts';
import { runAgent } from '../agent/run-agent.ts';
import { throwIfFailed } from '../agent/throw-if-run-failed.ts';
import { asModelError } from '../turn/model/model-error.ts';
import type { TapedOutcome, TapeLine } from './tape.ts';

const dataOptions = [
  'systemPrompt',
  'prompt',
  'maxToolIterations',
  'onLimit',
  'limits',
  'allow',
  'requiredTools',
  'textCalls',
  'temperature',
  'maxOutputTokens',
  'thinking',
  'thinkingBudget',
  'mode',
  'maxParallel',
  'onDenied',
  'toolTimeoutMs',
  'sessionId',
] as const satisfies readonly (keyof RunAgentOptions)[];

/**
 * Runs an agent like {@link runAgent} and records all external input: the model's output, tool results, messages and
 * aborts. The lines are a recording for `replayRun`. They contain the conversation and all results unredacted,
 * including secrets. An exception of `write` ends the run.
 *
 * @param write receives one line of JSON without a line break.
 * @throws HaftError `INVALID_OPTION` like `runAgent`.
 */
export async function recordRun(options: RunAgentOptions, write: (line: string) => void): Promise<AgentResult> {
  checkRunOptions(options);
  const {
    permission: _,
    workspace: __,
    errors: ___,
    observer: ____,
    middleware: _____,
    tools: ______,
    throwOnError,
    ...rest
  } = options;
  const put = (line: TapeLine): void => write(JSON.stringify(line));
  const runId = options.runId ?? `run_${crypto.randomUUID()}`;
  const { name, vendor, supports } = options.model;
  put({
    type: 'run',
    version: 1,
    runId,
    model: { name, ...(vendor !== undefined && { vendor }), ...(supports && { supports }) },
    messages: await storeMessages(options.messages ?? []),
    options: {
      ...Object.fromEntries(dataOptions.flatMap((key) => (options[key] === undefined ? [] : [[key, options[key]]]))),
      ...(options.retries?.max !== undefined && { retries: { max: options.retries.max } }),
      ...(options.output && { output: dataOfOutput(options) }),
    },
  });
  const onAbort = (): void => put({ type: 'aborted' });
  options.signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const result = await runAgent({
      ...rest,
      runId,
      model: recordModel(options.model, put),
      tools: recordSource(asToolSource(options), put),
      ...(options.steer && { steer: recordSteering(options.steer, put) }),
      ...(options.shapeHistory && { shapeHistory: recordShape(options.shapeHistory, put) }),
    });
    put({ type: 'end', outcome: outcomeOf(result) });
    if (throwOnError) throwIfFailed(result);
    return result;
  } finally {
    options.signal?.removeEventListener('abort', onAbort);
  }
}

/** Returns the parts of a result that a replay must reproduce. */
export function outcomeOf({ stopReason, limit, text, turns, output, error, calls }: AgentResult): TapedOutcome {
  return {
    stopReason,
    ...(limit && { limit }),
    text,
    turns,
    ...(output !== undefined && { output: JSON.parse(JSON.stringify(output)) as unknown }),
    ...(error && { error: error.code }),
    calls: calls.map(({ call, result }) => [call.id, call.name, result.ok ? 'ok' : result.error.code]),
  };
}

type Put = (line: TapeLine) => void;

function dataOfOutput({ output, model }: RunAgentOptions): object {
  const { schema, strategy, maxAnswers } = output!;
  const chosen = typeof strategy === 'function' ? strategy(model) : strategy;
  return {
    schema: compileSchema(schema).jsonSchema,
    ...(chosen && { strategy: chosen }),
    ...(maxAnswers !== undefined && { maxAnswers }),
  };
}

function recordModel(model: Model, put: Put): Model {
  let sent: readonly Message[] = [];
  return {
    name: model.name,
    ...(model.vendor !== undefined && { vendor: model.vendor }),
    ...(model.supports && { supports: model.supports }),
    async *generate(request) {
      const { messages, tools, toolChoice, responseSchema } = request;
      const from = commonLength(sent, messages);
      sent = [...messages];
      put({
        type: 'request',
        from,
        messages: await storeMessages(messages.slice(from)),
        tools: tools.map((tool) => tool.name),
        ...(toolChoice !== undefined && { toolChoice }),
        hasSchema: responseSchema !== undefined,
      });
      let hasFinished = false;
      try {
        for await (const event of model.generate(request)) {
          put({ type: 'model', event });
          hasFinished = event.type === 'finish';
          yield event;
        }
        if (!hasFinished) put({ type: 'model-ended' });
        hasFinished = true;
      } catch (thrown) {
        const { cause: _, ...error } = asModelError(thrown);
        // An exception after an abort is not a failure of the model.
        put(request.signal?.aborted ? { type: 'model-broken' } : { type: 'model-broken', error });
        hasFinished = true;
        throw thrown;
      } finally {
        if (!hasFinished) put({ type: 'model-broken' });
      }
    },
  };
}

function commonLength(one: readonly Message[], other: readonly Message[]): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function recordSource(source: ToolSource, put: Put): ToolSource {
  let shown: ToolSnapshot | undefined;
  return {
    snapshot: () => source.snapshot(),
    async visibleTo(model) {
      const snapshot = await source.visibleTo(model);
      if (snapshot === shown) put({ type: 'tools' });
      else put({ type: 'tools', tools: snapshot.tools.map((tool) => tapeTool(tool, snapshot)) });
      shown = snapshot;
      return snapshot;
    },
    dispatch: (call, context) => source.dispatch(call, context),
    async dispatchBatch(calls, context) {
      put({ type: 'calls', calls });
      const order: number[] = [];
      const results = await source.dispatchBatch(calls, {
        ...context,
        onResult: (result, index) => {
          order.push(index);
          context?.onResult?.(result, index);
        },
      });
      put({ type: 'results', results: await Promise.all(results.map((result) => toStoredResult(result))), order });
      return results;
    },
    ...(source.forgetTask && { forgetTask: (taskId: string) => source.forgetTask?.(taskId) }),
  };
}

function tapeTool(tool: Parameters<typeof asModelTool>[0], snapshot: ToolSnapshot): object & TapeTool {
  const { name, description, inputSchema } = asModelTool(tool);
  const { aliases } = tool;
  return {
    name,
    description,
    inputSchema,
    provider: snapshot.providerFor(name) ?? '',
    ...(Object.keys(aliases).length > 0 && { aliases }),
  };
}

type TapeTool = NonNullable<Extract<TapeLine, { readonly type: 'tools' }>['tools']>[number];

function recordSteering(steer: NonNullable<RunAgentOptions['steer']>, put: Put): typeof steer {
  let drains = 0;
  let looks = 0;
  return {
    get size() {
      const { size } = steer;
      looks += 1;
      if (size > 0) put({ type: 'waiting', nth: looks, size });
      return size;
    },
    steer: (text, about) => steer.steer(text, about),
    peek: () => steer.peek(),
    close: () => steer.close(),
    drain() {
      const messages = steer.drain();
      drains += 1;
      if (messages.length > 0) put({ type: 'steer', nth: drains, messages });
      return messages;
    },
  };
}

function recordShape(
  shape: NonNullable<RunAgentOptions['shapeHistory']>,
  put: Put,
): NonNullable<RunAgentOptions['shapeHistory']> {
  let nth = 0;
  return async (messages, about) => {
    nth += 1;
    const mine = nth;
    const shaped = await shape(messages, about);
    if (shaped !== undefined && shaped !== messages)
      put({ type: 'shaped', nth: mine, messages: await storeMessages(shaped) });
    return shaped;
  };
}
