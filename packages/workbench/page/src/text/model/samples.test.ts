import { describe, expect, test } from 'vitest';
import { readTools, readSchema } from './declarations.ts';
import { readText, type Reading } from './read-text.ts';
import { sampleTools, samples } from './samples.ts';

function readSample(id: string): Reading {
  const { text, schema = '', stopped = '' } = samples.find((sample) => sample.id === id)!;
  const tools = readTools(sampleTools);
  const declared = readSchema(schema);
  if (!tools.ok || !declared.ok) throw new Error('a sample is declared wrongly');
  return readText({ text, stopped, tools: tools.value, schema: declared.value });
}

describe('the samples', () => {
  test('have unique names and ids', () => {
    expect(new Set(samples.map(({ id }) => id)).size).toBe(samples.length);
    expect(new Set(samples.map(({ name }) => name)).size).toBe(samples.length);
  });

  test('show a value with repairs', () => {
    expect(readSample('broken').value).toMatchObject({
      ok: true,
      complete: true,
      value: { name: 'billing-api', ports: [8080, 8443], labels: { team: 'payments', tier: 'gold' }, debug: false },
    });
    expect(readSample('quotes').value).toMatchObject({
      ok: true,
      value: { content: expect.stringContaining('console.log("Hello, " + name + "!");') },
    });
    expect(readSample('schema').value).toMatchObject({ ok: true, value: { file: 'C:\\new\\table.txt' } });
  });

  test('show a cut value', () => {
    expect(readSample('cut').value).toMatchObject({ ok: true, risk: 'truncated', complete: false });
  });

  test.each([
    ['tags', ['read', 'bash']],
    ['python', ['search', 'read']],
    ['fence', ['write']],
    ['encoded', ['write']],
    ['refused', []],
  ])('show the calls of %s', (id, names) => {
    expect(readSample(id).extraction.calls.map(({ name }) => name)).toEqual(names);
  });

  test('show rejected calls with reasons', () => {
    const reasons = readSample('refused').extraction.rejected.map(({ name, reason }) => [name, reason]);
    expect(reasons).toEqual([
      ['launch', 'unknown_tool'],
      ['write', 'incomplete'],
    ]);
  });
});
