import { describe, expect, test } from 'vitest';
import { confine } from './confine.ts';
import { readConfinedFile } from './confined-read.ts';
import { writeConfinedFile } from './confined-write.ts';
import { createProcessBoard } from './process-board.ts';
import { resolvePath } from './resolve-path.ts';
import { runProcess } from './run-process.ts';

describe('what a caller mistook is named, with what was expected and what was given', () => {
  test.each([
    [undefined, /^the options must be an object such as .*, not undefined$/],
    [['ls'], /^the options must be an object such as .*, not a list$/],
    [{ cwd: '/' }, /^command must be a string such as "ls", not undefined$/],
    [{ command: 'ls' }, /^cwd must be a string such as "\/project", not undefined$/],
    [{ command: 'ls', cwd: 42 }, /^cwd must be a string such as "\/project", not 42$/],
    [{ command: 'ls', cwd: '/', args: '-l' }, /^args must be a list of strings, not "-l"$/],
    [{ command: 'ls', cwd: '/', args: [1] }, /^args must be a list of strings, not a list$/],
    [{ command: 'ls', cwd: '/', stdin: {} }, /^stdin must be a string or bytes, not an object$/],
    [{ command: 'ls', cwd: '/', shell: 1 }, /^shell must be true, false or the name of a shell, not 1$/],
    [{ command: 'ls', cwd: '/', signal: {} }, /^signal must be an AbortSignal, not an object$/],
    [{ command: 'ls', cwd: '/', onOutput: true }, /^onOutput must be a function, not true$/],
    [{ command: 'ls', cwd: '/', timeoutMs: '5s' }, /^timeoutMs must be a number from 0, not "5s"$/],
    [{ command: 'ls', cwd: '/', timeoutMs: Number.NaN }, /^timeoutMs must be a number from 0, not NaN$/],
    [{ command: 'ls', cwd: '/', streams: 'both' }, /^streams must be one of 'combined', 'separate', not "both"$/],
    [{ command: 'ls', cwd: '/', background: 'yes' }, /^background must be one of 'kill', 'keep', not "yes"$/],
  ])('runProcess(%j)', async (options, message) => {
    const error: unknown = await runProcess(options as never).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(TypeError);
    expect((error as Error).message).toMatch(message);
  });

  test.each([[42], [undefined], [null], [['/a']], [{ path: '/a' }], [Symbol('a')]])(
    'a path that is %j',
    async (path) => {
      const wrong = path as unknown as string;
      const expected = /^the path must be a string such as "[^"]+", not /;
      for (const use of [
        () => confine(['/'], wrong),
        () => readConfinedFile(['/'], wrong),
        () => writeConfinedFile(['/'], wrong, new Uint8Array()),
        async () => resolvePath('/', wrong),
      ]) {
        const error: unknown = await use().catch((cause: unknown) => cause);
        expect(error).toBeInstanceOf(TypeError);
        expect((error as Error).message).toMatch(expected);
      }
      expect(() => resolvePath(wrong, 'a')).toThrow(/^cwd must be a string such as "\/project", not /);
    },
  );

  test('the options of a process of a board, before it is started', async () => {
    const board = createProcessBoard();
    const started = board.start({ command: 'ls' } as never);
    await expect(started).rejects.toThrow(/^cwd must be a string such as "\/project", not undefined$/);
    const limits = { processes: 0 };
    await expect(board.start({ command: 'ls', cwd: '/', limits })).rejects.toThrow(TypeError);
    expect(board.list()).toEqual([]);
  });

  test.each([
    ['/project', /^roots must be a list of absolute paths or 'unrestricted', not "\/project"$/],
    [undefined, /^roots must be a list of absolute paths or 'unrestricted', not undefined$/],
    [[7], /^each of the roots must be a string such as "\/project", not 7$/],
    [['project'], /^A root must be an absolute path, not "project"$/],
  ])('roots that are %j', async (roots, message) => {
    await expect(confine(roots as never, '/a')).rejects.toThrow(message);
  });
});
