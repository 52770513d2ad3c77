/**
 * Sends calls of the tool to an HTTP server, several at a time, and prints the outcomes. Arguments: URL, calls,
 * parallel calls, era of the protocol.
 */
import { Agent, request } from 'node:http';
import { echoName, echoText } from './echo-tool.ts';

const [address = '', calls = '', concurrent = '', generation = 'legacy'] = process.argv.slice(2);
const url = new URL(address);
const agent = new Agent({ keepAlive: true, maxSockets: Number(concurrent) });
const isModern = generation === 'modern';
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const times: number[] = [];
const failures = new Map<string, number>();
let next = 0;

/** Makes one call. Resolves to the reason if it failed. */
function call(id: number): Promise<string | undefined> {
  const params = { name: echoName, arguments: { text: echoText }, ...(isModern ? { _meta: meta } : {}) };
  const body = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'content-length': Buffer.byteLength(body),
    'mcp-protocol-version': isModern ? '2026-07-28' : '2025-11-25',
    ...(isModern ? { 'mcp-method': 'tools/call', 'mcp-name': echoName } : {}),
  };
  return new Promise((resolve) => {
    const sent = request(url, { method: 'POST', agent, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8');
      answer.on('data', (piece: string) => (text += piece));
      answer.on('error', (error) => resolve(error.message));
      answer.on('end', () => {
        if (answer.statusCode !== 200) return resolve(`status ${answer.statusCode}: ${text.slice(0, 200)}`);
        resolve(text.includes(`"${echoText}"`) ? undefined : text.slice(0, 200));
      });
    });
    sent.on('error', (error) => resolve(error.message));
    sent.end(body);
  });
}

async function work(): Promise<void> {
  while (next < Number(calls)) {
    next += 1;
    const startedAt = performance.now();
    const failure = await call(next);
    times.push(performance.now() - startedAt);
    if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1);
  }
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(concurrent) }, work));
const seconds = (performance.now() - startedAt) / 1_000;
agent.destroy();
times.sort((a, b) => a - b);
process.stdout.write(
  JSON.stringify({
    perSecond: Number(calls) / seconds,
    p99Ms: times[Math.floor(times.length * 0.99)],
    errors: [...failures.values()].reduce((sum, count) => sum + count, 0),
    failures: [...failures].slice(0, 3),
  }),
);
