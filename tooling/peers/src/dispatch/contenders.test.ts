import { describe, expect, it } from 'vitest';

import type { MakeWork } from '@haft-tooling/measure';

const contenders = ['haft', 'bare', 'ai-sdk-tool', 'ai-sdk-generate', 'langchain', 'mcp-sdk-1', 'mcp-sdk-2'];

async function load(name: string): Promise<{ readonly default: MakeWork }> {
  const { href } = new URL(`${name}.ts`, import.meta.url);
  return (await import(href)) as { readonly default: MakeWork };
}

/** Each contender checks its own answer and throws if it is wrong, so a run that resolves has done the work. */
describe('the contenders of the dispatch benchmark', { timeout: 60_000 }, () => {
  it.each(contenders)('%s returns the expected result', async (name) => {
    const { default: makeWork } = await load(name);
    const work = await makeWork({ tools: 3 });
    await work.run();
    await work.baseline?.();
  });

  it('return the expected result for whole turns and loops, with both kinds of schema', async () => {
    const turns = [
      { name: 'haft', options: { tools: 3, turn: true } },
      { name: 'ai-sdk-generate', options: { tools: 3, step: true, schemas: 'zod' } },
      { name: 'ai-sdk-generate', options: { tools: 3, step: true, schemas: 'json' } },
      { name: 'haft-loop', options: { tools: 3 } },
      { name: 'ai-sdk-generate', options: { tools: 3, loop: true, schemas: 'zod' } },
    ];
    for (const { name, options } of turns) {
      const { default: makeWork } = await load(name);
      await (await makeWork(options)).run();
    }
    expect(turns).toHaveLength(5);
  });
});
