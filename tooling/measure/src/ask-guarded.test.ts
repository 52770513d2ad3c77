import { describe, expect, it } from 'vitest';

import { askGuarded, openGuarded } from './ask-guarded.ts';

const module = new URL('fixtures/answering-process.ts', import.meta.url);
const options = { module, args: [], questionMs: 2_000 };
const question = (number: number, does?: 'hang' | 'die' | 'wait'): { readonly id: string; readonly number: number } => {
  const asked = { id: String(number), number };
  return does === undefined ? asked : Object.assign(asked, { does });
};

describe('asking a guarded process', { timeout: 60_000 }, () => {
  it('returns all answers in order, however long each takes', async () => {
    const questions = Array.from({ length: 40 }, (_, number) =>
      question(number, number % 3 === 0 ? 'wait' : undefined),
    );
    const answers = await askGuarded<{ readonly doubled: number }>(questions, options);
    expect(answers.map((answer) => answer?.doubled)).toEqual(questions.map((_, number) => number * 2));
  });

  it('continues after a question that is never answered, and one that kills the process', async () => {
    const questions = [question(1), question(2, 'hang'), question(3), question(4, 'die'), question(5)];
    const answers = await askGuarded<{ readonly doubled: number }>(questions, options);
    expect(answers.map((answer) => answer?.doubled)).toEqual([2, undefined, 6, undefined, 10]);
  });

  it('rejects with the reason if the process cannot start', async () => {
    const broken = {
      ...options,
      module: new URL('fixtures/broken-process.ts', import.meta.url),
      args: ['the broken one'],
    };
    await expect(askGuarded([question(1)], broken)).rejects.toThrow(/the broken one ended[^]*cannot even start/);
    await expect(openGuarded(broken)).rejects.toThrow(/the broken one ended[^]*cannot even start/);
  });

  it('keeps a process open for single questions until one is not answered', async () => {
    const open = await openGuarded(options);
    expect(await open.ask(question(1))).toMatchObject({ doubled: 2 });
    expect(await open.ask(question(2, 'hang'))).toBeUndefined();
    expect(await open.ask(question(3))).toBeUndefined();
    open.close();
  });
});
