import { describe, expect, it } from 'vitest';
import { tool } from 'ai';
import { z } from 'zod';
import { HaftError } from '@haft/core';
import { aiSdkModel, fromAiSdkTools, toAiSdkTools } from '../index.ts';

const ping = tool({ description: 'Answers.', inputSchema: z.object({}), execute: () => 'pong' });
const model = { specificationVersion: 'v4', modelId: 'm', provider: 'p', doStream: () => undefined };

describe('invalid options are rejected by', () => {
  it.each<readonly [string, () => unknown, string]>([
    [
      'aiSdkModel',
      () => aiSdkModel('openai/gpt-5' as never),
      'its first argument is not valid (expected a language model of an AI SDK provider',
    ],
    ['aiSdkModel', () => aiSdkModel('sk-abcdefghijklmnop1234' as never), 'such as openai("gpt-5"), got "[redacted]")'],
    ['aiSdkModel', () => aiSdkModel(undefined as never), 'its first argument is not valid'],
    [
      'aiSdkModel',
      () => aiSdkModel(model as never, { nam: 'x' } as never),
      'nam is not an option (did you mean name?)',
    ],
    ['aiSdkModel', () => aiSdkModel(model as never, { dialect: 'gpt' } as never), 'dialect is not valid (expected "'],
    [
      'aiSdkModel',
      () => aiSdkModel(model as never, { settings: 5 } as never),
      'settings is not valid (expected an object such as { topP: 0.9 }, got 5)',
    ],
    [
      'toAiSdkTools',
      () => toAiSdkTools({ read: {} } as never),
      'its first argument is not valid (expected a registry, a dispatcher or an array of tools, got an object)',
    ],
    [
      'toAiSdkTools',
      () => toAiSdkTools({ ping } as never),
      'got an object): for tools of the AI SDK, pass `await fromAiSdkTools({ … })` of @haft/ai-sdk',
    ],
    ['toAiSdkTools', () => toAiSdkTools(fromAiSdkTools({ ping }) as never), 'got a promise: await it)'],
    [
      'toAiSdkTools',
      () => toAiSdkTools([], { permission: { ask: () => ({ action: 'allow' }), rules: [] } } as never),
      'permission is not an engine (pass createPermissionEngine({ ask, rules }) of @haft/permission)',
    ],
    [
      'toAiSdkTools',
      () => toAiSdkTools([], { permissions: {} } as never),
      'permissions is not an option (did you mean permission?)',
    ],
    [
      'toAiSdkTools',
      () => toAiSdkTools([], { fileTypes: 'text/*' } as never),
      'fileTypes is not valid (expected a list of media types, got "text/*")',
    ],
    ['toAiSdkTools', () => toAiSdkTools([], { dialect: 'strict' } as never), 'dialect is not valid'],
  ])('%s', (owner, make, message) => {
    expect(make).toThrow(HaftError);
    expect(make).toThrow(expect.objectContaining({ code: 'INVALID_OPTION' }));
    expect(make).toThrow(message);
    expect(make).toThrow(new RegExp(`^${owner}: `));
  });

  it('toAiSdkTools, for a list of AI SDK tools', () => {
    expect(() => toAiSdkTools([ping] as never)).toThrow(
      "can't register undefined: for tools of the AI SDK, pass `await fromAiSdkTools({ … })` of @haft/ai-sdk",
    );
  });

  it('fromAiSdkTools', async () => {
    await expect(fromAiSdkTools({}, { timeout: 5 } as never)).rejects.toThrow(
      'fromAiSdkTools: timeout is not an option (did you mean timeoutMs?)',
    );
    await expect(fromAiSdkTools([] as never)).rejects.toThrow('its first argument is not valid');
  });
});
