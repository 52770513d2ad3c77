import { describe, expect, it } from 'vitest';
import type { ToolSource } from '../contracts/calls/source.ts';
import type { AnyTool } from '../contracts/tools/tool.ts';
import { defineTool, eraseTool } from '../define/define-tool.ts';
import { createDispatcher } from '../dispatch/dispatcher.ts';
import { asProviderTools } from '../registry/as-model-tool.ts';
import { ToolRegistry } from '../registry/tool-registry.ts';
import { renderForModel } from '../results/render-for-model.ts';
import { createToolSearch, type ToolSearchOptions } from './create-tool-search.ts';

const services = ['github', 'linear', 'slack', 'gmail', 'calendar', 'notion', 'stripe', 'jira', 'drive', 'zoom'];
const verbs = ['create', 'list', 'delete', 'update', 'search', 'get', 'archive', 'assign', 'export', 'share'];
const nouns = ['issue', 'message', 'project', 'comment', 'user', 'file', 'event', 'label', 'invoice', 'meeting'];

function makeTool(name: string, description: string, provider: string, weight?: number): AnyTool {
  return eraseTool(
    defineTool({
      name,
      description,
      kind: 'read',
      provider,
      ...(weight === undefined ? {} : { preference: { weight } }),
      input: { type: 'object', properties: { id: { type: 'string', description: `Which of the ${provider}` } } },
      execute: () => `ran ${name}`,
    }),
  );
}

const remote = services.flatMap((service) =>
  verbs.flatMap((verb) =>
    nouns.map((noun) =>
      makeTool(
        `${service}_${verb}_${noun}`,
        `${verb} one ${noun} in ${service}. More follows.`,
        `dynamic/mcp/${service}`,
      ),
    ),
  ),
);
const builtin = [makeTool('read', 'Reads a file.', 'builtin'), makeTool('bash', 'Runs a command.', 'builtin')];
const model = { name: 'scripted' };
const bytesOf = (tools: unknown): number => Buffer.byteLength(JSON.stringify(tools));

function makeSearch(options?: ToolSearchOptions): { source: ToolSource; registry: ToolRegistry } {
  const registry = new ToolRegistry({ tools: [...remote, ...builtin] });
  return { registry, source: createToolSearch(createDispatcher({ registry }), options) };
}

const search = (source: ToolSource, query: string): ReturnType<ToolSource['dispatch']> =>
  source.dispatch({ id: 'call_1', name: 'search_tools', arguments: { query } });

describe('a source with many tools', () => {
  it('shows few tools, in at most 8,000 bytes, regardless of the search results', async () => {
    const { source } = makeSearch();
    expect((await source.visibleTo(model)).names).toEqual(['bash', 'read', 'search_tools']);
    for (const service of services) {
      for (const verb of verbs) await search(source, `${verb} issue ${service}`);
      expect(bytesOf(asProviderTools(await source.visibleTo(model)))).toBeLessThanOrEqual(8_000);
    }
  });

  it('shows and runs found tools from the next turn on', async () => {
    const { source } = makeSearch();
    const before = await source.visibleTo(model);
    const answer = renderForModel(await search(source, 'create an issue on github'));
    expect(answer).toContain('- github_create_issue: create one issue in github.');
    expect(answer).not.toContain('More follows');
    expect(before.has('github_create_issue')).toBe(false);
    const after = await source.visibleTo(model);
    expect(after.names.slice(0, before.names.length)).toEqual(before.names);
    const [result] = await source.dispatchBatch([{ id: 'b', name: 'github_create_issue', arguments: '{}' }], {
      snapshot: after,
    });
    expect(result && renderForModel(result)).toBe('ran github_create_issue');
  });

  it('never changes the start of its list', async () => {
    const { source } = makeSearch();
    let shown = (await source.visibleTo(model)).names;
    for (const query of ['zoom meeting', 'archive project', 'assign label jira']) {
      await search(source, query);
      const next = (await source.visibleTo(model)).names;
      expect(next.slice(0, shown.length)).toEqual(shown);
      shown = next;
    }
  });

  it('still runs found tools that are no longer shown', async () => {
    const { source } = makeSearch({ maxBytes: 2_500 });
    await source.visibleTo(model);
    await search(source, 'github create issue');
    for (const service of services) await search(source, `${service} share meeting`);
    const shown = await source.visibleTo(model);
    expect(shown.names).not.toContain('github_create_issue');
    const result = await source.dispatch(
      { id: 'a', name: 'github_create_issue', arguments: '{}' },
      { snapshot: shown },
    );
    expect(renderForModel(result)).toBe('ran github_create_issue');
  });

  it('returns the same snapshot until something changes', async () => {
    const { source, registry } = makeSearch();
    const shown = await source.visibleTo(model);
    expect(await source.visibleTo(model)).toBe(shown);
    registry.register(makeTool('zz_new', 'Something new.', 'local'));
    expect(await source.visibleTo(model)).not.toBe(shown);
  });

  it('finds tools that were added later and forgets removed ones', async () => {
    const { source, registry } = makeSearch();
    await source.visibleTo(model);
    registry.register(makeTool('brew_coffee', 'Brews a cup of coffee.', 'dynamic/plugin/kitchen'));
    await source.visibleTo(model);
    expect(renderForModel(await search(source, 'coffee'))).toContain('brew_coffee');
    expect((await source.visibleTo(model)).names).toContain('brew_coffee');
    registry.clear('dynamic/plugin/kitchen');
    expect((await source.visibleTo(model)).names).not.toContain('brew_coffee');
    expect(renderForModel(await search(source, 'coffee'))).toContain('Use other, fewer');
  });

  it('shows heavy tools from the start and hides tools of weight 0', async () => {
    const registry = new ToolRegistry({
      tools: [...remote, makeTool('heavy', 'Weighs.', 'local', 5), makeTool('light', 'Weighs.', 'builtin', 0)],
    });
    const source = createToolSearch(createDispatcher({ registry }));
    expect((await source.visibleTo(model)).names).toEqual(['heavy', 'search_tools']);
  });

  it('shows named tools first, then the heaviest, the smallest among equals, and skips tools that do not fit', async () => {
    const wide = 'Wide. '.repeat(200);
    const registry = new ToolRegistry({
      tools: [
        ...remote,
        makeTool('a_wide', wide, 'builtin'),
        makeTool('named', wide, 'local'),
        makeTool('huge', wide.repeat(3), 'local', 9),
        makeTool('small', 'Small.', 'builtin'),
        makeTool('unnamed', 'Small.', 'local'),
        makeTool('z_heavy', wide, 'builtin', 2),
      ],
    });
    const source = createToolSearch(createDispatcher({ registry }), { keep: ['builtin', 'named'] });
    expect((await source.visibleTo(model)).names).toEqual(['named', 'search_tools', 'small', 'z_heavy']);
  });

  it('shows all tools, without a search tool, if everything fits', async () => {
    const registry = new ToolRegistry({ tools: builtin });
    const source = createToolSearch(createDispatcher({ registry }));
    expect((await source.visibleTo(model)).names).toEqual(['bash', 'read']);
  });

  it('rejects invalid options', () => {
    const dispatcher = createDispatcher({ registry: new ToolRegistry() });
    expect(() => createToolSearch(dispatcher, { maxBytes: 0 })).toThrow(
      'maxBytes is not valid (expected a number above 0, got 0)',
    );
    expect(() => createToolSearch({} as never)).toThrow('source is not valid (expected a ToolSource');
  });
});
