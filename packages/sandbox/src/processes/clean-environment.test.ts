import { expect, test } from 'vitest';
import { createCleanEnvironment } from './clean-environment.ts';

const source = {
  PATH: '/usr/bin:.::relative:/bin',
  HOME: '/home/me',
  LC_ALL: 'C.UTF-8',
  TERM: 'xterm-256color',
  API_TOKEN: 'secret',
  NODE_OPTIONS: '--require=x',
  LD_LIBRARY_PATH: '/x',
  PYTHONPATH: '/x',
  UNSET: undefined,
};

test('createCleanEnvironment copies only allowed variables', () => {
  const environment = createCleanEnvironment({ source });
  expect(environment).toMatchObject({ HOME: '/home/me', LC_ALL: 'C.UTF-8', TERM: 'dumb', GIT_TERMINAL_PROMPT: '0' });
  expect(Object.keys(environment).filter((name) => /TOKEN|OPTIONS|LIBRARY|PYTHON|UNSET/.test(name))).toEqual([]);
});

test.skipIf(process.platform === 'win32')('createCleanEnvironment drops relative entries of PATH', () => {
  expect(createCleanEnvironment({ source })['PATH']).toBe('/usr/bin:/bin');
});

test('createCleanEnvironment adds variables of "allow" and "set", and "set" takes precedence', () => {
  const environment = createCleanEnvironment({ source, allow: ['API_TOKEN'], set: { TERM: 'vt100', NEW: '1' } });
  expect(environment).toMatchObject({ API_TOKEN: 'secret', TERM: 'vt100', NEW: '1' });
});
