import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import type { Invocation } from './command.ts';
import { UsageError } from './usage-error.ts';

/** Larger than any output of a model. */
const maximumBytes = 16 * 1024 * 1024;

/**
 * Reads the text for a command: a file, or standard input for `-` or if input is piped.
 * @throws UsageError if the file is missing, or if no file was named at a terminal.
 */
export async function readText(
  name: string | undefined,
  invocation: Pick<Invocation, 'cwd' | 'signal' | 'terminal'>,
): Promise<string> {
  if (name === undefined && process.stdin.isTTY) throw new UsageError('name a file, or - to read standard input');
  if (name === '-' && process.stdin.isTTY)
    invocation.terminal.note("haft: waiting for a model's text: paste it, then Ctrl-D on its own line");
  if (name === undefined || name === '-') return collect(process.stdin, 'standard input', invocation.signal);
  const path = resolve(invocation.cwd, name);
  const stats = await stat(path).catch(() => undefined);
  if (!stats) throw new UsageError(`${name}: no such file`);
  if (stats.isDirectory()) throw new UsageError(`${name} is a folder (expected a file with a model's text)`);
  return collect(createReadStream(path), name, invocation.signal);
}

async function collect(source: Readable, name: string, signal: AbortSignal): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let size = 0;
  const stop = (): void => void source.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    for await (const piece of source) {
      size += (piece as Buffer).length;
      if (size > maximumBytes) throw new UsageError(`${name} is larger than ${maximumBytes / 1024 / 1024} MB`);
      text += decoder.decode(piece as Buffer, { stream: true });
    }
  } catch (error) {
    if (signal.aborted) return '';
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${name} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return text + decoder.decode();
}
