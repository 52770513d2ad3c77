import { isAscii } from 'node:buffer';
import { decodeText, detectEncoding, isBinary } from '@haft/sandbox/reading';
import { prepareTextSearch, type TextQuery, type TextSearch, type TextSearchResult } from './text-search.ts';

/** What was found in one file. */
export interface BytesSearchResult extends TextSearchResult {
  /** It is no text; nothing is shown of it, and at most one match is counted. */
  readonly isBinary: boolean;
}

/** Searches the content of one file. */
export type BytesSearch = (bytes: Uint8Array) => BytesSearchResult;

const pieceBytes = 1_048_576;
const sliceLength = 131_072;
/** Of a longer line only this much is searched, in characters. */
export const maxSearchedLine = 1_000_000;

/** Prepares a search over the contents of files. Throws what the engine says of a pattern it can't take. */
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
    // Plain ASCII is the same characters as text and as bytes, so that most files need no closer look at what they are.
    const plain = readPlain(bytes);
    const found = plain === undefined ? undefined : searchTexts(startText(), [plain]);
    if (found?.matches === 0) return { ...found, isBinary: false };
    if (isBinary(bytes)) return { ...searchTexts(startBinary(), decodeBinary(bytes)), isBinary: true };
    return { ...(found ?? searchTexts(startText(), decodePieces(bytes, query.isMultiline))), isBinary: false };
  };
}

/** The text of a small file of ASCII characters without carriage returns; undefined for all others. */
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

/** A text in pieces that end at the ends of lines, its lines ended by line feeds alone. */
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
  // What is Windows-1252 as a whole is so in every part, also where a part could pass for UTF-8.
  const decoder = new TextDecoder(encoding, { ignoreBOM: true });
  for (let from = bom ? 3 : 0; from < bytes.length;) {
    const last = bytes.lastIndexOf(10, Math.min(from + pieceBytes, bytes.length) - 1);
    const next = last >= from ? last : bytes.indexOf(10, from);
    const end = next === -1 || bytes.length - from <= pieceBytes ? bytes.length : next + 1;
    yield unifyBreaks(decoder.decode(bytes.subarray(from, end)), end === bytes.length);
    from = end;
  }
}

/** Bytes as they are, for a glance at whether there is anything: lines mean nothing in what is no text. */
function* decodeBinary(bytes: Uint8Array): Generator<string, void, undefined> {
  for (let from = 0; from < bytes.length; from += pieceBytes)
    yield Buffer.from(bytes.buffer, bytes.byteOffset + from, Math.min(pieceBytes, bytes.length - from)).toString(
      'latin1',
    );
}

/** Carriage returns alone end lines only in a text that has no line feed at all. */
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
