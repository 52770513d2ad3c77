import { expect, it } from 'vitest';
import { explainMissingGrants } from './explain-missing-grants.ts';

it.each([
  ['nothing is declared', {}, {}],
  ['a host is granted, which opens the whole network', { hosts: ['a.example'] }, { hosts: ['b.example'] }],
  ['a granted folder contains the path', { fs: { read: ['./data/a.json'] } }, { fs: { read: ['/plugins/data'] } }],
  ['a path may be written, and therefore read', { fs: { read: ['data'] } }, { fs: { write: ['./data'] } }],
  ['all are granted', { exec: true, hooks: true, env: ['A'] }, { exec: true, hooks: true, env: ['B', 'A'] }],
])('no grant is missing if %s', (_, declared, granted) => {
  expect(explainMissingGrants('weather', declared, granted, '/plugins')).toBeUndefined();
});

it('a message names what is missing, and shows the grants that keep those that exist', () => {
  const declared = { fs: { read: ['../cities'], write: ['out'] }, hosts: ['a.example'], env: ['KEY'], exec: true };
  const granted = { fs: { read: ['..cities'] }, env: ['TZ'] };
  expect(explainMissingGrants('weather', declared, granted, '/plugins')).toBe(
    'it declares fs.read (../cities), fs.write (out), hosts (a.example), env (KEY), exec without a grant, so its calls that need them fail. ' +
      'To grant them, write grants: { "weather": { "fs": { "read": [ "..cities", "../cities" ], "write": [ "out" ] }, "hosts": [ "a.example" ], "env": [ "TZ", "KEY" ], "exec": true } }',
  );
});

it('a message shows hidden characters as escapes, and is cut', () => {
  const text = explainMissingGrants('weather', { hosts: ['a\u202Eb\n', 'x'.repeat(5_000)] }, {}, '/plugins');
  expect(text).toMatch(/hosts \(a\\u\{202e\}b\\u\{a\}, x+…$/);
  expect(text).toHaveLength(1_001);
});
