import { appendFileSync, lstatSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isRecord } from '@haft/core/options';
import { describeCause } from '@haft/core/results';
import type { JsonRpcMessage } from '../protocol/message.ts';
import { McpError } from '../mcp-error.ts';
import { createMessageRedactor } from '../untrusted/redact-message-secrets.ts';

/** One message of a session. */
export interface RecordedMessage {
  /** Milliseconds since the start of the session. */
  readonly at: number;
  readonly from: 'client' | 'server';
  readonly message: JsonRpcMessage;
}

/** The messages of one session, in order. */
export type Recording = readonly RecordedMessage[];

/** Options of {@link createRecorder}. */
export interface RecorderOptions {
  /** File to write, one message per line. It is replaced, and only its owner may read it. Default: none. */
  readonly file?: string;
  /**
   * Values to replace with `[redacted]` in the recording, such as tokens. The values of `env` and `headers` are always
   * replaced.
   */
  readonly secrets?: readonly string[];
  /** Called with each recorded message. */
  readonly onMessage?: (recorded: RecordedMessage) => void;
  /** Maximum size of the recording in characters. Default 256 Mi. */
  readonly maxCharacters?: number;
  /**
   * Called once if the rest of the session can't be recorded. The session continues. Default: a warning of the process.
   */
  readonly onWarning?: (error: Error) => void;
}

/** Records messages. */
export interface Recorder {
  /** Never throws. */
  record(from: RecordedMessage['from'], message: JsonRpcMessage): void;
  readonly recording: Recording;
}

const defaultMaxCharacters = 256 * 1024 * 1024;

/**
 * Creates a recorder. The file holds every message that was recorded before a crash.
 *
 * @throws McpError `INVALID_OPTION` if the file can't be written.
 */
export function createRecorder(options: RecorderOptions): Recorder {
  const { file, secrets = [], onMessage, maxCharacters = defaultMaxCharacters } = options;
  const { onWarning = (error) => process.emitWarning(error) } = options;
  const started = performance.now();
  const recording: RecordedMessage[] = [];
  const redact = createMessageRedactor(secrets);
  let characters = 0;
  let isOver = false;
  if (file !== undefined) createOwnFile(file);
  return {
    recording,
    record(from, message) {
      if (isOver) return;
      try {
        const at = Math.round(performance.now() - started);
        const recorded: RecordedMessage = { at, from, message: redact(message) as JsonRpcMessage };
        const line = `${JSON.stringify(recorded)}\n`;
        characters += line.length;
        if (characters > maxCharacters) throw new Error(`the session is longer than ${maxCharacters} characters`);
        if (file !== undefined) appendFileSync(file, line);
        recording.push(recorded);
        onMessage?.(recorded);
      } catch (cause) {
        isOver = true;
        onWarning(new Error(`the rest of the session is not recorded: ${describeCause(cause)}`, { cause }));
      }
    },
  };
}

/** Creates an empty file that only its owner may read, in place of another file or a link. */
function createOwnFile(file: string): void {
  try {
    const known = lstatSync(file, { throwIfNoEntry: false });
    if (known && !known.isFile() && !known.isSymbolicLink()) throw new Error('not a regular file');
    rmSync(file, { force: true });
    writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    throw new McpError('INVALID_OPTION', `${file}: can't be written: ${describeCause(cause)}`, { cause });
  }
}

/**
 * Reads a recording.
 *
 * @throws McpError `INVALID_OPTION` if the file can't be read, or a line is not a recorded message.
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
