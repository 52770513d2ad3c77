import { expect, test } from 'vitest';
import { describeOldNode } from './node-version.ts';

test.each(['20.20.2', '22.21.9', '18.0.0'])(
  'describeOldNode refuses Node %s in one line with the required version',
  (version) => {
    expect(describeOldNode(version, '>=22.22')).toBe(`this needs Node 22.22 or newer; it was started with ${version}`);
  },
);

test.each(['22.22.0', '22.100.1', '24.0.0', '100.1.0-nightly'])('describeOldNode accepts Node %s', (version) => {
  expect(describeOldNode(version, '>=22.22')).toBeUndefined();
});

test('describeOldNode requires the version of package.json', () => {
  expect(describeOldNode('20.0.0')).toMatch(/needs Node \d+\.\d+ or newer/);
  expect(describeOldNode(process.versions.node)).toBeUndefined();
});
