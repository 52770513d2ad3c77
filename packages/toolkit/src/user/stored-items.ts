import { readPrompt } from '../prompts/read-prompt.ts';
import type { MarkdownPrompt } from '../prompts/build-prompt.ts';
import { data } from '../resources/data.ts';
import { checkResourceName, checkUri, type ReadyResource } from '../resources/define-resource.ts';
import { text } from '../resources/text.ts';

/** A stored prompt, as its Markdown source. */
export interface StoredPrompt {
  readonly markdown: string;
}

/** A stored resource with its content. */
export interface StoredResource {
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly type: string;
  readonly encoding: 'text' | 'base64';
  readonly content: string;
}

/** Parses a document of the prompt collection. Throws if the document is invalid. */
export function readStoredPrompt(value: unknown): StoredPrompt {
  const { markdown } = value as Partial<Record<keyof StoredPrompt, unknown>>;
  if (typeof markdown !== 'string') throw new TypeError('a stored prompt has no markdown');
  return { markdown };
}

/** Parses a document of the resource collection. Throws if the document is invalid. */
export function readStoredResource(value: unknown): StoredResource {
  const { uri, name, description, type, encoding, content } = value as Partial<Record<keyof StoredResource, unknown>>;
  checkUri(uri);
  checkResourceName(name);
  if (typeof type !== 'string' || typeof content !== 'string') throw new TypeError('a stored resource has no content');
  if (encoding !== 'text' && encoding !== 'base64') throw new TypeError('a stored resource has an unknown encoding');
  if (description !== undefined && typeof description !== 'string')
    throw new TypeError('its description must be a string');
  return {
    uri: uri as string,
    name: name as string,
    ...(description === undefined ? {} : { description }),
    type,
    encoding,
    content,
  };
}

/** Creates a prompt from its stored form. */
export function toPrompt(key: string, { markdown }: StoredPrompt): MarkdownPrompt {
  return readPrompt(markdown, { file: `${key}.md` });
}

/** Creates a resource from its stored form. */
export function toResource({ name, encoding, content, ...details }: StoredResource): ReadyResource {
  return encoding === 'text' ? text(name, content, details) : data(name, Buffer.from(content, 'base64'), details);
}
