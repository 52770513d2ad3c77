/** The kind of a file, detected from its first bytes. */
export type MediaKind = 'image' | 'audio' | 'video' | 'document' | 'archive' | 'program' | 'font' | 'data';

/** A media type detected from content. */
export interface DetectedMedia {
  readonly kind: MediaKind;
  /** For example `image/png`. */
  readonly mediaType: string;
}

type Signature = readonly [kind: MediaKind, mediaType: string, bytes: string, at?: number];

/** Signatures in Latin-1. A longer signature precedes a shorter one with the same start. */
const signatures: readonly Signature[] = [
  ['image', 'image/png', '\x89PNG\r\n\x1A\n'],
  ['image', 'image/jpeg', '\xFF\xD8\xFF'],
  ['image', 'image/gif', 'GIF87a'],
  ['image', 'image/gif', 'GIF89a'],
  ['image', 'image/tiff', 'II*\0'],
  ['image', 'image/tiff', 'MM\0*'],
  ['image', 'image/x-icon', '\0\0\x01\0'],
  ['image', 'image/vnd.adobe.photoshop', '8BPS'],
  ['image', 'image/jxl', '\xFF\x0A'],
  ['image', 'image/jxl', '\0\0\0\x0CJXL \r\n\x87\n'],
  ['image', 'image/jp2', '\0\0\0\x0CjP  \r\n\x87\n'],
  ['document', 'application/pdf', '%PDF-'],
  ['document', 'application/rtf', '{\\rtf'],
  ['document', 'application/x-ole-storage', '\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1'],
  ['document', 'application/postscript', '%!PS'],
  ['audio', 'audio/mpeg', 'ID3'],
  ['audio', 'audio/flac', 'fLaC'],
  ['audio', 'audio/ogg', 'OggS'],
  ['audio', 'audio/midi', 'MThd'],
  ['audio', 'audio/amr', '#!AMR'],
  ['video', 'video/webm', '\x1A\x45\xDF\xA3'],
  ['video', 'video/x-flv', 'FLV\x01'],
  ['video', 'video/mpeg', '\0\0\x01\xBA'],
  ['video', 'video/mpeg', '\0\0\x01\xB3'],
  ['archive', 'application/gzip', '\x1F\x8B\x08'],
  ['archive', 'application/x-bzip2', 'BZh'],
  ['archive', 'application/x-xz', '\xFD7zXZ\0'],
  ['archive', 'application/zstd', '\x28\xB5\x2F\xFD'],
  ['archive', 'application/x-7z-compressed', '7z\xBC\xAF\x27\x1C'],
  ['archive', 'application/vnd.rar', 'Rar!\x1A\x07'],
  ['archive', 'application/x-tar', 'ustar', 257],
  ['archive', 'application/x-archive', '!<arch>\n'],
  ['archive', 'application/zip', 'PK\x05\x06'],
  ['program', 'application/x-elf', '\x7FELF'],
  ['program', 'application/wasm', '\0asm'],
  ['program', 'application/java-vm', '\xCA\xFE\xBA\xBE'],
  ['program', 'application/x-mach-binary', '\xCF\xFA\xED\xFE'],
  ['program', 'application/x-mach-binary', '\xCE\xFA\xED\xFE'],
  ['font', 'font/woff2', 'wOF2'],
  ['font', 'font/woff', 'wOFF'],
  ['font', 'font/otf', 'OTTO\0'],
  ['font', 'font/ttf', '\0\x01\0\0\0'],
  ['data', 'application/vnd.sqlite3', 'SQLite format 3\0'],
  ['data', 'application/vnd.apache.parquet', 'PAR1'],
];

