import { setTimeout as wait } from 'node:timers/promises';

import { allowAll, createDispatcher, ToolRegistry } from '@haft/core';
import { createProgramTool } from '@haft/dynamic-tools';

import type { Attack } from '../../attack.ts';
import { acting, lay, loadFolder } from './load-folder.ts';

interface Flood {
  readonly does: string;
  readonly code: string;
  readonly isLong?: boolean;
  /**
   * Whether the flood may continue as long as it costs the host little. A slow machine sends less than the budgets
   * allow.
   */
  readonly mayGoOn?: boolean;
}

/** Writes to a descriptor as much as it accepts. 3 is the channel to the host. */
const writing = `const { writeSync } = await import('node:fs');
const write = (fd, text) => { const bytes = Buffer.from(text); for (let at = 0; at < bytes.length;) { try { at += writeSync(fd, bytes, at); } catch (error) { if (error.code !== 'EAGAIN') throw error; } } };
const rest = () => new Promise(setImmediate);
const line = (message) => JSON.stringify(message) + '\\n';`;

const forEver = (fd: number, text: string): string =>
  `const bytes = Buffer.from(${text}); for (;;) { write(${fd}, bytes); await rest(); }`;

const table: readonly Flood[] = [
  { does: 'sends signs of life that nobody asked for', code: forEver(3, `line({ t: 'pong', n: 1 }).repeat(3_000)`) },
  {
    does: 'sends signs of life with a nonce of its own',
    code: forEver(3, `line({ t: 'pong', nonce: '1' }).repeat(3_000)`),
  },
  {
    does: 'answers calls that nobody made',
    code: forEver(3, `line({ t: 'result', id: 99_999, value: 'x' }).repeat(2_000)`),
  },
  {
    does: 'says again and again what it is',
    code: forEver(3, `line({ t: 'described', plugin: { tools: [] } }).repeat(1_000)`),
    isLong: true,
  },
  {
    does: 'says again and again that it could not be loaded',
    code: forEver(3, `line({ t: 'failed', phase: 'import', thrown: { stack: 'x'.repeat(9_000) } }).repeat(100)`),
    isLong: true,
  },
  { does: 'sends messages of an unknown kind', code: forEver(3, `line({ t: 'nope' }).repeat(1_000)`), isLong: true },
  { does: 'sends what is not JSON', code: forEver(3, `'{\\n'.repeat(10_000)`), isLong: true },
  { does: 'sends empty lines', code: forEver(3, `'\\n'.repeat(60_000)`) },
  { does: 'sends an endless line to its host', code: forEver(3, `'x'.repeat(1_000_000)`) },
  { does: 'sends an endless line, byte by byte', mayGoOn: true, code: `for (;;) write(3, 'x');`, isLong: true },
  { does: 'prints an endless line', code: forEver(1, `'x'.repeat(1_000_000)`) },
  { does: 'prints an endless line, byte by byte', mayGoOn: true, code: `for (;;) write(2, 'x');`, isLong: true },
  { does: 'floods standard error', code: forEver(2, `('y'.repeat(99) + '\\n').repeat(10_000)`) },
  { does: 'floods standard output with empty lines', code: forEver(1, `'\\n'.repeat(1_000_000)`), isLong: true },
  {
    does: 'floods standard output with halves of characters',
    code: `const bytes = Buffer.alloc(1_000_000, 0xc3); for (;;) { write(1, bytes); await rest(); }`,
    isLong: true,
  },
  {
    does: 'logs a million tiny lines',
    mayGoOn: true,
    code: `for (let n = 0; n < 1_000_000; n += 1) context.logger.info('x'); return 'done';`,
    isLong: true,
  },
  {
    does: 'logs endlessly, with data of a thousand members',
    mayGoOn: true,
    code: forEver(
      3,
      `line({ t: 'log', level: 'info', message: 'x', data: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => ['k' + n, n])) }).repeat(20)`,
    ),
    isLong: true,
  },
  {
    does: 'reports progress endlessly',
    mayGoOn: true,
    code: forEver(3, `line({ t: 'progress', id: 1, update: { output: 'x'.repeat(60_000) } })`),
    isLong: true,
  },
  {
    does: 'asks a million questions',
    mayGoOn: true,
    code: forEver(3, `line({ t: 'ask', id: 1, ask: 1, target: { title: 'x' } }).repeat(500)`),
  },
  {
    does: 'names millions of files that it has imported',
    mayGoOn: true,
    code: `let n = 0; for (;;) { write(3, line({ t: 'files', files: Array.from({ length: 20_000 }, () => new URL('./x' + (n += 1), import.meta.url).pathname) })); await rest(); }`,
    isLong: true,
  },
  {
    does: 'sends data that is nested five million levels deep',
    code: `write(3, '{"t":"log","level":"info","message":"x","data":' + '['.repeat(3_000_000) + ']'.repeat(3_000_000) + '}\\n'); return 'sent';`,
  },
  {
    does: 'sends a message of a million members',
    code: `write(3, '{"t":"log","data":{' + Array.from({ length: 500_000 }, (_, n) => '"' + n + '":1').join() + '}}\\n'); return 'sent';`,
    isLong: true,
  },
  {
    does: 'forges a deep answer to its own call',
    code: `write(3, '{"t":"result","id":1,"value":' + '[{"a":'.repeat(500_000) + '1' + '}]'.repeat(500_000) + '}\\n'); await new Promise((done) => setTimeout(done, 60_000));`,
  },
  { does: 'answers with fifteen megabytes of text', code: `return 'x'.repeat(15_000_000);` },
  {
    does: 'answers with a million objects',
    code: `return Array.from({ length: 300_000 }, (_, n) => ({ n, a: [n] }));`,
    isLong: true,
  },
  {
    does: 'answers with an object of nearly a million members',
    code: `return Object.fromEntries(Array.from({ length: 900_000 }, (_, n) => ['k' + n, n]));`,
    isLong: true,
  },
  {
    does: 'answers with bytes that take long to unpack',
    code: `return { content: Array.from({ length: 90_000 }, () => ({ type: 'text', text: '' })) };`,
    isLong: true,
  },
];

