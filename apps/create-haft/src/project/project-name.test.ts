import { expect, test } from 'vitest';

import { projectName } from './project-name.ts';

test.each(['a', 'my-project', 'agent2', 'a'.repeat(64)])('projectName accepts %s', (name) => {
  expect(projectName(`/somewhere/${name}`)).toBe(name);
});

test.each([
  ['MyProject', 'it contains capitals', 'my-project'],
  ['my project', 'it contains spaces', 'my-project'],
  ['2fast', 'it does not begin with a letter', 'fast'],
  ['my_app', 'single hyphens', 'my-app'],
  ['a--b', 'single hyphens', 'a-b'],
  ['.hidden', 'it does not begin with a letter', 'hidden'],
  ['über', 'it does not begin with a letter', 'uber'],
  ['日本', 'it does not begin with a letter', 'my-project'],
  ['next', 'the name is reserved', 'my-next'],
  ['node_modules', 'the name is reserved', 'node-modules'],
  ['a'.repeat(65), 'it has 65 characters', 'a'.repeat(64)],
])('projectName explains what is wrong with %j and suggests another name', (name, reason, suggestion) => {
  expect(() => projectName(`/somewhere/${name}`)).toThrow(reason);
  expect(() => projectName(`/somewhere/${name}`)).toThrow(`(expected a name such as "${suggestion}")`);
  expect(projectName(`/somewhere/${suggestion}`)).toBe(suggestion);
});

test('projectName suggests a name for the root of a disk', () => {
  expect(() => projectName('/')).toThrow('"my-project"');
});
