import { expect, it } from 'vitest';
import { expandCurlPattern } from './curl-path-patterns.ts';

it.each<[string, readonly string[] | undefined]>([
  ['http://a/x', ['http://a/x']],
  ['http://{a,b}/x', ['http://a/x', 'http://b/x']],
  ['http://e{v}il/', ['http://evil/']],
  ['http://[a-c]/', ['http://a/', 'http://b/', 'http://c/']],
  ['x[08-10]', ['x08', 'x09', 'x10']],
  ['x[1-5:2]', ['x1', 'x3', 'x5']],
  ['http://[::1]/', ['http://[::1]/']],
  ['{a,b}[1-2]', ['a1', 'a2', 'b1', 'b2']],
  ['x[1-1000]', undefined],
  ['[1-9][1-9]', undefined],
  ['x[n]', undefined],
])('the curl pattern %j expands to %j', (pattern, texts) => {
  expect(expandCurlPattern(pattern)).toEqual(texts);
});
