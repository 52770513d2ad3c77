import type { Collection, Store, StoreDocument } from '@haft/store';
import { z } from 'zod';
import type { ApprovedTool } from '../client/contract/tool-approvals.ts';
import type { ServerEras } from '../client/contract/server-eras.ts';
import type { ServerEntry } from './server-entry.ts';

/** Stores a manager's data between runs. */
export interface ConnectionStore {
  entries(): Promise<ReadonlyMap<string, ServerEntry>>;
  saveEntry(name: string, entry: ServerEntry): Promise<void>;
  deleteEntry(name: string): Promise<void>;
  isApproved(hash: string): Promise<boolean>;
  approve(hash: string, line: string): Promise<void>;
  /** Returns the trusted tools of one server. A different command or URL is a different server. */
  tools(name: string, hash: string): Promise<readonly ApprovedTool[]>;
  saveTools(name: string, hash: string, tools: readonly ApprovedTool[]): Promise<void>;
  /** Returns the name that an unnamed server reported when it was first connected. */
  nameOf(hash: string): Promise<string | undefined>;
  saveName(hash: string, name: string): Promise<void>;
  /** Servers that support only the legacy era. */
  readonly eras: ServerEras;
}

const schema = z.record(z.string(), z.unknown());
const approvedTool = z.object({
  tool: z.string(),
  remoteName: z.string(),
  title: z.string(),
  description: z.string(),
  inputSchema: schema,
  outputSchema: schema.optional(),
  annotations: z.record(z.string(), z.boolean()),
});
const approvedCommand = z.object({ line: z.string(), approvedAt: z.string() });
const savedName = z.object({ name: z.string() });
const savedEra = z.object({ era: z.literal('legacy') });
const strings = z.array(z.string());

/** Schema of a saved entry, with known members only. */
const serverEntrySchema: z.ZodType<ServerEntry> = z.object({
  command: z.string().exactOptional(),
  args: strings.exactOptional(),
  env: z.record(z.string(), z.string()).exactOptional(),
  cwd: z.string().exactOptional(),
  url: z.string().exactOptional(),
  headers: z.record(z.string(), z.string()).exactOptional(),
  includeTools: strings.exactOptional(),
  excludeTools: strings.exactOptional(),
});

const savedEntry = z.object({ entry: serverEntrySchema });

const maxBatchSize = 500;

/** Creates the store for one scope. */
export function createConnectionStore(store: Store, scope: string): ConnectionStore {
  const connections = store.collection('mcp/connections', (value): { readonly entry: ServerEntry } =>
    savedEntry.parse(value),
  );
  const commands = store.collection('mcp/commands', approvedCommand);
  const tools = store.collection('mcp/tools', approvedTool);
  const names = store.collection('mcp/names', savedName);
  const eras = store.collection('mcp/eras', savedEra);
  const toolsOf = (name: string, hash: string): string => `${scope}/${name}/${hash.slice(0, 32)}/`;

  return {
    async entries() {
      const saved = await listAll(connections, `${scope}/`);
      return new Map(saved.map(({ key, value }) => [key.slice(scope.length + 1), value.entry]));
    },
    saveEntry: async (name, entry) => void (await connections.set(`${scope}/${name}`, { entry })),
    deleteEntry: async (name) => void (await connections.delete(`${scope}/${name}`)),
    isApproved: async (hash) => (await commands.get(`${scope}/${hash}`)) !== undefined,
    approve: async (hash, line) =>
      void (await commands.set(`${scope}/${hash}`, { line, approvedAt: new Date().toISOString() })),
    async tools(name, hash) {
      const saved = await listAll(tools, toolsOf(name, hash));
      return saved.map(({ value }) => ({ ...value, outputSchema: value.outputSchema }));
    },
    async saveTools(name, hash, approved) {
      for (let from = 0; from < approved.length; from += maxBatchSize)
        await store.batch(
          approved.slice(from, from + maxBatchSize).map((one) => {
            const { outputSchema, ...rest } = one;
            const value = outputSchema === undefined ? rest : { ...rest, outputSchema };
            return { kind: 'set' as const, collection: tools, key: toolsOf(name, hash) + one.tool, value };
          }),
        );
    },
    nameOf: async (hash) => (await names.get(`${scope}/${hash}`))?.value.name,
    eras: {
      isLegacy: async (hash) => (await eras.get(`${scope}/${hash}`))?.value.era === 'legacy',
      setLegacy: async (hash, isLegacy) =>
        void (isLegacy ? await eras.set(`${scope}/${hash}`, { era: 'legacy' }) : await eras.delete(`${scope}/${hash}`)),
    },
    saveName: async (hash, name) => void (await names.set(`${scope}/${hash}`, { name })),
  };
}

/** Lists all documents with a prefix. Rejects if a document is unreadable, so that trust is never lost silently. */
async function listAll<Value>(collection: Collection<Value>, prefix: string): Promise<readonly StoreDocument<Value>[]> {
  const found: StoreDocument<Value>[] = [];
  let after: string | undefined;
  do {
    const page = await collection.list(prefix, { after, limit: maxBatchSize });
    const [damaged] = page.unreadable;
    if (damaged) throw damaged.error;
    found.push(...page.documents);
    after = page.next;
  } while (after !== undefined);
  return found;
}
