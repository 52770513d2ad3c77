import { describe, expect, it } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import { supportsModel } from './supports-model.ts';

const tool = (...supportedModels: readonly string[]) =>
  defineTool({ name: 't', description: 'd', input: { type: 'object' }, supportedModels, execute: () => '' });

describe('supportsModel', () => {
  it.each([
    ['*', 'acme', 'm', true],
    ['acme/*', 'acme', 'm-1', true],
    ['acme/*', 'other', 'm-1', false],
    ['*/gpt-*', 'acme', 'gpt-5', true],
    ['gpt-*', 'acme', 'gpt-5', true],
    ['gpt-5', 'acme', 'gpt-5.1', false],
    ['a*b*c', undefined, 'a--b--c', true],
    ['a*b*c', undefined, 'a--c--b', false],
    ['.', undefined, 'x', false],
  ])('matches the glob %s against %s/%s', (glob, vendor, name, expected) => {
    expect(supportsModel(tool(glob), vendor === undefined ? { name } : { name, vendor })).toBe(expected);
  });

  it('handles a hostile glob', () => {
    expect(supportsModel(tool(`${'*a'.repeat(500)}b`), { name: 'a'.repeat(1_000) })).toBe(false);
  });
});
