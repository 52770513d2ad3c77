import { describe, expect, it } from 'vitest';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { MemoryDescriptionStore } from './memory-description-store.ts';
import { ToolRegistry, type ToolRegistryOptions } from './tool-registry.ts';
import type { DescriptionContext } from '../contracts/tools/tool.ts';

const small = { name: 'small', vendor: 'acme' };
const large = { name: 'large' };

function createScene(description: (context: DescriptionContext) => string, options: ToolRegistryOptions = {}) {
  const tool = (name: string, words: string | typeof description) =>
    eraseTool(defineTool({ name, description: words, kind: 'read', execute: () => `ran ${name}` }));
  const registry = new ToolRegistry({ ...options, tools: [tool('bash', description), tool('read', 'Reads a file.')] });
  const wordsFor = async (model: typeof large): Promise<string | undefined> =>
    (await registry.visibleTo(model)).get('bash')?.description;
  return { registry, tool, wordsFor };
}

describe('a description function', () => {
  it('receives the model that reads the description', async () => {
    const { registry, wordsFor } = createScene(({ model }) => `Runs a command, says ${model?.name ?? 'nobody'}.`);
    expect(await wordsFor(small)).toBe('Runs a command, says small.');
    expect(await wordsFor(large)).toBe('Runs a command, says large.');
    expect(registry.get('bash')?.description).toBe('Runs a command, says nobody.');
    expect((await registry.definitions())[0]?.description).toBe('Runs a command, says nobody.');
  });

  it('does not recommend a missing tool', async () => {
    const { registry, wordsFor } = createScene(({ has }) =>
      has('read') ? 'Not for files: use read.' : 'Any command.',
    );
    expect(await wordsFor(large)).toBe('Not for files: use read.');
    expect(registry.allDefinitions()[0]?.description).toBe('Not for files: use read.');
    registry.disable('read');
    expect(await wordsFor(large)).toBe('Any command.');
  });

  it('creates a new snapshot only if the description changed', async () => {
    let words = 'first';
    const { registry } = createScene(() => words);
    const first = await registry.visibleTo(large);
    expect(await registry.visibleTo(small)).toBe(first);
    words = 'second';
    const second = await registry.visibleTo(large);
    expect(second).not.toBe(first);
    expect([second.names, second.get('read'), second.providerFor('bash')]).toEqual([
      ['bash', 'read'],
      first.get('read'),
      'local',
    ]);
    expect(second.tools.map(({ description }) => description)).toEqual(['second', 'Reads a file.']);
    expect(await registry.visibleTo(large)).toBe(second);
  });

  it('falls back to the first description when it fails', async () => {
    let fails = false;
    const { wordsFor } = createScene(() => {
      if (fails) throw new Error('no words');
      return 'Runs a command.';
    });
    fails = true;
    expect(await wordsFor(large)).toBe('Runs a command.');
  });

  it('is overridden by a description that is set at run time', async () => {
    const descriptions = new MemoryDescriptionStore();
    const { wordsFor } = createScene(({ model }) => `for ${model?.name ?? 'nobody'}`, { descriptions });
    await descriptions.set('bash', 'for nobody');
    expect(await wordsFor(large)).toBe('for nobody');
    await descriptions.delete('bash');
    expect(await wordsFor(large)).toBe('for large');
  });

  it('does not prevent the tool from running', async () => {
    const { registry } = createScene(({ model }) => `for ${model?.name ?? 'nobody'}`);
    const source = createDispatcher({ registry });
    const snapshot = await source.visibleTo(large);
    const result = await source.dispatch({ id: '1', name: 'bash', arguments: '' }, { snapshot });
    expect(result).toMatchObject({ ok: true, content: [{ type: 'text', text: 'ran bash' }] });
  });
});

describe('an availability answer', () => {
  it('is cached as long as the tool specifies, regardless of the registry', async () => {
    let now = 0;
    let asked = 0;
    const make = (name: string, availabilityTtlMs?: number) =>
      eraseTool(
        defineTool({
          name,
          description: 'd',
          ...(availabilityTtlMs === undefined ? {} : { availabilityTtlMs }),
          available: () => {
            asked += 1;
            return true;
          },
          execute: () => name,
        }),
      );
    const asks = async (tool: ReturnType<typeof make>, ttl: number): Promise<number> => {
      const registry = new ToolRegistry({ tools: [tool], availabilityTtlMs: ttl, now: () => now });
      asked = 0;
      for (let times = 0; times < 4; times += 1) {
        await registry.visibleTo(large);
        now += 100;
      }
      return asked;
    };
    expect(await asks(make('a'), 0)).toBe(4);
    expect(await asks(make('b', 250), 0)).toBe(2);
    expect(await asks(make('c', 0), 10_000)).toBe(4);
    expect(await asks(make('d'), 10_000)).toBe(1);
  });
});
