import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, zstdCompress, zstdDecompress } from 'node:zlib';

const digestBytes = 32;
const maxBytes = 256 * 1024 * 1024;

/** Compresses content. The result carries a digest of itself and of the version for which the content is valid. */
export async function pack(content: Uint8Array, version: string, isSmall: boolean = false): Promise<Buffer> {
  // The wide window finds repetitions that are far apart, such as files of two similar databases.
  const params = isSmall ? { [constants.ZSTD_c_compressionLevel]: 19, [constants.ZSTD_c_windowLog]: 26 } : {};
  const packed = await promisify(zstdCompress)(content, { params });
  return Buffer.concat([digestOf(packed, version), packed]);
}

/** Returns the content that {@link pack} compressed. Returns undefined if it is missing, damaged or has another version. */
export async function unpack(bytes: Buffer | undefined, version: string): Promise<Buffer<ArrayBuffer> | undefined> {
  const packed = bytes?.subarray(digestBytes);
  if (packed === undefined || !digestOf(packed, version).equals(bytes!.subarray(0, digestBytes))) return undefined;
  const decompress = promisify(zstdDecompress);
  return decompress(packed, { maxOutputLength: maxBytes });
}

function digestOf(packed: Uint8Array, version: string): Buffer {
  return createHash('sha256').update(`${version}\n`).update(packed).digest();
}
