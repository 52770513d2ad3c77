import { extractToolCalls, repairJson } from '@haft/repair';
import { expect, it } from 'vitest';
import { changeOf } from './replacement-of.ts';

it('names the text and its replacement', () => {
  const result = repairJson("{'a': 1,}");
  expect(result.ok && result.repairs.map(changeOf)).toEqual([
    { from: "'a'", to: '"a"' },
    { from: ',', to: '' },
  ]);
});

it('names no replacement for text that is kept', () => {
  const cut = repairJson('{"title": "Rel', { stopped: 'length' });
  expect(cut.ok && cut.repairs.map(changeOf)).toContainEqual({ from: '"Rel' });
});

it('names the call if all of its arguments were fitted', () => {
  const parameters = { type: 'object', properties: { dir_name: { type: 'string' } }, required: ['dir_name'] } as const;
  const text = '<tool_call>{"name": "ls", "arguments": {"dirName": "a"}}</tool_call>';
  const { calls } = extractToolCalls(text, { tools: [{ name: 'ls', parameters }] });
  expect(calls[0]?.repairs.map(({ code }) => code)).toEqual(['argument-name']);
  expect(calls[0]?.repairs.map(changeOf)).toEqual([{ from: 'the call' }]);
});
