import { decodeText, detectEncoding, isBinary, openConfined, type Roots } from '@haft/sandbox';

/** The text of a file in pieces, or why there is none. */
export type FilePieces =
  | { readonly kind: 'text'; readonly pieces: readonly string[]; readonly characters: number }
  | { readonly kind: 'binary' }
  | { readonly kind: 'large' }
  | { readonly kind: 'failed'; readonly code: string };

const nothingToSearch: FilePieces = { kind: 'text', pieces: [], characters: 0 };
const wholeBytes = 10_000_000;
const pieceBytes = 4_194_304;
const mostBytes = 100_000_000;

/**
 * Reads a file for a search, up to 100 MB, by its real path: a link that came in the way since it was found is not
 * followed. A file that lacks the bytes `required` of every match gives no pieces, since
 * nothing in it can match.
 */
export async function readPieces(roots: Roots, path: string, required?: Buffer): Promise<FilePieces> {
  const file = await openConfined(roots, path, { expectedPath: path });
  if (!file.ok) return { kind: 'failed', code: file.code };
  try {
    if (file.size > mostBytes) return { kind: 'large' };
    const head = await file.read(
      0,
      file.size <= wholeBytes ? Math.max(file.size, file.size === 0 ? 65_536 : 0) : pieceBytes,
    );
    if (isBinary(head)) return { kind: 'binary' };
    if (file.size <= wholeBytes) {
      const isWide = detectEncoding(head.subarray(0, 2)).encoding.startsWith('utf-16');
      if (required && !isWide && !Buffer.from(head.buffer, head.byteOffset, head.length).includes(required))
        return nothingToSearch;
      const { text } = decodeText(head);
      return { kind: 'text', pieces: [text], characters: text.length };
    }
    return await readLarge(file, head);
  } catch {
    return { kind: 'failed', code: 'READ_ERROR' };
  } finally {
    file.close();
  }
}

async function readLarge(
  file: { readonly size: number; read(position: number, length: number): Promise<Uint8Array> },
  head: Uint8Array,
): Promise<FilePieces> {
  const { encoding } = detectEncoding(upToBreak(head));
  // Pieces of UTF-16 can't be told apart by a byte.
  if (encoding.startsWith('utf-16')) return { kind: 'large' };
  const decoder = encoding === 'utf-8' ? new TextDecoder('utf-8') : undefined;
  const pieces: string[] = [];
  let characters = 0;
  for (let position = 0, bytes = head; bytes.length > 0;) {
    const piece = decoder ? decoder.decode(bytes, { stream: true }) : decodeText(bytes).text;
    pieces.push(piece);
    characters += piece.length;
    position += bytes.length;
    bytes = await file.read(position, Math.min(pieceBytes, file.size - position));
  }
  return { kind: 'text', pieces, characters };
}

function upToBreak(bytes: Uint8Array): Uint8Array {
  const last = bytes.lastIndexOf(10);
  return last === -1 ? bytes : bytes.subarray(0, last + 1);
}
