import { toolError, type ToolError } from '@haft/core';
import { decodeText, hashContent, isBinary, readConfinedFile, type TextFormat } from '@haft/sandbox';
import { count } from '../count.ts';
import { toFileError, type Access, type FilePlace } from './file-errors.ts';

/** A text file, read completely. */
export interface TextFile {
  readonly ok: true;
  /** The real absolute path. */
  readonly path: string;
  readonly bytes: Uint8Array;
  /** The text without its byte order mark, with its original line endings. */
  readonly text: string;
  readonly format: TextFormat;
  readonly hash: string;
}

/** Why a file cannot be read as text. */
export interface TextFileFailure {
  readonly ok: false;
  readonly error: ToolError;
  /** Whether the file is missing, so that it may be created. */
  readonly isMissing: boolean;
}

/**
 * Reads a text file of at most 10 MB from the roots for `access`. Error codes are those of `toFileError`, and
 * `BINARY_FILE`.
 */
export async function readTextFile(place: FilePlace, access: Access): Promise<TextFile | TextFileFailure> {
  const { workspace, path, shown } = place;
  const roots = access === 'read' ? workspace.readRoots : workspace.writeRoots;
  const file = await readConfinedFile(roots, path, place);
  if (!file.ok)
    return { ok: false, error: await toFileError(file, access, place), isMissing: file.code === 'NOT_FOUND' };
  if (isBinary(file.bytes)) return { ok: false, error: binaryFile(shown, file.size), isMissing: false };
  const { text, encoding, bom, lossless } = decodeText(file.bytes);
  if (!lossless) return { ok: false, error: binaryFile(shown, file.size), isMissing: false };
  return {
    ok: true,
    path: file.path,
    bytes: file.bytes,
    text,
    format: { encoding, bom },
    hash: hashContent(file.bytes),
  };
}

/** Creates the error for a binary file. */
export function binaryFile(shown: string, size: number, mediaType?: string): ToolError {
  const type = mediaType === undefined ? '' : `${mediaType}, `;
  return toolError('BINARY_FILE', `${shown} is not text (${type}${count(size, 'byte')})`, {
    hint: 'Use bash with a program that knows the format, such as "file" or "xxd".',
    details: { path: shown, bytes: size },
  });
}
