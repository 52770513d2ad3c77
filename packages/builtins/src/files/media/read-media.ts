import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failure, success, toolError, type ToolResult } from '@haft/core';
import type { ConfinedFile, DetectedMedia } from '@haft/sandbox';
import { binaryFile } from '../text-file.ts';
import type { ImageSizer } from './image-sizer.ts';
import { isPresentable, maxMediaBytes, presentMedia } from './present-media.ts';

/**
 * Returns the result of `read` for a binary file: the content of images, sounds and documents, and the type of any
 * other file.
 */
export async function readMedia(
  file: ConfinedFile,
  media: DetectedMedia,
  {
    callId,
    shown,
    images,
  }: { readonly callId: string; readonly shown: string; readonly images: ImageSizer | undefined },
): Promise<ToolResult> {
  if (!isPresentable(media)) return failure(callId, binaryFile(shown, file.size, media.mediaType));
  if (file.size > maxMediaBytes) {
    const message = `${shown} has ${file.size} bytes; ${media.mediaType} can only be read whole, up to ${maxMediaBytes} bytes`;
    const hint = 'Use bash with a program that knows the format, to extract or shrink what you need.';
    return failure(callId, toolError('FILE_TOO_LARGE', message, { hint, details: { path: shown, bytes: file.size } }));
  }
  const data = await file.read(0, file.size);
  const uri = pathToFileURL(file.path).href;
  const presented = await presentMedia({ data, media, shown, uri, name: basename(file.path) }, images);
  if (!presented.ok) return failure(callId, presented.error);
  return success(callId, [{ type: 'text', text: presented.note }, presented.part], {
    summary: `Read: ${presented.note}`,
    effects: [{ kind: 'file', path: file.path, op: 'read', bytesAfter: file.size }],
    metadata: { path: shown, mediaType: media.mediaType },
  });
}
