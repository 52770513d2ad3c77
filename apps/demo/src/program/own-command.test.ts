import { expect, test } from 'vitest';
import { ownCommand } from './own-command.ts';

test.each([
  [{ npm_lifecycle_event: 'demo' }, '/repo/apps/demo/dist/main.js', 'npm --prefix /repo run --silent demo --'],
  [{ npm_lifecycle_event: 'demo' }, '/my repo/apps/demo/dist/main.js', 'npm --prefix "/my repo" run --silent demo --'],
  [{}, '/usr/bin/haft', 'haft'],
  [{}, '/home/me/.npm/_npx/1a2b/node_modules/.bin/haft', 'npx haft'],
  [{}, '/project/node_modules/haft/dist/main.js', 'npx haft'],
  [{ npm_lifecycle_event: 'test' }, '/repo/apps/demo/dist/main.js', 'node /repo/apps/demo/dist/main.js'],
])('with %j and %s, ownCommand returns a command for any folder', (env, main, expected) => {
  expect(ownCommand({ env, argv: ['node', main] })).toBe(expected);
});
