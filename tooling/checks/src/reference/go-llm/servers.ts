import { allowAll, createDispatcher, errorCodes, renderForModel, silentLogger, ToolRegistry } from '@haft/core';
import { httpStatusOf } from '@haft/core/results';
import { createConnection } from '@haft/mcp';
import { createToolkit, definePrompt, text } from '@haft/toolkit';
import { expect, onTestFinished } from 'vitest';
import { codeOf } from '../ground.ts';
import { makeCall, makeTool } from '../made-tool.ts';
import { serveTools } from '../serve-tools.ts';
import type { Shown } from '../walk-features.ts';

/** go-llm with MCP servers, and over HTTP. */
export const servers: Readonly<Record<string, Shown>> = {
  G34: [
    'an error of a server is a failure, structured content precedes text, its lists are cached and reloaded, and its annotations are not trusted',
    async () => {
      const registry = new ToolRegistry();
      let lists = 0;
      const served = serveTools([
        makeTool({ name: 'rows', execute: () => ({ rows: 3 }) }),
        makeTool({
          name: 'fail',
          execute: () => {
            throw new Error('inner');
          },
        }),
      ]);
      const reach = {
        ...served.reach,
        fetch: async (input: RequestInfo | URL, init?: RequestInit) => {
          if (typeof init?.body === 'string' && init.body.includes('tools/list')) lists += 1;
          return served.reach.fetch(input, init);
        },
      };
      const connection = await createConnection({ ...reach, name: 'shop', registry });
      onTestFinished(() => connection.close());
      const source = createDispatcher({ registry, permission: allowAll });
      expect((await source.dispatch(makeCall('shop_rows'))).structured).toEqual({ rows: 3 });
      const failed = await source.dispatch(makeCall('shop_fail'));
      expect([codeOf(failed), renderForModel(failed).includes('untrusted')]).toEqual(['REMOTE_ERROR', true]);
      expect(lists).toBe(1);
      served.registry.register(makeTool({ name: 'more' }));
      await expect.poll(() => registry.has('shop_more')).toBe(true);
    },
  ],
  G32: [
    'an unreachable server is retried after a pause, with limits',
    async () => {
      const served = serveTools([makeTool({ name: 'price' })]);
      let isThere = false;
      let attempts = 0;
      const late: typeof fetch = async (input, init) => {
        if (isThere) return served.reach.fetch(input, init);
        attempts += 1;
        throw new Error('the server is unreachable');
      };
      const toolkit = await createToolkit({
        builtins: false,
        logger: silentLogger,
        connections: { shop: { ...served.reach, fetch: late } },
      });
      onTestFinished(() => toolkit.dispose());
      expect(toolkit.connections()).toMatchObject([{ namespace: 'shop', state: 'failed' }]);
      const ready = new Promise<void>((resolve) => {
        toolkit.onEvent((event) => void (event.type === 'state-change' && event.state === 'ready' && resolve()));
      });
      isThere = true;
      await ready;
      expect(toolkit.snapshot().names).toEqual(['shop_price']);
      expect(attempts).toBeLessThan(10);
    },
  ],
  G35: [
    'a toolkit is a server for tools, prompts and resources, and announces new ones',
    async () => {
      const toolkit = await createToolkit({
        builtins: false,
        tools: [makeTool()],
        prompts: [definePrompt({ name: 'hello', template: 'Say hello to {{ .who }}.' })],
        resources: [text('note', 'tea')],
      });
      onTestFinished(() => toolkit.dispose());
      const server = await toolkit.serve({ http: {} });
      const { url = '' } = await server.ready;
      const registry = new ToolRegistry();
      const connection = await createConnection({ url, name: 'far', registry });
      onTestFinished(() => connection.close());
      const { library } = connection;
      const prompts = async (): Promise<readonly string[]> => (await library.prompts()).map(({ name }) => name);
      expect([registry.names, await prompts()]).toEqual([['far_work'], ['hello']]);
      expect(await (await library.read('text:note'))[0]?.read()).toBe('tea');
      toolkit.addTool(makeTool({ name: 'more' }));
      toolkit.addPrompt(definePrompt({ name: 'bye', template: 'Say goodbye.' }));
      await expect.poll(() => registry.has('far_more')).toBe(true);
      await expect.poll(prompts).toEqual(['hello', 'bye']);
    },
  ],
  G47: [
    'every error has an HTTP status',
    async () => {
      const toolkit = await createToolkit({
        builtins: false,
        tools: [makeTool({ input: { type: 'object', required: ['a'] } })],
      });
      onTestFinished(() => toolkit.dispose());
      const status = async (name: string): Promise<number> => {
        const answer = await toolkit.call(name);
        return answer.ok ? 200 : httpStatusOf(answer.error);
      };
      expect([await status('nothing'), await status('work')]).toEqual([404, 400]);
      await toolkit.dispose();
      expect(await status('work')).toBe(503);
      const codes = ['PERMISSION_DENIED', 'RATE_LIMITED', 'EXECUTION_ERROR'] as const;
      expect(codes.map((code) => httpStatusOf({ code, ...errorCodes[code] }))).toEqual([403, 429, 500]);
    },
  ],
};
