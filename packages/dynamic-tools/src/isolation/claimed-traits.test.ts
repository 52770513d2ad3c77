import type { AnyTool } from '@haft/core';
import { describe, expect, it } from 'vitest';
import type { PluginCapabilities } from '../capabilities.ts';
import { createPluginTool } from '../plugin/definition/create-plugin-tool.ts';
import { takeTool } from '../plugin/definition/take-defined-tool.ts';
import { limitClaims } from './claimed-traits.ts';

function limited(claims: object, granted: PluginCapabilities, isJailed = true): AnyTool {
  const taken = takeTool({ name: 'act', description: 'Acts.', input: {}, execute: () => '', ...claims });
  if (typeof taken === 'string') throw new Error(taken);
  const tool = createPluginTool(limitClaims(taken, granted, isJailed));
  if (typeof tool === 'string') throw new Error(tool);
  return tool;
}

const claims: readonly object[] = [
  { kind: 'read' },
  { traits: { pure: true } },
  { traits: { readOnly: true } },
  { traits: { sideEffects: 'none' } },
  { kind: 'read', traits: { pure: true, readOnly: true, sideEffects: 'read', destructive: false, openWorld: false } },
];

describe('claims of an untrusted tool', () => {
  it.each<readonly [what: string, granted: PluginCapabilities, isJailed: boolean]>([
    ['speaks to hosts', { hosts: ['example.org'] }, true],
    ['starts programs', { exec: true }, true],
    ['writes files', { fs: { write: ['./data'] } }, true],
    ['is in no jail', {}, false],
  ])('are ignored where it %s', (_what, granted, isJailed) => {
    for (const claim of claims) {
      const { kind, traits } = limited(claim, granted, isJailed);
      expect(kind).toBe('other');
      expect(traits).toMatchObject({ readOnly: false, pure: false, sideEffects: 'external' });
      expect(traits.destructive).toBeUndefined();
      expect(traits.openWorld).toBe(granted.fs ? (claim as AnyTool).traits?.openWorld : true);
    }
  });

  it('count if the jail enforces them', () => {
    for (const claim of claims) expect(limited(claim, {}).traits.readOnly).toBe(true);
    expect(limited(claims[1]!, { hosts: [], fs: { write: [] } }).traits.pure).toBe(true);
    expect(limited(claims[0]!, {}).kind).toBe('read');
  });

  it('are not pure with readable files or variables', () => {
    for (const granted of [{ fs: { read: ['./data'] } }, { env: ['HOME'] }])
      expect(limited(claims[1]!, granted).traits).toMatchObject({ pure: false, readOnly: true });
  });

  it('count if they claim side effects', () => {
    const { kind, traits } = limited({ kind: 'delete', traits: { destructive: true } }, { exec: true });
    expect([kind, traits.destructive]).toEqual(['delete', true]);
  });

  it('are refused when they are invalid', () => {
    expect(() => limited({ traits: 'pure' }, { exec: true })).toThrow(/traits must be/);
  });
});
