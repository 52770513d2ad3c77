import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import { hostTime, type ChildBudget, type ChildCost } from '../channel/child-budget.ts';
import { createLineChannel, type LineChannel } from '../channel/line-channel.ts';
import { channelDescriptor, maxChildMessageBytes, maxHostMessageBytes } from '../channel/messages.ts';
import type { LooseMessage, RunningPlugin, RunningPluginListener } from './process-handle.ts';

/** Time during which the output of an ended process is still read, in milliseconds. */
export const finalOutputMs = 100;
/** Number of log lines that cost the host as much as one question. */
const questionCost = 50;

/** Callbacks of a channel. */
export interface ChildChannelParts {
  readonly budget: ChildBudget;
  readonly charge: (cost: ChildCost) => void;
  readonly kill: RunningPlugin['kill'];
  readonly onPong: (nonce: unknown) => void;
  readonly onMessage: RunningPluginListener['onMessage'];
}

/** Opens the channel of a process. Charges for every message that the host did not request. */
export function openChildChannel(
  child: ChildProcess,
  { budget, charge, kill, onPong, onMessage }: ChildChannelParts,
): LineChannel | undefined {
  const stream = child.stdio[channelDescriptor] as Duplex | Readable | null | undefined;
  // A process that could not be started has no streams.
  if (!stream || !('write' in stream)) return undefined;
  let began = 0;
  /** Whether the current bytes answer a request of the host. Requested answers are not charged. */
  let isAsked = false;
  const take = (message: LooseMessage, bytes: number): void => {
    const { t } = message;
    if (t === 'pong') return onPong(message['nonce']);
    if (budget.isOverloaded && (t === 'progress' || t === 'log')) return charge({ bytes, messages: 1 });
    const verdict = onMessage(message);
    if (verdict === 'stray') return kill('protocol');
    if (verdict === 'news') return charge({ bytes, messages: t === 'ask' ? questionCost : 1 });
    isAsked = true;
    began = hostTime();
  };
  stream.on('data', () => {
    isAsked = false;
    began = hostTime();
  });
  const limits = { sent: maxHostMessageBytes, received: maxChildMessageBytes, isPeerTrusted: false };
  const channel = createLineChannel(stream, limits, {
    onMessage: take,
    onFault(fault) {
      if (fault === 'not an object') kill('protocol');
      else kill('flood', fault === 'too long' ? 'message size' : 'message complexity');
    },
    // Without its channel, the process is useless. Waits for its exit code, which may show the reason.
    onEnd: () => void setTimeout(() => kill('exit'), finalOutputMs).unref(),
  });
  stream.on('data', () => charge({ messages: isAsked ? 0 : 1, hostMs: hostTime() - began }));
  return channel;
}
