import type { Model } from '@haft/core';
import { scriptedModel } from '@haft/runner/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { definePrompt } from '../prompts/define-prompt.ts';
import { createToolkit } from '../toolkit/create-toolkit.ts';

const prompt = definePrompt({
  name: 'ponder',
  description: 'Thinks about a question.',
  template: 'Think.',
  thinking: true,
  thinkingBudget: 2_000,
});

describe('thinking and thinking_budget of a prompt', () => {
  it('reach the model when the prompt is called by name and as a tool of another prompt', async () => {
    const outer = definePrompt({ name: 'outer', description: 'Asks ponder.', template: 'Ask.', tools: ['ponder'] });
    const scripted = scriptedModel(['Done.', { calls: [{ name: 'ponder' }] }, 'Done.', 'Done.']);
    const model: Model = {
      name: scripted.name,
      supports: ['thinking', 'thinkingBudget'],
      generate: (request) => scripted.generate(request),
    };
    const toolkit = await createToolkit({
      builtins: false,
      model,
      prompts: [prompt, outer],
      permissionMode: 'allow',
    });
    onTestFinished(() => toolkit.dispose());
    expect(await toolkit.call('ponder')).toMatchObject({ ok: true, run: { diagnostics: [] } });
    await toolkit.call('outer');
    const asked = scripted.requests.map(({ thinking, thinkingBudget }) => [thinking, thinkingBudget]);
    expect(asked).toEqual([
      [true, 2_000],
      [undefined, undefined],
      [true, 2_000],
      [undefined, undefined],
    ]);
  });

  it('are reported as dropped if the model does not support them', async () => {
    const toolkit = await createToolkit({ builtins: false, model: scriptedModel(['Done.']), prompts: [prompt] });
    onTestFinished(() => toolkit.dispose());
    expect(await toolkit.call('ponder')).toMatchObject({
      run: { diagnostics: [{ kind: 'option-dropped' }, { kind: 'option-dropped' }] },
    });
  });
});
