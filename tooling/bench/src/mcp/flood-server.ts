// A server without any library. `big` answers with the given number of bytes on one line; `many` sends the given number
// of notifications before its answer. The arguments are these two numbers.
import { createInterface } from 'node:readline';

const [bytes = 0, notifications = 0] = process.argv.slice(2).map(Number);
const answer = (id: unknown, result: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result })}\n`);
const tool = (name: string): object => ({ name, description: name, inputSchema: { type: 'object', properties: {} } });

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line) as {
    readonly id?: number;
    readonly method?: string;
    readonly params?: { readonly name?: string };
  };
  if (id === undefined) return;
  if (method === 'initialize')
    return answer(id, {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: 'flood', version: '1.0.0' },
    });
  if (method === 'tools/list') return answer(id, { tools: [tool('big'), tool('many')] });
  if (method !== 'tools/call')
    return void process.stdout.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'unknown method' } })}\n`,
    );
  if (params?.name === 'many') {
    const notification = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'a line of a log that a server writes over and over' },
    });
    process.stdout.write(`${notification}\n`.repeat(notifications));
    return answer(id, { content: [{ type: 'text', text: 'done' }] });
  }
  return answer(id, { content: [{ type: 'text', text: 'x'.repeat(bytes) }] });
});
