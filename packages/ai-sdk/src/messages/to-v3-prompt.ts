import type {
  LanguageModelV3Message,
  LanguageModelV3Prompt,
  LanguageModelV3ToolResultOutput,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4ToolResultOutput,
} from '@ai-sdk/provider';
import { toBase64 } from './to-base64.ts';

/** Converts a prompt to specification v3, in which files hold their bytes directly. */
export function toV3Prompt(prompt: LanguageModelV4Prompt): LanguageModelV3Prompt {
  return prompt.map(toV3Message);
}

function toV3Message(message: LanguageModelV4Message): LanguageModelV3Message {
  if (message.role === 'system') return message;
  if (message.role === 'user') {
    return { role: 'user', content: message.content.map((part) => (part.type === 'file' ? toV3File(part) : part)) };
  }
  if (message.role === 'tool') {
    const results = message.content.filter((part) => part.type === 'tool-result');
    return { role: 'tool', content: results.map((part) => ({ ...part, output: toV3Output(part.output) })) };
  }
  const content = message.content.filter(
    (part) => part.type === 'text' || part.type === 'reasoning' || part.type === 'tool-call',
  );
  return { role: 'assistant', content };
}

function toV3File({ data, mediaType }: LanguageModelV4FilePart): {
  type: 'file';
  data: Uint8Array | string;
  mediaType: string;
} {
  return { type: 'file', data: data.type === 'data' ? data.data : '', mediaType };
}

function toV3Output(output: LanguageModelV4ToolResultOutput): LanguageModelV3ToolResultOutput {
  if (output.type !== 'content') return output;
  return { type: 'content', value: output.value.flatMap(toV3Content) };
}

type V3Content = Extract<LanguageModelV3ToolResultOutput, { readonly type: 'content' }>['value'][number];
type V4Content = Extract<LanguageModelV4ToolResultOutput, { readonly type: 'content' }>['value'][number];

function toV3Content(part: V4Content): readonly V3Content[] {
  if (part.type === 'text') return [{ type: 'text', text: part.text }];
  if (part.type !== 'file' || part.data.type !== 'data') return [];
  const data = typeof part.data.data === 'string' ? part.data.data : toBase64(part.data.data);
  return [{ type: part.mediaType.startsWith('image/') ? 'image-data' : 'file-data', data, mediaType: part.mediaType }];
}
