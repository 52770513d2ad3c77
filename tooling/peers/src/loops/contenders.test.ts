import { describe, expect, it } from 'vitest';

import type { MakeWork } from '@haft-tooling/measure';
import { moduleOf } from '../module-of.ts';

/** Each contender checks its own answer and throws if it is wrong, so a run that resolves has done the work. */
describe('the contenders of the loop benchmark', { timeout: 60_000 }, () => {
  it.each(['haft', 'pi', 'ai-sdk', 'openai-agents'])(
    '%s makes one additional call, and one additional turn',
    async (name) => {
      const { default: makeWork } = (await import(moduleOf(`loops/${name}`).href)) as { readonly default: MakeWork };
      const shapes = [{}, { turn: true, tools: 3 }];
      for (const options of shapes) {
        const work = await makeWork(options);
        await work.run();
        await work.baseline?.();
        expect(work.baseline).toBeTypeOf('function');
      }
    },
  );
});
