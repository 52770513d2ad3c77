import { detectEncoding, type ConfinedFile } from '@haft/sandbox';

/** The content of a file for a search, or why there is none. */
export type FileContent =
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array }
  /** Nothing in it can match. */
  | { readonly kind: 'nothing' }
  | { readonly kind: 'large' }
  | { readonly kind: 'failed' };

/** Reads the contents of files, one after another. */
export interface ContentReader {
  /** The bytes hold until the next call, and the file is closed. */
  read(file: ConfinedFile): Promise<FileContent>;
}

/** What a reader works with. */
export interface ContentReaderOptions {
  /** A file that lacks these bytes has no match. */
  readonly required: Buffer | undefined;
  /** A match may reach over lines, so a file is searched as a whole. */
  readonly isComplete: boolean;
}

/** Larger ones are waited for. */
const smallBytes = 1_048_576;
const wholeBytes = 10_000_000;
const mostBytes = 100_000_000;
/** Files of /proc and the like claim to be empty. */
const unsizedBytes = 65_536;
const nothing: FileContent = { kind: 'nothing' };

/** Makes a reader for files up to 100 MB; up to 10 MB in UTF-16, or where they are searched as a whole. */
export function createContentReader({ required, isComplete }: ContentReaderOptions): ContentReader {
  const probe = required?.subarray(rarestStart(required));
  const shared = Buffer.allocUnsafeSlow(smallBytes);
  const readBytes = async (file: ConfinedFile): Promise<Uint8Array> => {
    const { size } = file;
    if (size > smallBytes) return file.read(0, size);
    const room = shared.subarray(0, size === 0 ? unsizedBytes : size);
    return room.subarray(0, file.readInto(room, 0));
  };
  return {
    async read(file) {
      try {
        if (file.size > (isComplete ? wholeBytes : mostBytes)) return { kind: 'large' };
        const bytes = await readBytes(file);
        if (bytes.length === 0) return nothing;
        const isWide = detectEncoding(bytes.subarray(0, 2)).encoding.startsWith('utf-16');
        if (isWide && bytes.length > wholeBytes) return { kind: 'large' };
        if (required !== undefined && !isWide && !(holds(bytes, probe!) && holds(bytes, required))) return nothing;
        return { kind: 'bytes', bytes };
      } catch {
        return { kind: 'failed' };
      } finally {
        file.close();
      }
    },
  };
}

/** From commonest to rarest, as texts and programs go; what is not among them is rarer. */
const common = Buffer.from(' etaoinsrlcdhupmfgbywv.,()"');
const shortestProbe = 3;

/** Where the part of a text begins that is found fastest: engines leap from one place of its first byte to the next. */
function rarestStart(text: Buffer): number {
  let best = 0;
  const rarityAt = (index: number): number => {
    const rank = common.indexOf(text[index]!);
    return rank === -1 ? common.length : rank;
  };
  for (let index = 1; index <= text.length - shortestProbe; index += 1)
    if (rarityAt(index) > rarityAt(best)) best = index;
  return best;
}

function holds(bytes: Uint8Array, wanted: Buffer): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(wanted);
}
