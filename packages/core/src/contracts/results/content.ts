import type { Resource } from './resource.ts';

/** Text for the model. */
export interface TextPart {
  readonly type: 'text';
  readonly text: string;
}

/** A JSON value. The model reads it as compact JSON. */
export interface JsonPart {
  readonly type: 'json';
  readonly value: unknown;
}

/** An image: bytes and a media type. */
export interface ImagePart {
  readonly type: 'image';
  readonly data: Uint8Array;
  readonly mediaType: string;
}

/** Audio: bytes and a media type. */
export interface AudioPart {
  readonly type: 'audio';
  readonly data: Uint8Array;
  readonly mediaType: string;
}

/** A resource with a URI that can be read later. */
export interface ResourcePart {
  readonly type: 'resource';
  readonly resource: Resource;
}

/** One part of a tool's answer. */
export type ContentPart = TextPart | JsonPart | ImagePart | AudioPart | ResourcePart;
