import { toolError, type ToolError } from '@haft/core';
import { decodeText, hashContent, isBinary, readConfinedFile, type TextFormat } from '@haft/sandbox';
import { count } from '../count.ts';
import { toFileError, type Access, type FilePlace } from './file-errors.ts';

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

/** Why a file could not be read as text. */
export interface TextFileFailure {
  readonly ok: false;
  readonly error: ToolError;
  /** The file is missing, so it may be created. */
  readonly isMissing: boolean;
}

/** Reads a text file of at most 10 MB from the roots for `access`. Codes as in `toFileError`, and `BINARY_FILE`. */
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

/** The error for a file that is not text. */
export function binaryFile(shown: string, size: number, mediaType?: string): ToolError {
  const type = mediaType === undefined ? '' : `${mediaType}, `;
  return toolError('BINARY_FILE', `${shown} is not text (${type}${count(size, 'byte')})`, {
    hint: 'Only text files can be read, written over or edited. Use bash with a program that knows the format, such as "file" or "xxd".',
    details: { path: shown, bytes: size },
  });
}
