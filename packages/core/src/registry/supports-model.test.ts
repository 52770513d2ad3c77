import { describe, expect, it } from 'vitest';
import { defineTool } from '../define/define-tool.ts';
import { findUnknownPatterns, supportsModel } from './supports-model.ts';

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
    ['anthropic', 'anthropic', 'claude-opus', true],
    ['anthropic', 'openai', 'gpt-5', false],
    ['anthropic', undefined, 'claude-opus', false],
    ['anthropic', 'openrouter', 'anthropic/claude-opus', true],
    ['claude-*', 'openrouter', 'anthropic/claude-opus', true],
    ['anthropic/claude-*', undefined, 'anthropic/claude-opus', true],
    ['openai', 'openrouter', 'anthropic/claude-opus', false],
    ['.', undefined, 'x', false],
  ])('matches the glob %s against %s/%s', (glob, vendor, name, expected) => {
    expect(supportsModel(tool(glob), vendor === undefined ? { name } : { name, vendor })).toBe(expected);
  });

  it.each([
    [['antropic'], 'supportedModels of t: no known vendor or model matches "antropic" (did you mean anthropic?)'],
    [['opanai/gpt-*', 'claude-*'], 'no known vendor or model matches "opanai/gpt-*"'],
    [['anthropic'], undefined],
    [['openai/*', '*'], undefined],
    [['acme/*', 'acme', 'm-?'], '"m-?"'],
  ])('describes patterns that match nothing known (%j)', (patterns, expected) => {
    const described = findUnknownPatterns(tool(...patterns), { name: 'm-1', vendor: 'acme' });
    if (expected === undefined) expect(described).toBeUndefined();
    else expect(described).toContain(expected);
  });

  it('handles a hostile glob', () => {
    expect(supportsModel(tool(`${'*a'.repeat(500)}b`), { name: 'a'.repeat(1_000) })).toBe(false);
  });
});
