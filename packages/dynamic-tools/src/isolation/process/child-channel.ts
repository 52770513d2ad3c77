import type { ChildProcess } from 'node:child_process';
import type { Duplex, Readable } from 'node:stream';
import type { ChildBudget, ChildCost } from '../channel/child-budget.ts';
import { createLineChannel, type LineChannel } from '../channel/line-channel.ts';
import { channelDescriptor, maxChildMessageBytes, maxHostMessageBytes } from '../channel/messages.ts';
import type { LooseMessage, RunningPlugin, RunningPluginListener } from './process-handle.ts';

/** Milliseconds in which the output of a process that has ended is still read. */
export const finalOutputMs = 100;
/** A question costs its host as much as so many lines of a log. */
const questionCost = 50;

/** What the channel of a process reports to. */
export interface ChildChannelParts {
  readonly budget: ChildBudget;
  readonly charge: (cost: ChildCost) => void;
  readonly kill: RunningPlugin['kill'];
  readonly onPong: (nonce: unknown) => void;
  readonly onMessage: RunningPluginListener['onMessage'];
}

/** Opens the channel of a process, and charges for each message that the host did not ask for. */
export function openChildChannel(
  child: ChildProcess,
  { budget, charge, kill, onPong, onMessage }: ChildChannelParts,
): LineChannel | undefined {
  const stream = child.stdio[channelDescriptor] as Duplex | Readable | null | undefined;
  // A process that could not be started has no streams.
  if (!stream || !('write' in stream)) return undefined;
  let began = 0;
  /** Whether the bytes at hand answer what the host has asked for: these are not charged. */
  let isAsked = false;
  const take = (message: LooseMessage, bytes: number): void => {
    const { t } = message;
    if (t === 'pong') return onPong(message['nonce']);
    if (budget.isOverloaded && (t === 'progress' || t === 'log')) return charge({ bytes, messages: 1 });
    const verdict = onMessage(message);
    if (verdict === 'stray') return kill('protocol');
    if (verdict === 'news') return charge({ bytes, messages: t === 'ask' ? questionCost : 1 });
    isAsked = true;
    began = performance.now();
  };
  stream.on('data', () => {
    isAsked = false;
    began = performance.now();
  });
  const limits = { sent: maxHostMessageBytes, received: maxChildMessageBytes, isPeerTrusted: false };
  const channel = createLineChannel(stream, limits, {
    onMessage: take,
    onFault(fault) {
      if (fault === 'not an object') kill('protocol');
      else kill('flood', fault === 'too long' ? 'message size' : 'message complexity');
    },
    // Without its channel nothing more can come of it; how it ended by itself is worth waiting for.
    onEnd: () => void setTimeout(() => kill('exit'), finalOutputMs).unref(),
  });
  stream.on('data', () => charge({ messages: isAsked ? 0 : 1, hostMs: performance.now() - began }));
  return channel;
}
