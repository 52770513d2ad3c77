import { PassThrough } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';

import { Cancelled, openQuestions, type Questions } from './questions.ts';

interface Conversation {
  readonly questions: Questions;
  /** Types a text when the cue has appeared. */
  readonly type: (cue: string, text: string) => Promise<void>;
  readonly screen: () => string;
}

function converse(): Conversation {
  const input = new PassThrough();
  const output = new PassThrough();
  let screen = '';
  let seen = 0;
  const waiting: { readonly cue: string; readonly resolve: () => void }[] = [];
  const check = (): void => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const at = screen.indexOf(next.cue, seen);
      if (at < 0) return;
      seen = at + next.cue.length;
      waiting.shift();
      next.resolve();
    }
  };
  output.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    check();
  });
  const questions = openQuestions(input, output);
  onTestFinished(() => questions.close());
  return {
    questions,
    screen: () => screen,
    type: async (cue, text) => {
      await new Promise<void>((resolve) => {
        waiting.push({ cue, resolve });
        check();
      });
      input.write(text);
    },
  };
}

describe('the questions', () => {
  it('have a default for an empty answer', async () => {
    const { questions, type } = converse();
    const template = questions.template();
    await type('Number or name (agent): ', '\r');
    expect(await template).toBe('agent');
    const manager = questions.packageManager('pnpm');
    await type('Number or name (pnpm): ', '\r');
    expect(await manager).toBe('pnpm');
    const install = questions.install('pnpm');
    await type('(Y/n): ', '\r');
    expect(await install).toBe(true);
  });

  it('accept a number or a name, and ask again after another answer', async () => {
    const { questions, type, screen } = converse();
    const template = questions.template();
    await type('(agent): ', '9\r');
    await type('(agent): ', '3\r');
    expect(await template).toBe('plugin');
    expect(screen()).toContain('"9" is not in the list (expected a number from 1 to 5)');
    const manager = questions.packageManager('npm');
    await type('(npm): ', 'yarn\r');
    expect(await manager).toBe('yarn');
    const install = questions.install('yarn');
    await type('(Y/n): ', 'maybe\r');
    await type('(Y/n): ', 'n\r');
    expect(await install).toBe(false);
  });

  it('explain a folder that is not accepted, and ask again', async () => {
    const { questions, type, screen } = converse();
    const folder = questions.folder((answer) => {
      if (answer !== 'shop') throw new Error('choose another name');
    });
    await type('Name of the project', 'x\r');
    await type('Name of the project', 'shop\r');
    expect(await folder).toBe('shop');
    expect(screen()).toContain('choose another name');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('are cancelled by %s', async (_, key) => {
    const { questions, type } = converse();
    const template = questions.template();
    const outcome = template.catch((error: unknown) => error);
    await type('(agent): ', key);
    expect(await outcome).toBeInstanceOf(Cancelled);
  });
});
