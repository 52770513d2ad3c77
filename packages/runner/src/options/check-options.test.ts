import { describe, expect, it } from 'vitest';
import { defineTool, HaftError, type AnyTool, type Message } from '@haft/core';
import {
  compactHistory,
  createAgent,
  createHistoryCompactor,
  createHooks,
  createMemo,
  createSpecializedLoop,
  createSteerQueue,
  createSubagents,
  guardCalls,
  limitFanOut,
  openSessions,
  readBeforeWrite,
  requireWork,
  runAgent,
  shellPolicy,
  stopDoomLoops,
  stopRepeatedFailures,
  verifyByCommand,
  verifyChanges,
  type AgentEvent,
  type RunAgentOptions,
} from '../index.ts';
import { scriptedModel } from '../testing.ts';

const read = defineTool({
  name: 'read_file',
  description: 'Reads.',
  kind: 'read',
  input: { type: 'object' },
  execute: () => 'text',
}) as AnyTool;

async function refusal(options: unknown): Promise<string> {
  const error: unknown = await runAgent(options as RunAgentOptions).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(HaftError);
  expect(error).toMatchObject({ code: 'INVALID_OPTION' });
  return (error as HaftError).message;
}

const messages = (...given: readonly unknown[]): object => ({ messages: given, prompt: undefined });

describe('the options of runAgent', () => {
  it.each([
    [undefined, 'its argument is not valid (expected an object such as { model, tools, prompt }, got undefined)'],
    [
      { model: undefined },
      'model is missing (expected a Model: an object with a name and a method generate, such as aiSdkModel(…))',
    ],
    [{ model: { name: 'm' } }, 'model is not valid (expected a Model'],
    [
      { model: { specificationVersion: 'v4', doGenerate() {}, doStream() {} } },
      'model is not a Model (wrap a model of the AI SDK: aiSdkModel(model) of @haft/ai-sdk)',
    ],
    [{ model: 'gpt' }, 'got "gpt"'],
    [{ model: 'sk-abcdefghijklmnop1234' }, 'got "[redacted]"'],
    [{ maxToolIteration: 3 }, 'maxToolIteration is not an option (did you mean maxToolIterations?)'],
    [{ systemprompt: 's' }, 'systemprompt is not an option (did you mean systemPrompt?)'],
    [{ prompt: 5 }, 'prompt is not valid (expected a string, got 5)'],
    [{ prompt: undefined }, 'prompt is missing (expected a prompt, messages, or both)'],
    [{ messages: 'hi' }, 'messages is not valid (expected a list of messages, got "hi")'],
    [
      messages({ role: 'usr', content: 'x' }),
      'messages[0].role is not valid (expected "system", "user", "assistant" or "tool", got "usr")',
    ],
    [
      messages({ role: 'user', content: 'x' }, null),
      'messages[1] is not valid (expected an object such as { role, content }, got null)',
    ],
    [messages({ role: 'user' }), 'messages[0].content is missing (expected a string or a list of content parts)'],
    [messages({ role: 'assistant', content: [] }), 'messages[0].content is not valid (expected a string, got a list)'],
    [
      messages({ role: 'assistant', content: '', toolCalls: [{ name: 'x' }] }),
      'messages[0].toolCalls[0].id is missing (expected a string)',
    ],
    [messages({ role: 'tool', content: [] }), 'messages[0].callId is missing (expected a string)'],
    [{ tools: { read } }, 'tools is not valid (expected a registry, a dispatcher or an array of tools, got an object)'],
    [{ allow: ['read'] }, 'allow is not valid (expected an object such as'],
    [{ allow: { tools: 'read' } }, 'allow.tools is not valid (expected a list of names, got "read")'],
    [{ allow: { provider: [] } }, 'allow.provider is not an option (did you mean providers?)'],
    [{ requiredTools: 'read' }, 'requiredTools is not valid (expected a list of names, got "read")'],
    [{ onLimit: 'stop' }, 'onLimit is not valid (expected "finish" or "error", got "stop")'],
    [{ textCalls: true }, 'textCalls is not valid (expected "extract" or "ignore", got true)'],
    [{ onEvent: {} }, 'onEvent is not valid (expected a function, got an object)'],
    [{ idleTimeoutMs: 0 }, 'idleTimeoutMs is not valid (expected a number of milliseconds above 0, got 0)'],
    [{ maxToolIterations: 1.5 }, 'maxToolIterations is not valid (expected a whole number from 0, got 1.5)'],
    [{ maxToolIterations: -1 }, 'maxToolIterations is not valid'],
    [{ limits: { toolCall: 5 } }, 'limits.toolCall is not an option (did you mean toolCalls?)'],
    [{ retries: { max: '3' } }, 'retries.max is not valid (expected a number from 0, got "3")'],
    [{ temperature: 'hot' }, 'temperature is not valid (expected a number, got "hot")'],
    [{ signal: new AbortController() }, 'signal is not valid (expected an AbortSignal, got an object)'],
  ])('are rejected with the value that was expected: %j', async (wrong, expected) => {
    const model = scriptedModel(['never said']);
    expect(await refusal(wrong && { model, prompt: 'Go', ...wrong })).toContain(expected);
    expect(model.requests).toEqual([]);
  });

  it('are accepted if they are valid', async () => {
    const conversation: readonly Message[] = [
      { role: 'system', content: 's' },
      { role: 'user', content: [{ type: 'text', text: 'u' }] },
      { role: 'assistant', content: '', toolCalls: [{ id: '1', name: 'x', arguments: 'broken' }] },
      { role: 'tool', callId: '1', name: 'x', content: [], isError: true },
      { role: 'user', content: '' },
    ];
    const options = { messages: conversation, maxToolIterations: 0, allow: { providers: ['local'] }, retries: {} };
    expect(await runAgent({ model: scriptedModel(['Hello.']), ...options })).toMatchObject({ text: 'Hello.' });
  });
});

