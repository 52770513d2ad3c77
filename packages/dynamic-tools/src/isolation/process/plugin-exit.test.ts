import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { describeExit, explainExit, type PluginExit } from './plugin-exit.ts';

/** Runs a program as a plugin's process would end. */
function end(source: string, ...flags: string[]): PluginExit {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [...flags, '-e', source], {
    encoding: 'utf8',
  });
  return { cause: 'exit', exitCode: status, signal, output: stdout + stderr };
}

describe('explainExit', () => {
  it.each([
    ['an unhandled rejection', `Promise.reject(new Error('late'))`, 'Error: late'],
    ['an uncaught error with members', `throw Object.assign(new Error('no'), { code: 'X' })`, 'Error: no'],
    ['an uncaught error with a cause', `throw new Error('outer', { cause: new Error('inner') })`, 'Error: outer'],
    ['an error after other errors', `console.error(new Error('seen')); throw new RangeError('end')`, 'RangeError: end'],
    ['a thrown string', `throw 'plain'`, 'plain'],
    ['a rejection with a string', `Promise.reject('plain')`, /reason "plain"\.$/],
    ['the event "error"', `process.emit('error', new Error('emitted'))`, 'Error: emitted'],
    ['an exit after output', `console.log('first'); console.error('bye'); process.exit(1)`, 'bye'],
  ])('names %s', (_what, source, error) => {
    const exit = end(source);
    expect(describeExit(exit)).toBe('exited with code 1');
    const [, said] = /^exited with code 1 during the call: (.*)$/.exec(explainExit(exit, ' during the call')) ?? [];
    expect(said).toMatch(typeof error === 'string' ? new RegExp(`^${error}$`) : error);
  });

  it('names a full heap', () => {
    const exit = end('const all = []; for (;;) all.push(new Array(1e5).fill(1.5));', '--max-old-space-size=20');
    expect(explainExit(exit)).toMatch(/: FATAL ERROR: .*heap out of memory$/);
  });

  it('does not take another line for an error whose beginning was not recorded', () => {
    const { output, ...exit } = end(`throw new Error('long')`);
    expect(explainExit({ ...exit, output: output.slice(output.indexOf('    at ')) })).toBe('exited with code 1');
  });

  it('says nothing about the output if it is empty or the process was ended', () => {
    const exit: PluginExit = { cause: 'exit', exitCode: 3, signal: null, output: '' };
    expect(explainExit(exit)).toBe('exited with code 3');
    expect(explainExit({ ...exit, cause: 'memory', output: 'filling up' })).toBe(
      'exceeded its memory limit and was stopped',
    );
  });
});
