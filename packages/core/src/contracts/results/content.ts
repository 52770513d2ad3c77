import type { Resource } from './resource.ts';

/** Text for the model. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A JSON value; the model reads it as compact JSON. */
export interface JsonPart {
  readonly type: 'json';
  readonly value: unknown;
}

/** An image, as bytes with their media type. */
export interface ImagePart {
  readonly type: 'image';
  readonly data: Uint8Array;
  readonly mediaType: string;
}

/** A sound, as bytes with their media type. */
export interface AudioPart {
  readonly type: 'audio';
  readonly data: Uint8Array;
  readonly mediaType: string;
}

/** Something with a URI that can be read later. */
export interface ResourcePart {
  readonly type: 'resource';
  readonly resource: Resource;
}

/** One piece of what a tool answers. */
export type ContentPart = TextPart | JsonPart | ImagePart | AudioPart | ResourcePart;
