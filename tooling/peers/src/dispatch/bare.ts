import type { MakeWork } from '@haft-tooling/measure';
import { sampleAnswer, sampleArguments, sampleBody, sampleInput } from './sample-tool.ts';

/** The lower bound: read, validate, call. No look-up, permission, events or result. */
const makeWork: MakeWork = () => ({
  async run() {
    const checked = sampleInput.safeParse(JSON.parse(sampleArguments));
    if (!checked.success || (await sampleBody(checked.data)) !== sampleAnswer) throw new Error('wrong answer');
  },
});

export default makeWork;
