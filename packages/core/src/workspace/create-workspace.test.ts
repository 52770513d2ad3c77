import { describe, expect, it } from 'vitest';
import { createWorkspace } from './create-workspace.ts';

describe('createWorkspace rejects', () => {
  it.each<[unknown, string]>([
    [undefined, 'its argument is not valid (expected an object such as { cwd: process.cwd() }, got undefined)'],
    [{}, 'cwd is missing (expected the absolute path of a folder)'],
    [{ cwd: './x' }, 'cwd is not valid (expected the absolute path of a folder, got "./x")'],
    [{ cwd: '/a', writeRoot: [] }, 'writeRoot is not an option (did you mean writeRoots?)'],
    [
      { cwd: '/a', readRoots: '/b' },
      'readRoots is not valid (expected a list of absolute paths or "unrestricted", got "/b")',
    ],
    [{ cwd: '/a', readRoots: ['b'] }, 'readRoots[0] is not valid (expected an absolute path, got "b")'],
    [
      { cwd: '/a', logger: console.log },
      'logger is not valid (expected an object with debug, info, warn and error, got a function)',
    ],
    [{ cwd: '/a', now: 5 }, 'now is not valid (expected a function, got 5)'],
    [
      { cwd: '/a', jail: 'required' },
      'jail is not valid (expected an object such as { policy: \'required\' }, got "required")',
    ],
    [
      { cwd: '/a', jail: { policy: 'on' } },
      'jail.policy is not valid (expected "required", "preferred" or "off", got "on")',
    ],
    [{ cwd: '/a', jail: { policy: 'off', netwrok: true } }, 'jail.netwrok is not an option (did you mean network?)'],
    [
      { cwd: '/a', jail: { policy: 'off', network: { host: ['a'] } } },
      'jail.network.host is not an option (did you mean hosts?)',
    ],
    [
      { cwd: '/a', jail: { policy: 'off', limits: { memory: 1 } } },
      'jail.limits.memory is not an option (did you mean memoryBytes?)',
    ],
  ])('%j', (options, message) => {
    const make = (): unknown => createWorkspace(options as never);
    expect(make).toThrow(`createWorkspace: ${message}`);
    expect(make).toThrow(expect.objectContaining({ name: 'HaftError', code: 'INVALID_OPTION' }));
  });
});
