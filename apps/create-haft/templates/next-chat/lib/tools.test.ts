import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { repairToolCall } from '@haft/ai-sdk';
import { createDispatcher, renderForModel } from '@haft/core';
import { generateText, isStepCount } from 'ai';
import { chooseModel } from './choose-model.ts';
import { createTools } from './create-tools.ts';
import { createScriptedModel } from './scripted-model.ts';
import { getTemperature } from './tools/get-temperature.ts';

describe('get_temperature', () => {
  const source = createDispatcher({ registry: [getTemperature] });
  const call = async (given: unknown): Promise<string> =>
    renderForModel(await source.dispatch({ id: 'call_1', name: 'get_temperature', arguments: given }));

  it('returns the temperature in the given unit', async () => {
    assert.equal(await call({ city: 'Oslo' }), 'Oslo: -3 °C');
    assert.equal(await call("{city: 'Rome', unit: 'fahrenheit',}"), 'Rome: 57 °F');
  });

  it('tells the model which cities it knows', async () => {
    assert.match(await call({ city: 'Bern' }), /UNKNOWN_CITY[^]*Use one of oslo, rome/);
  });
});

describe('the loop of the AI SDK', () => {
  it('runs a call with broken JSON', async () => {
    const { text, steps } = await generateText({
      model: createScriptedModel(),
      tools: createTools(),
      repairToolCall,
      stopWhen: isStepCount(5),
      prompt: 'How warm is it?',
    });
    assert.deepEqual(
      steps[0]?.toolCalls.map(({ input }) => input),
      [{ city: 'Oslo' }, { city: 'Rome', unit: 'celsius' }],
    );
    assert.match(text, /Oslo: -3 °C; Rome: 14 °C/);
  });
});

describe('chooseModel', () => {
  it('uses any OpenAI-compatible server, and says which variable is missing', () => {
    assert.equal(
      chooseModel({ MODEL_URL: 'http://localhost:11434/v1', MODEL_NAME: 'qwen3' }).description,
      'qwen3 at http://localhost:11434/v1',
    );
    assert.throws(() => chooseModel({ MODEL_URL: 'http://localhost:11434/v1' }), /MODEL_NAME is missing/);
  });
});
