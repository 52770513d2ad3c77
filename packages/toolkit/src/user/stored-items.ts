import { readPrompt } from '../prompts/read-prompt.ts';
import type { MarkdownPrompt } from '../prompts/build-prompt.ts';
import { data } from '../resources/data.ts';
import { checkResourceName, checkUri, type ReadyResource } from '../resources/define-resource.ts';
import { text } from '../resources/text.ts';

/** A prompt as it is kept: the Markdown that it was read from. */
export interface StoredPrompt {
  readonly markdown: string;
}

/** A resource as it is kept, with its content. */
export interface StoredResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly type: string;
  readonly encoding: 'text' | 'base64';
  readonly content: string;
}

/** Reads a document of the collection of prompts; throws what is wrong with it. */
export function readStoredPrompt(value: unknown): StoredPrompt {
  const { markdown } = value as Partial<Record<keyof StoredPrompt, unknown>>;
  if (typeof markdown !== 'string') throw new TypeError('a stored prompt has no markdown');
  return { markdown };
}

/** Reads a document of the collection of resources; throws what is wrong with it. */
export function readStoredResource(value: unknown): StoredResource {
  const { uri, name, description, type, encoding, content } = value as Partial<Record<keyof StoredResource, unknown>>;
  checkUri(uri);
  checkResourceName(name);
  if (typeof type !== 'string' || typeof content !== 'string') throw new TypeError('a stored resource has no content');
  if (encoding !== 'text' && encoding !== 'base64') throw new TypeError('a stored resource is in no known encoding');
  if (description !== undefined && typeof description !== 'string') throw new TypeError('its description is no text');
  return {
    uri: uri as string,
    name: name as string,
    ...(description === undefined ? {} : { description }),
    type,
    encoding,
    content,
  };
}

/** Makes a prompt of what is kept of it. */
export function toPrompt(key: string, { markdown }: StoredPrompt): MarkdownPrompt {
  return readPrompt(markdown, { file: `${key}.md` });
}

/** Makes a resource of what is kept of it. */
export function toResource({ name, encoding, content, ...details }: StoredResource): ReadyResource {
  return encoding === 'text' ? text(name, content, details) : data(name, Buffer.from(content, 'base64'), details);
}