/** RIFF and ISO containers name their content after a fixed header. */
const riffForms: Readonly<Record<string, DetectedMedia>> = {
  WEBP: { kind: 'image', mediaType: 'image/webp' },
  WAVE: { kind: 'audio', mediaType: 'audio/wav' },
  'AVI ': { kind: 'video', mediaType: 'video/x-msvideo' },
};
const isoBrands: readonly (readonly [brand: RegExp, media: DetectedMedia])[] = [
  [/^avi[fs]/, { kind: 'image', mediaType: 'image/avif' }],
  [/^(?:hei[cxms]|hev[cxms]|mif1|msf1)/, { kind: 'image', mediaType: 'image/heic' }],
  [/^M4[AB] /, { kind: 'audio', mediaType: 'audio/mp4' }],
  [/^qt {2}/, { kind: 'video', mediaType: 'video/quicktime' }],
];
/** Names inside a ZIP archive that identify a document. */
const zipDocuments: readonly (readonly [name: string, mediaType: string])[] = [
  ['mimetypeapplication/epub+zip', 'application/epub+zip'],
  ['mimetypeapplication/vnd.oasis.opendocument.text', 'application/vnd.oasis.opendocument.text'],
  ['mimetypeapplication/vnd.oasis.opendocument.spreadsheet', 'application/vnd.oasis.opendocument.spreadsheet'],
  ['mimetypeapplication/vnd.oasis.opendocument.presentation', 'application/vnd.oasis.opendocument.presentation'],
  ['word/', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document'],
  ['xl/', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
  ['ppt/', 'application/vnd.openxmlformats-officedocument.presentationml.presentation'],
];

const sniffedBytes = 4_096;

/**
 * Detects the media type of a binary file from its first bytes (4 KB are enough): an image, audio, video, document,
 * archive, program, font or database. Returns undefined for text and unknown formats. Does not use file names or
 * declared types.
 *
 * @example
 * import { detectMediaType } from '@haft/sandbox';
 * detectMediaType(new Uint8Array([0x25, 0x50, 0x44, 0x46, 0x2d])); // => { kind: 'document', mediaType: 'application/pdf' }
 */
export function detectMediaType(bytes: Uint8Array): DetectedMedia | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, sniffedBytes)).toString('latin1');
  if (head.startsWith('PK\x03\x04')) return detectZip(head);
  if (head.startsWith('RIFF')) return lookUp(riffForms, head.slice(8, 12));
  if (head.slice(4, 8) === 'ftyp') {
    const brand = head.slice(8, 12);
    return isoBrands.find(([pattern]) => pattern.test(brand))?.[1] ?? { kind: 'video', mediaType: 'video/mp4' };
  }
  if (isBitmap(head)) return { kind: 'image', mediaType: 'image/bmp' };
  if (isWindowsExecutable(head)) return { kind: 'program', mediaType: 'application/x-msdownload' };
  for (const [kind, mediaType, start, at = 0] of signatures) if (head.startsWith(start, at)) return { kind, mediaType };
  return isMpegAudio(bytes) ? { kind: 'audio', mediaType: 'audio/mpeg' } : undefined;
}

function lookUp(table: Readonly<Record<string, DetectedMedia>>, key: string): DetectedMedia | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}

function detectZip(head: string): DetectedMedia {
  const found = zipDocuments.find(([name]) => head.includes(name));
  return found ? { kind: 'document', mediaType: found[1] } : { kind: 'archive', mediaType: 'application/zip' };
}

/** Text may begin with `BM` too, so the reserved bytes must be zero and the size of the second header known. */
function isBitmap(head: string): boolean {
  return (
    head.startsWith('BM') &&
    head.slice(6, 10) === '\0\0\0\0' &&
    /^[\x0C\x28\x34\x38\x40\x6C\x7C]\0\0\0/.test(head.slice(14, 18))
  );
}

/** Text may begin with `MZ` too, but a program has NULs in its header. */
function isWindowsExecutable(head: string): boolean {
  return head.startsWith('MZ') && head.slice(2, 64).includes('\0');
}

/** Checks the sync word of a frame for an existing version, layer, bit rate and frequency. */
function isMpegAudio(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const hasSync = first === 0xff && (second & 0xe0) === 0xe0;
  const exists =
    (second & 0x18) !== 0x08 && (second & 0x06) === 0x02 && (third & 0xf0) !== 0xf0 && (third & 0x0c) !== 0x0c;
  return hasSync && exists && (third & 0xf0) !== 0;
}