/** Milliseconds; a machine that is busy with other work slows all of them. */
const maxTaken = 12_000;
const maxLag = 2_500;
const maxProcessor = 4_000;
/** Share of its time that the host may spend on a running call. */
const maxShare = 0.25;

/** Calls a tool and measures what the call costs this program. Returns the limits that it exceeded. */
async function measure(call: () => Promise<unknown>, mayGoOn = false): Promise<string | undefined> {
  let lag = 0;
  let last = performance.now();
  const beat = setInterval(() => {
    const at = performance.now();
    lag = Math.max(lag, at - last);
    last = at;
  }, 20);
  const before = process.cpuUsage();
  const ended = await Promise.race([call().then(() => true), wait(maxTaken, false)]);
  const { user, system } = process.cpuUsage(before);
  lag = Math.max(lag, performance.now() - last);
  clearInterval(beat);
  const processor = (user + system) / 1_000;
  if (!ended && !(mayGoOn && processor < maxTaken * maxShare))
    return `the call still ran after ${maxTaken} ms, for which the host worked ${Math.round(processor)} ms`;
  if (lag > maxLag) return `the host did nothing else for ${Math.round(lag)} ms`;
  return processor > maxProcessor ? `the host worked ${Math.round(processor)} ms for one call` : undefined;
}

const inPlugins = table.map(({ does, code, isLong = false, mayGoOn = false }): Attack => ({
  name: `A plugin ${does}`,
  isLong,
  timeoutMs: 60_000,
  async run(ground) {
    lay(ground, {
      'plugins/bad.mjs': acting(code, writing),
      'plugins/good.mjs': acting(`return 'good';`).replace(`name: 'act'`, `name: 'good'`),
    });
    const plugins = await loadFolder(ground, { jail: 'preferred' });
    const cost = await measure(() => plugins.call(), mayGoOn);
    if (cost !== undefined) return cost;
    const good = plugins.loader.plugins().find(({ id }) => id === 'good');
    return good?.state === 'live' ? undefined : 'another plugin was harmed';
  },
}));

const atImport: Attack = {
  name: 'A plugin floods its host before it is loaded',
  isLong: true,
  timeoutMs: 60_000,
  async run(ground) {
    lay(ground, {
      'plugins/bad.mjs': `${writing} for (;;) { write(3, line({ t: 'log', message: 'x'.repeat(10_000) }).repeat(10)); }`,
    });
    return measure(() => loadFolder(ground, { jail: 'preferred' }), true);
  },
};

const scripts: Readonly<Record<string, string>> = {
  'prints endlessly': `for (;;) print('x'.repeat(1_000));`,
  'makes calls endlessly': `for (;;) tools.nothing({});`,
  'returns twelve megabytes': `'x'.repeat(12_000_000)`,
  'returns a million values': `Array.from({ length: 1_000_000 }, (_, n) => n)`,
};
const inScripts = Object.entries(scripts).map(([does, script], index): Attack => ({
  name: `A script ${does}`,
  isLong: index !== 2,
  timeoutMs: 60_000,
  async run() {
    const registry = new ToolRegistry();
    const source = createDispatcher({ registry, permission: allowAll });
    registry.register(createProgramTool({ source, jail: 'preferred', limits: { ownTimeMs: 3_000 } }));
    return measure(() => source.dispatch({ id: '1', name: 'program', arguments: { script } }));
  },
}));

export const floods: readonly Attack[] = [...inPlugins, atImport, ...inScripts];
