/**
 * Sends calls of the tool to an HTTP server, several at a time, and prints the outcomes. Arguments: URL, calls,
 * parallel calls, era of the protocol. It writes requests to sockets and reads responses itself, because a client of
 * `node:http` costs more per call than a server, and would be measured instead.
 */
import { connect, type Socket } from 'node:net';
import { percentileOf } from '@haft-tooling/measure';
import { echoName, echoText } from './echo-tool.ts';
import { createResponseReader } from './response-reader.ts';

/** The outcomes of all calls. */
export interface Load {
  readonly perSecond: number;
  readonly p99Ms: number;
  readonly errors: number;
  /** Some of the failures, with their numbers. */
  readonly failures: readonly (readonly [failure: string, count: number])[];
}

const [address = '', calls = '', concurrent = '', generation = 'legacy'] = process.argv.slice(2);
const url = new URL(address);
const isModern = generation === 'modern';
const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'load', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const head = [
  `POST ${url.pathname} HTTP/1.1`,
  `host: ${url.host}`,
  'content-type: application/json',
  'accept: application/json, text/event-stream',
  `mcp-protocol-version: ${isModern ? '2026-07-28' : '2025-11-25'}`,
  ...(isModern ? ['mcp-method: tools/call', `mcp-name: ${echoName}`] : []),
].join('\r\n');

const times: number[] = [];
const failures = new Map<string, number>();
let next = 0;

/** Opens a connection and makes calls on it, one after another, until all are made. */
function work(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(url.port), url.hostname);
    let startedAt = 0;
    const reader = createResponseReader((status, body) => {
      times.push(performance.now() - startedAt);
      const failure = status !== 200 ? `status ${status}: ${body.slice(0, 200)}` : findFailure(body);
      if (failure !== undefined) failures.set(failure, (failures.get(failure) ?? 0) + 1);
      if (next < Number(calls)) startedAt = send(socket);
      else socket.end(resolve);
    });
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => reader.read(text));
    socket.once('connect', () => {
      if (next < Number(calls)) startedAt = send(socket);
      else socket.end(resolve);
    });
    socket.once('error', reject);
  });
}

function findFailure(body: string): string | undefined {
  return body.includes(`"${echoText}"`) ? undefined : body.slice(0, 200);
}

/** Sends the next call. Returns the time. */
function send(socket: Socket): number {
  next += 1;
  const params = { name: echoName, arguments: { text: echoText }, ...(isModern ? { _meta: meta } : {}) };
  const body = JSON.stringify({ jsonrpc: '2.0', id: next, method: 'tools/call', params });
  socket.write(`${head}\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  return performance.now();
}

const startedAt = performance.now();
await Promise.all(Array.from({ length: Number(concurrent) }, work));
const seconds = (performance.now() - startedAt) / 1_000;
const load: Load = {
  perSecond: Number(calls) / seconds,
  p99Ms: percentileOf(times, 0.99),
  errors: [...failures.values()].reduce((sum, count) => sum + count, 0),
  failures: [...failures].slice(0, 3),
};
process.stdout.write(JSON.stringify(load));
