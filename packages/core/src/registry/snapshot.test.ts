import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import type { ToolSnapshot, AnyTool } from '../contracts/tools/tool.ts';
import { defineTool } from '../define/define-tool.ts';
import { asProviderTools } from './as-model-tool.ts';
import { createSnapshotFilter } from './snapshot-filter.ts';
import { filterSnapshot } from './snapshot.ts';
import { ToolRegistry } from './tool-registry.ts';

const make = (name: string, note = ''): AnyTool =>
  defineTool({ name, description: `d${note}`, input: { type: 'object' }, execute: () => note });

/** Collects the content of a snapshot through all of its methods. */
const ask = (snapshot: ToolSnapshot, names: readonly string[]): unknown => ({
  listed: snapshot.names.map((name, position) => [name, snapshot.tools[position]!.description]),
  found: names.map((name) => [snapshot.has(name), snapshot.get(name)?.description, snapshot.providerFor(name)]),
});

describe('snapshots', () => {
  it('never change, regardless of later changes to the registry', () => {
    const names = Array.from({ length: 12 }, (_, index) => `tool_${String.fromCharCode(97 + index)}`);
    const name = fc.constantFrom(...names);
    const provider = fc.constantFrom('local', 'dynamic/a', 'dynamic/b');
    const step = fc.oneof(
      fc.record({ what: fc.constant('register' as const), name, provider }),
      fc.record({ what: fc.constant('unregister' as const), name }),
      fc.record({ what: fc.constant('clear' as const), prefix: fc.constantFrom('dynamic', 'dynamic/a', 'local') }),
      fc.record({ what: fc.constantFrom('enable' as const, 'disable' as const), name }),
      fc.record({ what: fc.constant('look' as const) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const registry = new ToolRegistry();
        const claims = new Map<string, readonly (readonly [provider: string, note: string])[]>();
        const disabled = new Set<string>();
        const seen: (readonly [ToolSnapshot, unknown])[] = [];
        const keep = (of: string, stays: (provider: string, isTop: boolean) => boolean): void => {
          const held = claims.get(of) ?? [];
          claims.set(
            of,
            held.filter(([from], index) => stays(from, index === held.length - 1)),
          );
        };
        for (const [index, one] of steps.entries()) {
          if (one.what === 'register') {
            registry.registerWithProvider(make(one.name, String(index)), one.provider);
            const others = (claims.get(one.name) ?? []).filter(([from]) => from !== one.provider);
            claims.set(one.name, [...others, [one.provider, String(index)]]);
          } else if (one.what === 'unregister') {
            registry.unregister(one.name);
            keep(one.name, (_, isTop) => !isTop);
          } else if (one.what === 'clear') {
            registry.clear(one.prefix);
            const isIn = (from: string): boolean => from === one.prefix || from.startsWith(`${one.prefix}/`);
            for (const of of claims.keys()) keep(of, (from) => !isIn(from));
          } else if (one.what === 'look') {
            const known = names.flatMap((of) => {
              const top = disabled.has(of) ? undefined : claims.get(of)?.at(-1);
              return top ? [{ of, top }] : [];
            });
            const expected = {
              listed: known.map(({ of, top }) => [of, `d${top[1]}`]),
              found: names.map((of) => {
                const top = known.find((entry) => entry.of === of)?.top;
                return [top !== undefined, top && `d${top[1]}`, top?.[0]];
              }),
            };
            seen.push([registry.snapshot(), expected]);
            expect(registry.snapshot()).toBe(registry.snapshot());
          } else {
            registry[one.what](one.name);
            if (one.what === 'disable') disabled.add(one.name);
            else disabled.delete(one.name);
          }
        }
        for (const [snapshot, expected] of seen) expect(ask(snapshot, names)).toEqual(expected);
      }),
      { numRuns: 100 },
    );
  });

  it('cost time in proportion to the changes, not to the number of tools', () => {
    const tool = make('any');
    const tools = Array.from({ length: 10_000 }, (_, index) => ({ ...tool, name: `tool_${index}` }));
    const change = make('tool_5000', 'new');
    const timeOf = (act: () => void): number => {
      const start = process.cpuUsage();
      act();
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    const registry = new ToolRegistry({ tools });
    const changes = 50;
    let build = Infinity;
    let changing = Infinity;
    for (let round = 0; round < 5; round += 1) {
      build = Math.min(
        build,
        timeOf(() => void new ToolRegistry({ tools }).snapshot()),
      );
      const changeAll = (): void => {
        for (let index = 0; index < changes; index += 1) {
          registry.register({ ...change });
          expect(registry.snapshot().get('tool_5000')!.description).toBe('dnew');
        }
      };
      changing = Math.min(changing, timeOf(changeAll) / changes);
    }
    // If every change rebuilt the whole snapshot, it would take about as long as the first build.
    expect(changing).toBeLessThan(build / 5);
  });

  it('resolve the same names after filtering, except for the removed tools', () => {
    const whole = new ToolRegistry({ tools: [make('a'), make('b'), make('c')] }).snapshot();
    const part = filterSnapshot(whole, (tool) => tool.name !== 'b');
    expect(ask(part, ['a', 'b', 'c', 'd'])).toEqual({
      listed: [
        ['a', 'd'],
        ['c', 'd'],
      ],
      found: [
        [true, 'd', 'local'],
        [false, undefined, undefined],
        [true, 'd', 'local'],
        [false, undefined, undefined],
      ],
    });
    expect(filterSnapshot(whole, () => true)).toBe(whole);
    let asked = 0;
    const others = createSnapshotFilter(({ name }) => (asked += 1) > 0 && name !== 'b');
    const first = others(whole);
    expect(first.names).toEqual(part.names);
    expect([others(whole), others(first), asked]).toEqual([first, first, whole.names.length]);
    expect(Object.isFrozen(part) && Object.isFrozen(part.tools) && Object.isFrozen(part.names)).toBe(true);
  });

  it("identify a tool by its registered name, even if the tool's own name changes", () => {
    let name = 'sneaky';
    const sneaky = Object.defineProperty({ ...make('sneaky', 'hijack') }, 'name', {
      enumerable: true,
      get: () => name,
    });
    const registry = new ToolRegistry({ tools: [make('read', 'own')] });
    registry.register(sneaky);
    name = 'read';
    const snapshot = registry.snapshot();
    expect(ask(snapshot, ['read', 'sneaky'])).toEqual({
      listed: [
        ['read', 'down'],
        ['sneaky', 'dhijack'],
      ],
      found: [
        [true, 'down', 'local'],
        [true, 'dhijack', 'local'],
      ],
    });
    expect(asProviderTools(snapshot).map((tool) => tool.name)).toEqual(['read', 'sneaky']);
    registry.unregister('sneaky');
    expect(registry.snapshot().names).toEqual(['read']);
  });
});
