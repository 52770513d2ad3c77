import { describe, expect, it } from 'vitest';
import { explainSpan } from './explain-span.ts';
import { readText } from './read-text.ts';

const tools = [
  { name: 'ls', parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] } },
] as const;

function explain(text: string, id: string): string {
  const reading = readText({ text, tools, schema: undefined, stopped: 'stop' });
  const found = explainSpan(reading, text, id);
  return `${found?.title}: ${found?.why}`;
}

describe('explainSpan', () => {
  it('says why a call counts, with the mark that it begins with', () => {
    expect(explain('Look:\n<tool_call>{"name": "ls", "arguments": {"path": "a"}}</tool_call>', 'call-0')).toBe(
      'A call of ls: It begins with <tool_call>. This counts as a call, except in the middle of a sentence or as an example.',
    );
    expect(explain('{"name": "ls", "arguments": {"path": "a"}}', 'call-0')).toContain(
      'It has no mark around it. It counts, because it names a declared tool with every required argument, and nothing else is in the text.',
    );
    expect(explain('I look first.\n\n{"name": "ls", "arguments": {"path": "a"}}', 'call-0')).toContain(
      'and the text ends with it.',
    );
  });

  it('says what a repair changed, and why', () => {
    expect(explain('{"name": "ls", "arguments": {"path": "a",}}', 'call-0-0')).toBe(
      ', → left out (safe): JSON allows no comma before a closing bracket, so it was left out.',
    );
    expect(explain("{'a': 1}", 'value-0')).toContain('in single quotes');
  });

  it('says why text that looks like a call was not read as one', () => {
    expect(explain('<tool_call>{"name": "launch", "arguments": {}}</tool_call>', 'rejected-0')).toBe(
      'A call of launch was not read: It was rejected, because no declared tool has this name.',
    );
  });

  it('says why a text has no value', () => {
    expect(explain('{"path": "a", "options": {"all": true}, oops}', 'stopped')).toContain('Reading stopped here: ');
  });

  it('knows no other span', () => {
    for (const id of ['call-9', 'call-0-9', 'value-9', 'rejected-9', 'stopped'])
      expect(explain('[1]', id)).toBe('undefined: undefined');
  });
});
