import { appendFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isRecord } from '@haft/core/options';
import { describeCause } from '@haft/core/results';
import type { JsonRpcMessage } from '../protocol/message.ts';
import { McpError } from '../mcp-error.ts';
import { createMessageRedactor } from '../untrusted/redact-message.ts';

/** One message of a session. */
export interface RecordedMessage {
  /** Milliseconds since the start of the session. */
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly message: JsonRpcMessage;
}

/** The messages of one session, in order. */
export type Recording = readonly RecordedMessage[];

/** Where messages are recorded. */
export interface RecorderOptions {
  /** File to write, one message per line. It is replaced. Default: none. */
  readonly file?: string;
  /** Values to replace by `[redacted]` in what is recorded, such as tokens. Default: none. */
  readonly secrets?: readonly string[];
  /** Called with each recorded message. */
  readonly onMessage?: (recorded: RecordedMessage) => void;
}

/** Records messages. */
export interface Recorder {
  record(from: RecordedMessage['from'], message: JsonRpcMessage): void;
  readonly recording: Recording;
}

/** Creates a recorder. The file holds every message that was recorded before a crash. */
export function createRecorder({ file, secrets = [], onMessage }: RecorderOptions): Recorder {
  const started = performance.now();
  const recording: RecordedMessage[] = [];
  const redact = createMessageRedactor(secrets);
  if (file !== undefined) writeFileSync(file, '', { mode: 0o600 });
  return {
    recording,
    record(from, message) {
      const at = Math.round(performance.now() - started);
      const recorded: RecordedMessage = { at, from, message: redact(message) as JsonRpcMessage };
      recording.push(recorded);
      if (file !== undefined) appendFileSync(file, `${JSON.stringify(recorded)}\n`);
      onMessage?.(recorded);
    },
  };
}

/**
 * Reads a recording.
 *
 * @throws McpError `INVALID_OPTION` if the file can't be read, or a line is no recorded message.
 */
export async function readRecording(file: string): Promise<Recording> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new McpError('INVALID_OPTION', `${file}: can't be read: ${describeCause(cause)}`, { cause });
  }
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => {
      const recorded = parse(line);
      if (!recorded) throw new McpError('INVALID_OPTION', `${file}: line ${number} is not a recorded message`);
      return recorded;
    });
}

function parse(line: string): RecordedMessage | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isSound =
      isRecord(value) &&
      typeof value['at'] === 'number' &&
      (value['from'] === 'client' || value['from'] === 'server') &&
      isRecord(value['message']);
    return isSound ? (value as unknown as RecordedMessage) : undefined;
  } catch {
    return undefined;
  }
}
