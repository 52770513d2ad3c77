import { describe, expect, it } from 'vitest';
import { defineTool, HaftError, type AnyTool, type Message } from '@haft/core';
import { runAgent, type AgentEvent, type RunAgentOptions } from '../index.ts';
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

describe('runAgent refuses, and says what it expected of', () => {
  it.each([
    [undefined, 'its argument must be an object such as { model, tools, prompt }, not undefined'],
    [{ model: undefined }, /model must be a Model: .*fromAiSdkModel.* not undefined/],
    [{ model: { name: 'm' } }, 'model must be a Model'],
    [{ model: 'gpt' }, 'not "gpt"'],
    [{ prompt: 5 }, 'prompt must be a string, not 5'],
    [{ prompt: undefined }, 'needs a prompt, messages, or both'],
    [{ messages: 'hi' }, 'messages must be a list of messages, not "hi"'],
    [
      messages({ role: 'usr', content: 'x' }),
      'messages[0].role must be one of system, user, assistant, tool, not "usr"',
    ],
    [messages({ role: 'user', content: 'x' }, null), 'messages[1] must be an object'],
    [messages({ role: 'user' }), 'messages[0].content must be a string or a list of content parts, not undefined'],
    [messages({ role: 'assistant', content: [] }), 'messages[0].content must be a string, not a list'],
    [
      messages({ role: 'assistant', content: '', toolCalls: [{ name: 'x' }] }),
      'messages[0].toolCalls must be a list of',
    ],
    [messages({ role: 'tool', content: [] }), 'messages[0].callId must be the id'],
    [{ tools: { read } }, 'tools must be a registry, a dispatcher or a list of tools, not an object'],
    [{ allow: ['read'] }, 'allow must be an object such as'],
    [{ allow: { tools: 'read' } }, 'allow must be an object such as'],
    [{ requiredTools: 'read' }, 'requiredTools must be a list of names'],
    [{ onLimit: 'stop' }, 'onLimit must be "finish" or "error", not "stop"'],
    [{ textCalls: true }, 'textCalls must be'],
    [{ onEvent: {} }, 'onEvent must be a function, not an object'],
    [{ idleTimeoutMs: 0 }, 'idleTimeoutMs must be a number above 0, not 0'],
    [{ maxToolIterations: 1.5 }, 'maxToolIterations must be a whole number of requests, not 1.5'],
    [{ maxToolIterations: -1 }, 'maxToolIterations must be'],
  ])('%j', async (wrong, expected) => {
    const model = scriptedModel(['never said']);
    expect(await refusal(wrong && { model, prompt: 'Go', ...wrong })).toMatch(
      typeof expected === 'string' ? new RegExp(expected.replace(/[[\](){}.|?*+^$\\]/g, '\\$&')) : expected,
    );
    expect(model.requests).toEqual([]);
  });

  it('nothing that is right', async () => {
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

it('a tool that is allowed and not there is a remark, with the name it was meant to be', async () => {
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
      message: 'allow.tools names "readfile", which is not there now; did you mean read_file?',
    },
    { kind: 'unknown-tool', turn: 0, message: 'allow.tools names "nope", which is not there now' },
  ]);
  expect(events.filter((event) => event.type === 'diagnostic')).toHaveLength(2);
  expect(result.calls[0]!.result.ok).toBe(true);
});
