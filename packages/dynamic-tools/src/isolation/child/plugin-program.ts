// The program of a plugin's process: it loads the plugin, describes it to the host, and runs its tools.
import { Socket } from 'node:net';
import { createModuleVersion } from '../../files/module-versions.ts';
import { takePlugin } from '../../plugin/take-plugin.ts';
import type { Method } from '../../plugin/definition/take-defined-tool.ts';
import type { TakenParts } from '../../plugin/parts/take-parts.ts';
import { readThrown } from '../../thrown-text.ts';
import { createLineChannel } from '../channel/line-channel.ts';
import { isTooComplex } from '../channel/json-complexity.ts';
import {
  channelDescriptor,
  maxChildMessageBytes,
  maxHostMessageBytes,
  type HostMessage,
  type PluginMessage,
} from '../channel/messages.ts';
import { createChildCalls } from './child-calls.ts';
import { createRemoteLogger } from './child-context.ts';
import { describePlugin, type ChildTool } from './child-tools.ts';
import { warmUp } from './warm-up.ts';

/** A buffer that is reused, because messages are short and frequent. */
const buffer = Buffer.alloc(65_536);
let feed: (chunk: Buffer) => void = () => undefined;
const stream = new Socket({
  fd: channelDescriptor,
  readable: true,
  writable: true,
  onread: {
    buffer,
    callback(bytes) {
      feed(buffer.subarray(0, bytes));
      return true;
    },
  },
});
const leaving = new AbortController();
let tools: readonly ChildTool[] = [];
let parts: TakenParts = { prompts: [], resources: [], hooks: undefined };
let dispose: Method | undefined;
let files: ReadonlySet<string> = new Set();
let reportedFiles = 0;
let hasNetwork = false;

const sendText = (text: string): void => void stream.write(`${text}\n`);
const send = (message: PluginMessage): void => {
  try {
    const text = JSON.stringify(message);
    if (
      isTooComplex(text) ||
      (text.length > maxChildMessageBytes / 3 && Buffer.byteLength(text) > maxChildMessageBytes)
    )
      throw new RangeError('a message is too large');
    sendText(text);
  } catch (thrown) {
    // The message can't be serialized; for a call, the caller reports it.
    if (message.t !== 'progress' && message.t !== 'log') throw thrown;
  }
};
const reportFiles = (): void => {
  if (files.size === reportedFiles) return;
  reportedFiles = files.size;
  send({ t: 'files', files: [...files] });
};
const calls = createChildCalls(
  () => tools,
  () => parts,
  () => ({ files, hasNetwork }),
  send,
  sendText,
);

const lineLimits = { sent: maxChildMessageBytes, received: maxHostMessageBytes, isPeerTrusted: true };
({ feed } = createLineChannel(stream, lineLimits, {
  onMessage: (message) => handleMessage(message as unknown as HostMessage),
  onFault: () => undefined,
  // The host has ended.
  onEnd: () => process.exit(0),
}));

function handleMessage(message: HostMessage): void {
  switch (message.t) {
    case 'load':
      void load(message);
      break;
    case 'call':
    case 'run':
      void calls.run(message).then(reportFiles);
      break;
    case 'failure':
      toWireTool(message);
      break;
    case 'cancel':
      calls.cancel(message);
      break;
    case 'decision':
      calls.answer(message);
      break;
    case 'ping':
      send({ t: 'pong', nonce: message.nonce });
      break;
    case 'warm':
      void warmUp();
      break;
    case 'dispose':
      void leave();
      break;
  }
}

async function load(message: Extract<HostMessage, { readonly t: 'load' }>): Promise<void> {
  const { id, entry, hostPackages, bases, stripped } = message;
  ({ hasNetwork } = message);
  const version = createModuleVersion(entry, hostPackages, bases, stripped);
  ({ files } = version);
  let phase: 'import' | 'validate' | 'setup' = 'import';
  try {
    const exports = await version.import();
    reportFiles();
    phase = 'validate';
    const taken = takePlugin(exports['default'], Object.keys(exports));
    if (typeof taken === 'string') return send({ t: 'failed', phase, message: taken });
    const described = await describePlugin(taken);
    ({ tools } = described);
    parts = taken;
    ({ dispose } = taken);
    phase = 'setup';
    await taken.setup?.({ id, signal: leaving.signal, logger: createRemoteLogger(send) });
    send({ t: 'described', plugin: described.plugin });
  } catch (thrown) {
    reportFiles();
    send({ t: 'failed', phase, thrown: readThrown(thrown, hasNetwork) });
  }
}

function toWireTool({ tool, result, args }: Extract<HostMessage, { readonly t: 'failure' }>): void {
  try {
    tools[tool]?.methods.onFailure?.(result, args);
  } catch {
    // An exception of `onFailure` does not change the failure.
  }
}

async function leave(): Promise<void> {
  leaving.abort();
  let problem: string | undefined;
  try {
    await dispose?.();
  } catch (thrown) {
    problem = `dispose threw: ${readThrown(thrown).message}`;
  }
  send({ t: 'disposed', ...(problem !== undefined && { problem }) });
  stream.end(() => process.exit(0));
}
