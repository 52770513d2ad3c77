import { describe, expect, it } from 'vitest';
import type { ToolKind, ToolTraits } from '../contracts/permission/traits.ts';
import { allowReadOnly } from '../workspace/permission-engines.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { onlyReads } from './contradictions.ts';
import { defineTool } from './define-tool.ts';

const make = (declared: { readonly kind?: ToolKind; readonly traits?: Partial<ToolTraits> }) =>
  defineTool({ name: 't', description: 'd', ...declared, execute: () => 'x' });

const contradictions: readonly (readonly [ToolKind | undefined, Partial<ToolTraits>, string])[] = [
  ['delete', { readOnly: true }, "traits.readOnly: true contradicts kind: 'delete'"],
  ['edit', { readOnly: true }, "traits.readOnly: true contradicts kind: 'edit'"],
  ['move', { pure: true }, "traits.pure: true contradicts kind: 'move'"],
  ['edit', { sideEffects: 'read' }, "traits.sideEffects: 'read' contradicts kind: 'edit'"],
  ['read', { destructive: true }, "kind: 'read' contradicts traits.destructive: true"],
  ['read', { sideEffects: 'write' }, "kind: 'read' contradicts traits.sideEffects: 'write'"],
  [undefined, { readOnly: true, destructive: true }, 'traits.readOnly: true contradicts traits.destructive: true'],
  [
    undefined,
    { readOnly: true, sideEffects: 'write' },
    "traits.readOnly: true contradicts traits.sideEffects: 'write'",
  ],
  [undefined, { pure: true, readOnly: false }, 'traits.pure: true contradicts traits.readOnly: false'],
  [undefined, { pure: true, sideEffects: 'external' }, "traits.pure: true contradicts traits.sideEffects: 'external'"],
];

describe('contradictory declarations', () => {
  it.each(contradictions)('refuses kind %o with traits %o', (kind, traits, problem) => {
    expect(() => make({ ...(kind && { kind }), traits })).toThrow(
      expect.objectContaining({ code: 'INVALID_TOOL', message: `the tool t: ${problem}` }),
    );
  });

  it.each([
    { kind: 'read', traits: { readOnly: false } },
    { kind: 'read', traits: { readOnly: false, destructive: true } },
    { kind: 'read', traits: { sideEffects: 'external' } },
    { kind: 'read', traits: { readOnly: true, sideEffects: 'external', openWorld: true } },
    { kind: 'other', traits: { readOnly: true, sideEffects: 'none' } },
    { kind: 'other', traits: { readOnly: false, destructive: false, sideEffects: 'none' } },
    { kind: 'edit', traits: { destructive: false } },
    { kind: 'delete', traits: { readOnly: false, destructive: true, sideEffects: 'write' } },
  ] as const)('accepts %o', (declared) => {
    const tool = make(declared);
    expect(onlyReads(tool)).toBe('readOnly' in declared.traits && declared.traits.readOnly);
    expect(new ToolRegistry({ tools: [tool] }).get('t')).toBe(tool);
  });

  it('refuses to register a copy of a tool whose members contradict each other', () => {
    const copy = { ...make({ kind: 'read' }), kind: 'delete' as const };
    expect(() => new ToolRegistry({ tools: [copy] })).toThrow(
      `can't register "t": traits.readOnly: true contradicts kind: 'delete'`,
    );
  });

  it('makes allowReadOnly deny a tool that bypassed the registry', () => {
    const { traits } = make({ kind: 'read' });
    const ask = (kind: ToolKind) => allowReadOnly.ask({ tool: 't', kind, traits } as never);
    expect(ask('read')).toEqual({ action: 'allow' });
    expect(ask('delete')).toMatchObject({ action: 'deny' });
  });
});
