import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { defineTool, eraseTool } from '../../define/define-tool.ts';
import { body, code, run } from '../../fixtures/run-call.ts';
import { renderForModel } from '../../results/render-for-model.ts';
import { success } from '../../results/tool-result.ts';

const hit = z.object({ file: z.string(), line: z.number() });

/** Creates a search tool that renders its results as lines. */
const find = (more: Partial<AnyTool> = {}): AnyTool => ({
  ...eraseTool(
    defineTool({
      name: 'find',
      description: 'Finds.',
      kind: 'read',
      input: z.strictObject({ query: z.string() }),
      output: z.array(hit),
      outputModes: true,
      renderModel: (hits, { query }) =>
        `${hits.length} for ${query}\n${hits.map((one) => `${one.file}:${one.line}`).join('\n')}`,
      execute: () => [
        { file: 'a.ts', line: 1 },
        { file: 'b.ts', line: 2 },
      ],
    }),
  ),
  ...more,
});
const text = async (args: unknown, tool = find()): Promise<string> => renderForModel((await run(args, [tool])).result);
const json = '[{"file":"a.ts","line":1},{"file":"b.ts","line":2}]';

describe('renderModel', () => {
  it('renders a structured result for the model and keeps the structured value for programs', async () => {
    const { result } = await run({ query: 'x' }, [find()]);
    expect(renderForModel(result)).toBe('2 for x\na.ts:1\nb.ts:2');
    expect(result.structured).toEqual([
      { file: 'a.ts', line: 1 },
      { file: 'b.ts', line: 2 },
    ]);
  });

  it('renders only results that have a structured value and no content', async () => {
    const words = { renderModel: () => 'in words' };
    const bare = find({ ...words, execute: (_, { callId }) => success(callId, undefined, { structured: [] }) });
    expect(await text({ query: 'x' }, bare)).toBe('in words');
    const worded = find({ ...words, execute: (_, { callId }) => success(callId, 'my own', { structured: [] }) });
    expect(await text({ query: 'x' }, worded)).toBe('my own');
    expect(await text({ query: 'x' }, find({ ...words, execute: () => 'only text' }))).toBe('only text');
  });

  it('receives only output that matches the output schema', async () => {
    let seen = 0;
    const tool = find({
      execute: () => [{ file: 5 }],
      renderModel: () => {
        seen += 1;
        return '';
      },
    });
    expect(code(await run({ query: 'x' }, [tool]))).toBe('OUTPUT_INVALID');
    expect(seen).toBe(0);
  });

  it('causes a host fault if it throws, or returns a promise or an invalid value', async () => {
    for (const renderModel of [
      () => {
        throw new Error('no words');
      },
      () => Promise.reject(new Error('no words')),
      () => [{ type: 'text' }],
      () => ({ type: 'text', text: 5 }),
    ]) {
      const outcome = await run({ query: 'x' }, [find({ renderModel: renderModel as never })]);
      expect(outcome.result).toMatchObject({ ok: false, error: { code: 'OUTPUT_INVALID', fault: 'host' } });
    }
  });

  it('returns a text that is cut to the limit like any other', async () => {
    const { result } = await run({ query: 'x' }, [find({ renderModel: () => 'y'.repeat(1_000) })], {
      maxResultCharacters: 100,
    });
    expect(renderForModel(result).length).toBeLessThan(250);
  });
});

describe('output modes', () => {
  it('let the model choose between rendered text and JSON', async () => {
    expect(await text({ query: 'x' })).toContain('2 for x');
    expect(await text({ query: 'x', output: 'labeled' })).toContain('2 for x');
    expect(await text({ query: 'x', output: null })).toContain('2 for x');
    expect(await text({ query: 'x', output: 'json' })).toBe(json);
    expect(await text('{query: "x", output: "JSON"}')).toBe(json);
    expect(await text({ query: 'x', output: 'yaml' })).toMatch(/output/);
  });

  it("are part of the model's schema, after the arguments of the tool", () => {
    const { jsonSchema } = find().input;
    expect(typeof jsonSchema === 'object' && Object.keys(jsonSchema.properties ?? {})).toEqual(['query', 'output']);
    expect(jsonSchema).toMatchObject({ required: ['query'], properties: { output: { enum: ['labeled', 'json'] } } });
  });

  it('report all issues at once', async () => {
    const { result } = await run({ output: 'yaml' }, [find()]);
    expect(!result.ok && result.error.issues?.map(({ path }) => path)).toEqual(['$.query', '$.output']);
  });

  it('work with asynchronous validation', async () => {
    const tool = defineTool({
      name: 'slow',
      description: 'd',
      kind: 'read',
      input: z.object({ id: z.string().refine(async (id) => id !== '') }),
      outputModes: true,
      renderModel: () => 'in words',
      execute: ({ id }) => ({ id }),
    });
    expect(await text({ id: 'a', output: 'json' }, tool as AnyTool)).toBe('{"id":"a"}');
  });

  it('do not change a tool without them', async () => {
    const tool = body((args) => args, { renderModel: () => 'in words' });
    expect(await text({ output: 'json' }, tool)).toBe('in words');
  });

  it('are rejected where they cannot work', () => {
    const base = { name: 't', description: 'd', outputModes: true, execute: () => ({}) } as const;
    expect(() => defineTool(base)).toThrow(/outputModes needs renderModel/);
    const renderModel = (): string => '';
    expect(() => defineTool({ ...base, renderModel, input: z.object({ output: z.string() }) })).toThrow(/output/);
    expect(defineTool({ ...base, renderModel }).input.jsonSchema).toMatchObject({ properties: { output: {} } });
  });
});
