import { describe, expect, it } from 'vitest';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { MemoryDescriptionStore } from './memory-description-store.ts';
import { ToolRegistry, type RegistryChange } from './tool-registry.ts';

const tool = (name: string): AnyTool =>
  eraseTool(
    defineTool({
      name,
      description: `Own words of ${name}.`,
      kind: 'read',
      input: { type: 'object', properties: {} },
      execute: () => name,
    }),
  );

describe('replacement descriptions', () => {
  it('appear in the next snapshot, and earlier snapshots keep theirs', async () => {
    const descriptions = new MemoryDescriptionStore();
    const registry = new ToolRegistry({ tools: [tool('a'), tool('b')], descriptions });
    const changes: RegistryChange[] = [];
    registry.onChange((change) => changes.push(change));
    const before = registry.snapshot();
    await descriptions.set('a', 'Better words.');
    expect(before.get('a')?.description).toBe('Own words of a.');
    expect(registry.snapshot().tools.map((one) => one.description)).toEqual(['Better words.', 'Own words of b.']);
    expect(registry.snapshot().get('b')).toBe(before.get('b'));
    expect(registry.allDefinitions()[0]).toMatchObject({ description: 'Better words.' });
    expect(changes).toEqual([{ version: registry.version, added: [], removed: [], replaced: ['a'] }]);
    expect(await descriptions.delete('a')).toBe(true);
    expect(registry.snapshot().get('a')).toBe(before.get('a'));
  });

  it('do not change the tool itself', async () => {
    const descriptions = new MemoryDescriptionStore();
    await descriptions.set('a', 'Better words.');
    const dispatcher = createDispatcher({ registry: new ToolRegistry({ tools: [tool('a')], descriptions }) });
    expect(renderForModel(await dispatcher.dispatch({ id: 'c', name: 'a', arguments: {} }))).toBe('a');
  });

  it('cause no change for unknown tools or unchanged descriptions', async () => {
    const descriptions = new MemoryDescriptionStore();
    const registry = new ToolRegistry({ tools: [tool('a')], descriptions });
    await descriptions.set('later', 'For a tool to come.');
    const { version } = registry;
    await descriptions.set('later', 'For a tool to come.');
    expect(await descriptions.delete('never')).toBe(false);
    expect([registry.version, descriptions.revision]).toEqual([version, 1]);
    registry.register(tool('later'));
    expect(registry.snapshot().get('later')?.description).toBe('For a tool to come.');
  });

  it('are replaced all at once, with one bump', async () => {
    const descriptions = new MemoryDescriptionStore();
    await descriptions.set('a', 'First.');
    const bumps: (readonly string[])[] = [];
    const remove = descriptions.addBumper((names) => bumps.push(names));
    descriptions.addBumper(() => {
      throw new Error('a listener of somebody else');
    });
    await descriptions.load([
      ['b', 'Second.'],
      ['c', 'Third.'],
    ]);
    expect(bumps).toEqual([['a', 'b', 'c']]);
    expect(descriptions.description('a')).toBeUndefined();
    remove();
    await descriptions.load([]);
    expect(bumps).toHaveLength(1);
  });

  it('are saved before listeners are notified, and loaded again', async () => {
    const kept = new Map<string, string>([['a', 'Kept.']]);
    const persistence = {
      load: () => Promise.resolve(kept),
      save: (name: string, description: string | undefined) => {
        if (description === 'refused') return Promise.reject(new Error('the disk is full'));
        if (description === undefined) kept.delete(name);
        else kept.set(name, description);
        return Promise.resolve();
      },
    };
    const descriptions = new MemoryDescriptionStore(persistence);
    await descriptions.load();
    expect(descriptions.description('a')).toBe('Kept.');
    await expect(descriptions.set('a', 'refused')).rejects.toThrow('the disk is full');
    expect(descriptions.description('a')).toBe('Kept.');
    await descriptions.set('b', 'New.');
    await descriptions.delete('a');
    expect([...kept]).toEqual([['b', 'New.']]);
  });

  it('are never blank', async () => {
    const descriptions = new MemoryDescriptionStore();
    await expect(descriptions.set('a', ' ')).rejects.toMatchObject({ code: 'INVALID_OPTION' });
    await expect(descriptions.load([['a', '']])).rejects.toMatchObject({ code: 'INVALID_OPTION' });
  });
});
