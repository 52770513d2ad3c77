import { toolError, type ToolError } from '@haft/core';
import { decodeText, hashContent, isBinary, readConfinedFile, type Roots, type TextFormat } from '@haft/sandbox';
import { toFileError, type Access } from './file-errors.ts';

/** A whole text file, as stored. */
export interface TextFile {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** Without its byte order mark, line endings as stored. */
  readonly text: string;
  readonly format: TextFormat;
  readonly hash: string;
}

/** Why a file could not be taken as text. */
export interface TextFileFailure {
  readonly ok: false;
  readonly error: ToolError;
}

/** Reads a whole text file of at most 10 MB. Codes as in `toFileError`, and `BINARY_FILE`. */
export async function readTextFile(
  roots: Roots,
  path: string,
  shown: string,
  access: Access,
): Promise<TextFile | TextFileFailure> {
  const file = await readConfinedFile(roots, path);
  if (!file.ok) return { ok: false, error: toFileError(file, access, shown) };
  if (isBinary(file.bytes)) return { ok: false, error: binaryFile(shown, file.size) };
  const { text, encoding, bom, lossless } = decodeText(file.bytes);
  if (!lossless) return { ok: false, error: binaryFile(shown, file.size) };
  return {
    ok: true,
    path: file.path,
    bytes: file.bytes,
    text,
    format: { encoding, bom },
    hash: hashContent(file.bytes),
  };
}

/** What is said of a file that is not text. */
export function binaryFile(shown: string, size: number): ToolError {
  return toolError('BINARY_FILE', `${shown} is not text (${size} bytes)`, {
    hint: 'Only text files can be read, written over or edited. Use bash with a program that knows the format, such as "file" or "xxd".',
    details: { path: shown, bytes: size },
  });
}