const model = scriptedModel([]);
const cwd = '/project';

describe('an unknown option is rejected by', () => {
  it.each<readonly [string, () => unknown, string]>([
    [
      'createAgent',
      () => createAgent({ model, systemPromt: 's' } as never),
      'systemPromt is not an option (did you mean systemPrompt?)',
    ],
    ['createAgent', () => createAgent({ model, prompt: 's' } as never), 'prompt is not an option'],
    ['createAgent', () => createAgent({} as never), 'model is missing'],
    [
      'createAgent',
      () => createAgent({ model, steering: { maxMessages: 0 } }),
      'steering.maxMessages is not valid (expected a number from 1, got 0)',
    ],
    [
      'createSteerQueue',
      () => createSteerQueue({ maxMesages: 1 } as never),
      'maxMesages is not an option (did you mean maxMessages?)',
    ],
    [
      'createSpecializedLoop',
      () => createSpecializedLoop({ model, scema: {} } as never),
      'scema is not an option (did you mean schema?)',
    ],
    [
      'createHooks',
      () => createHooks([], { loger: console } as never),
      'loger is not an option (did you mean logger?)',
    ],
    ['openSessions', () => openSessions({ stor: {} } as never), 'stor is not an option (did you mean store?)'],
    [
      'createSubagentRunner',
      () => createSubagents({ model, source: () => undefined, type: {} } as never),
      'type is not an option (did you mean types?)',
    ],
    [
      'createSubagentRunner',
      () => createSubagents({ model, source: () => 0, types: { a: {} } } as never),
      'types.a.description is missing',
    ],
    [
      'createHistoryCompactor',
      () => createHistoryCompactor({ atToken: 5 } as never),
      'atToken is not an option (did you mean atTokens?)',
    ],
    ['createMemo', () => createMemo({ repeat: 'serve' } as never), 'repeat is not an option (did you mean repeats?)'],
    ['guardCalls', () => guardCalls([], { disable: [] } as never), 'disable is not an option (did you mean disabled?)'],
    ['limitFanOut', () => limitFanOut({ ls: -1 }), 'caps.ls is not valid (expected a whole number from 0, got -1)'],
    [
      'readBeforeWrite',
      () => readBeforeWrite({ cwd, exist: () => true } as never),
      'exist is not an option (did you mean exists?)',
    ],
    [
      'shellPolicy',
      () => shellPolicy({ parser: () => undefined } as never),
      'parser is not an option (did you mean parse?)',
    ],
    [
      'stopDoomLoops',
      () => stopDoomLoops({ advise: 1 } as never),
      'advise is not an option (did you mean adviseAfter?)',
    ],
    [
      'stopRepeatedFailures',
      () => stopRepeatedFailures({ blockafter: 1 } as never),
      'blockafter is not an option (did you mean blockAfter?)',
    ],
    [
      'verifyChanges',
      () => verifyChanges([], { timeout: 1 } as never),
      'timeout is not an option (did you mean timeoutMs?)',
    ],
    [
      'verifyByCommand',
      () => verifyByCommand({ command: 'x', cwd, process: {} } as never),
      'process is not an option (did you mean processes?)',
    ],
    [
      'requireWork',
      () => requireWork({ maxReminder: 1 } as never),
      'maxReminder is not an option (did you mean maxReminders?)',
    ],
  ])('%s', (owner, make, message) => {
    expect(make).toThrow(`${owner}: ${message}`);
    expect(make).toThrow(expect.objectContaining({ name: 'HaftError', code: 'INVALID_OPTION' }));
  });

  it('compactHistory', async () => {
    await expect(compactHistory([], { keeps: 5 } as never)).rejects.toThrow(
      'compactHistory: keeps is not an option (did you mean keep?)',
    );
  });
});

it('reports an allowed tool that does not exist, with the nearest name', async () => {
  const events: AgentEvent[] = [];
  const result = await runAgent({
    model: scriptedModel([{ calls: [{ name: 'read_file' }] }, 'Done.']),
    tools: [read],
    prompt: 'Go',
    allow: { tools: ['read_file', 'readfile', 'nope'] },
    onEvent: (event) => events.push(event),
  });
  expect(result.diagnostics).toEqual([
    {
      kind: 'unknown-tool',
      turn: 0,
      message: 'allow.tools: "readfile" is not available; did you mean read_file?',
    },
    { kind: 'unknown-tool', turn: 0, message: 'allow.tools: "nope" is not available' },
  ]);
  expect(events.filter((event) => event.type === 'diagnostic')).toHaveLength(2);
  expect(result.calls[0]!.result.ok).toBe(true);
});
