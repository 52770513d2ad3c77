import { isAscii } from 'node:buffer';
import { decodeText, detectEncoding, isBinary } from '@haft/sandbox/reading';
import { prepareTextSearch, type TextQuery, type TextSearch, type TextSearchResult } from './text-search.ts';

/** The matches in one file. */
export interface BytesSearchResult extends TextSearchResult {
  /** Whether the file is binary. Its lines are not shown, and at most one match is counted. */
  readonly isBinary: boolean;
}

/** Searches the content of one file. */
export type BytesSearch = (bytes: Uint8Array) => BytesSearchResult;

const pieceBytes = 1_048_576;
const sliceLength = 131_072;
/** Maximum number of searched characters per line. */
export const maxSearchedLine = 1_000_000;

/** Prepares a search in file contents. Throws the engine's error if it rejects the pattern. */
export function prepareBytesSearch(query: TextQuery): BytesSearch {
  const startText = prepareTextSearch(query);
  const startBinary = prepareTextSearch({ ...query, isFirstEnough: true, keep: 0 });
  const searchTexts = (search: TextSearch, texts: Iterable<string>): TextSearchResult => {
    for (const text of texts) {
      searchText(search, text, query.isMultiline);
      if (search.isDone()) break;
    }
    return search.finish();
  };
  return (bytes) => {
    // ASCII text consists of the same characters in every encoding, so most files need no detection of their encoding.
    const plain = readPlain(bytes);
    const found = plain === undefined ? undefined : searchTexts(startText(), [plain]);
    if (found?.matches === 0) return { ...found, isBinary: false };
    if (isBinary(bytes)) return { ...searchTexts(startBinary(), decodeBinary(bytes)), isBinary: true };
    return { ...(found ?? searchTexts(startText(), decodePieces(bytes, query.isMultiline))), isBinary: false };
  };
}

/** Returns the text of a small ASCII file without carriage returns, or undefined for any other file. */
function readPlain(bytes: Uint8Array): string | undefined {
  if (bytes.length > pieceBytes || !isAscii(bytes)) return undefined;
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return view.includes(13) ? undefined : view.toString('latin1');
}

function searchText(search: TextSearch, text: string, isMultiline: boolean): void {
  if (isMultiline) search.push(text);
  else {
    for (const slice of sliceLines(text)) {
      search.push(slice);
      if (search.isDone()) return;
    }
  }
}

/** Decodes a text in chunks that end at line ends, and converts all line ends to line feeds. */
function* decodePieces(bytes: Uint8Array, isComplete: boolean): Generator<string, void, undefined> {
  if (isComplete || bytes.length <= pieceBytes) {
    yield unifyBreaks(decodeText(bytes).text, true);
    return;
  }
  const { encoding, bom } = detectEncoding(bytes);
  if (encoding.startsWith('utf-16')) {
    yield unifyBreaks(decodeText(bytes).text, true);
    return;
  }
  // The encoding of the whole file applies to every chunk: a part of a Windows-1252 file may look like UTF-8.
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for (let from = bom ? 3 : 0; from < bytes.length;) {
    const last = bytes.lastIndexOf(10, Math.min(from + pieceBytes, bytes.length) - 1);
    const next = last >= from ? last : bytes.indexOf(10, from);
    const end = next === -1 || bytes.length - from <= pieceBytes ? bytes.length : next + 1;
    yield unifyBreaks(decoder.decode(bytes.subarray(from, end)), end === bytes.length);
    from = end;
  }
}

/** Decodes bytes as Latin-1, to check only whether a binary file matches. Its lines have no meaning. */
function* decodeBinary(bytes: Uint8Array): Generator<string, void, undefined> {
  for (let from = 0; from < bytes.length; from += pieceBytes)
    yield Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(pieceBytes, bytes.length - from)).toString(
      'latin1',
    );
}

/** Converts line ends to line feeds. Single carriage returns end lines only in a text without any line feed. */
function unifyBreaks(text: string, isLast: boolean): string {
  if (!text.includes('\r')) return text;
  if (!text.includes('\n')) return isLast ? text.replaceAll('\r', '\n') : text;
  const unified = text.replaceAll('\r\n', '\n');
  return isLast && unified.endsWith('\r') ? unified.slice(0, -1) : unified;
}

function* sliceLines(text: string): Generator<string, void, undefined> {
  for (let from = 0; from < text.length;) {
    if (text.length - from <= sliceLength) {
      yield from === 0 ? text : text.slice(from);
      return;
    }
    const last = text.lastIndexOf('\n', from + sliceLength - 1);
    const next = last >= from ? last : text.indexOf('\n', from);
    const end = next === -1 ? text.length : next + 1;
    yield end - from > maxSearchedLine ? `${text.slice(from, from + maxSearchedLine)}\n` : text.slice(from, end);
    from = end;
  }
}
