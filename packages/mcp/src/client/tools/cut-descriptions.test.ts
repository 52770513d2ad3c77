import { createDispatcher } from '@haft/core';
import { createToolIndex, createToolSearch } from '@haft/core/search';
import { afterEach, describe, expect, it } from 'vitest';
import { createHandWrittenServer, listedTool } from '../../fixtures/hand-written-server.ts';
import { createTestConnection } from '../../fixtures/test-connection.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
});

describe('a search', () => {
  it('finds a tool by words that were cut from its description, which no model sees', async () => {
    const description = `Talks. ${'word '.repeat(1_700)}seismograph\u202e \u001b[31mtectonics`;
    const server = createHandWrittenServer({
      'tools/list': () => ({
        tools: [
          listedTool('talkative', { description }),
          listedTool('short', { description: `Short. ${'word '.repeat(1_600)}` }),
        ],
      }),
    });
    const { connection, registry } = await createTestConnection({ name: 'raw', transport: server.transport });
    cleanups.push(() => connection.close());
    const [talkative, short] = ['raw_talkative', 'raw_short'].map((name) => registry.get(name)!);
    expect(short!.searchText).toBeUndefined();
    expect(short!.description).toContain(`Short. ${'word '.repeat(1_599)}word\n`);
    expect(talkative!.description).not.toContain('seismograph');
    expect(talkative!.searchText).toMatch(/word seismograph tectonics$/);
    const index = createToolIndex(connection.tools);
    for (const query of ['seismograph', 'tectonics'])
      expect(index.search(query).map(({ tool }) => tool.name)).toEqual(['raw_talkative']);
    const source = createToolSearch(createDispatcher({ registry }), { maxBytes: 4_000 });
    const found = await source.dispatch({ id: '1', name: 'search_tools', arguments: { query: 'seismograph' } });
    expect(JSON.stringify(found.content)).toContain('raw_talkative');
    expect(JSON.stringify(found.content)).not.toContain('seismograph');
  });
});
