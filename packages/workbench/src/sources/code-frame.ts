import { readFile, stat } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { CodeFrame } from '../contract/page-data.ts';

const linesAround = 3;
const maxBytes = 1_000_000;
const maxLine = 400;

/** Reads the lines around a line of a file in a directory. Returns undefined if the file is elsewhere or not readable. */
export async function readCodeFrame(directory: string, file: string, line: number): Promise<CodeFrame | undefined> {
  const path = resolve(directory, file);
  if (!path.startsWith(`${resolve(directory)}${sep}`)) return undefined;
  try {
    const found = await stat(path);
    if (!found.isFile() || found.size > maxBytes) return undefined;
    const lines = (await readFile(path, 'utf8')).split('\n');
    const first = Math.max(1, line - linesAround);
    const shown = lines.slice(first - 1, line + linesAround);
    return { path, line, lines: shown.map((text, index) => ({ number: first + index, text: text.slice(0, maxLine) })) };
  } catch {
    return undefined;
  }
}
