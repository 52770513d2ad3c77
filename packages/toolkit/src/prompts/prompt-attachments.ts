import type { ContentPart, Message, Resource } from '@haft/core';
import { createFence } from '@haft/sandbox';
import { decodeText } from '../resources/decode-text.ts';
import { isTextType } from '../resources/sniff-type.ts';

/** Maximum length of an attachment in characters. */
const longest = 200_000;

/**
 * Creates the message of a prompt with its attachments. Text is enclosed in markers that the content cannot forge.
 * Images and audio are attached directly. Other resources are only described.
 */
export async function attachResources(text: string, resources: readonly Resource[]): Promise<readonly Message[]> {
  if (resources.length === 0) return [{ role: 'user', content: text }];
  const parts = await Promise.all(resources.map(attach));
  return [{ role: 'user', content: [{ type: 'text', text }, ...parts.flat()] }];
}

async function attach(resource: Resource): Promise<readonly ContentPart[]> {
  const { name, uri, type } = resource;
  const content = await resource.read();
  const medium = /^(image|audio)\/(?!svg)/.exec(type)?.[1];
  const label: ContentPart = {
    type: 'text',
    text: `Attached: ${oneLine(name)} (${oneLine(uri)}${type === '' ? '' : `, ${oneLine(type)}`})`,
  };
  if (medium !== undefined && typeof content !== 'string')
    return [label, { type: medium as 'image' | 'audio', data: content, mediaType: type }];
  const words =
    typeof content === 'string' ? content : isTextType(type) || type === '' ? decodeText(content) : undefined;
  if (words === undefined) return [{ type: 'resource', resource }];
  const shown =
    words.length > longest ? `${words.slice(0, longest)}\n[${words.length - longest} more characters]` : words;
  return [label, { type: 'text', text: createFence().wrap(shown) }];
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').slice(0, 200);
}
