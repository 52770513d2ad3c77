import { expect, test } from 'vitest';
import { ownCommand } from './own-command.ts';

test.each([
  [{ npm_lifecycle_event: 'demo' }, '/repo/apps/demo/dist/main.js', '/repo', 'npm run demo --'],
  [{}, '/usr/bin/haft', '/repo', 'haft'],
  [{ npm_lifecycle_event: 'test' }, '/repo/apps/demo/dist/main.js', '/repo', 'node apps/demo/dist/main.js'],
  [{}, '/repo/dist/main.js', '/home/someone/else', 'node /repo/dist/main.js'],
])('with %j, %s in %s, ownCommand returns %s', (env, main, cwd, expected) => {
  expect(ownCommand({ env, argv: ['node', main], cwd: () => cwd })).toBe(expected);
});
