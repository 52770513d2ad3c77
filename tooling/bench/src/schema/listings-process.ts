/**
 * Converts a list of tools repeatedly, each time with new but equal schemas. Prints how many bytes per listing remain.
 * Arguments: contender, number of listings. Needs `--expose-gc`.
 */
import { compileSchema } from '@haft/schema';
import { keptMemory } from '@haft-tooling/measure';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Ajv } from 'ajv';

const [name = '', count = '0', toolCount = '200'] = process.argv.slice(2);

const text = JSON.stringify(
  Array.from({ length: Number(toolCount) }, (_, index) => ({
    name: `tool_${index}`,
    inputSchema: {
      type: 'object',
      properties: {
        path: { type: 'string', description: `What tool ${index} works on.` },
        limit: { type: 'integer', minimum: 1, maximum: 1_000 + index },
        mode: { type: 'string', enum: ['fast', 'careful'] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['path'],
      additionalProperties: false,
    },
    outputSchema: { type: 'object', properties: { [`result_${index}`]: { type: 'string' } } },
  })),
);

interface Tool {
  readonly name: string;
  readonly inputSchema: { readonly type: 'object' };
}
const list = (): Tool[] => JSON.parse(text) as Tool[];
const value = { path: 'a.ts', limit: 5 };

/** Converts one list and validates a call of each tool, if the contender does so. */
const contenders: Readonly<Record<string, () => Promise<() => Promise<void>>>> = {
  haft: async () => async () => {
    for (const { inputSchema } of list()) {
      const schema = compileSchema(inputSchema);
      await schema.ready();
      if (!(await schema.validate(value)).ok) throw new Error('refused');
    }
  },
  ajv: async () => {
    const ajv = new Ajv();
    return async () => {
      for (const { inputSchema } of list()) if (!ajv.validate(inputSchema, value)) throw new Error('refused');
    };
  },
  async 'mcp-sdk'() {
    const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list() }));
    const client = new Client({ name: 'bench', version: '1.0.0' });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await server.connect(serverSide);
    await client.connect(clientSide);
    return async () => {
      if ((await client.listTools()).tools.length !== Number(toolCount)) throw new Error('some schemas are missing');
    };
  },
};

const takeListing = await contenders[name]?.();
if (takeListing === undefined) throw new Error(`unknown contender "${name}"`);

async function heapAfter(listings: number): Promise<number> {
  for (let index = 0; index < listings; index += 1) await takeListing?.();
  return (await keptMemory()).heapUsed;
}

// The first half fills caches, including those of the runtime.
const before = await heapAfter(Math.ceil(Number(count) / 2));
const after = await heapAfter(Number(count));
process.stdout.write(JSON.stringify((after - before) / Number(count)));
