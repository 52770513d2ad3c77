import { describe, expect, it } from 'vitest';
import { renderForModel } from '../../results/render-for-model.ts';
import { readCall } from './read-call.ts';
import { body, run } from '../../fixtures/run-call.ts';
import { createDispatcher } from '../dispatcher.ts';
import { allowAll } from '../../workspace/permission-engines.ts';

describe('a call in the shape of another framework', () => {
  it('is detected, and the message shows the expected format', () => {
    expect(readCall({ toolCallId: '1', toolName: 'a', input: {} }).problem).toContain('call.toolName');
    expect(readCall({ id: '1', function: { name: 'a', arguments: '{}' } }).problem).toContain('call.function.name');
    expect(readCall({ id: '1', name: 'a', input: {} }).problem).toContain('`input` instead of `arguments`');
  });

  it('is detected by the second ID of the OpenAI Responses API, because results are matched by that ID', async () => {
    const item = { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'echo', arguments: '{}' };
    expect(readCall(item).problem).toContain('{ id: call.call_id, name: call.name, arguments: call.arguments }');
    const tool = body(() => 'ran');
    const dispatcher = createDispatcher({ registry: [tool], permission: allowAll });
    const result = await dispatcher.dispatch({ ...item, name: tool.name });
    expect(result.ok).toBe(false);
    expect(!result.ok && result.error.message).toContain('OpenAI Responses');
    expect((await dispatcher.dispatch({ ...item, id: 'call_1', name: tool.name })).ok).toBe(true);
  });
});

describe('the reason why the model stopped', () => {
  it.each([
    ['tool_calls', '"tool_calls"'],
    [5, '5'],
    [null, 'null'],
  ])('blames the program if it is %o', async (stopped, shown) => {
    const dispatcher = createDispatcher({ registry: [body(() => 'ran')] });
    const call = { id: '1', name: 'body', arguments: '{"city": "Bern"', stopped } as never;
    expect(await dispatcher.dispatch(call)).toMatchObject({
      ok: false,
      error: {
        code: 'EXECUTION_ERROR',
        fault: 'host',
        message: `the call of body can't run: stopped is not valid (expected "stop" if the model ended its message by itself, and otherwise "length", got ${shown})`,
      },
    });
  });
});

describe('text that is not valid JSON', () => {
  it('is reported to the model once, with its position', async () => {
    const { result } = await run(']]]');
    const text = renderForModel(result);
    expect(text).toContain('line 1, column 1');
    expect(text.match(/line 1/g)).toHaveLength(1);
    expect(text.match(/expected/g)).toHaveLength(1);
  });
});
