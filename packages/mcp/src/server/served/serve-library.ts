import type { Message, Prompt, Resource, Session } from '@haft/core';
import {
  ProtocolError,
  UriTemplate,
  type CompleteRequestParams,
  type GetPromptResult,
  type PromptMessage,
  type ReadResourceResult,
  type RequestStateCodec,
  type Server,
} from '@modelcontextprotocol/server';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { RoundState } from './served-peer.ts';
import { describeParts } from './served-result.ts';
import { sessionOf } from './served-session.ts';
import type { Library, ServedResourceTemplate } from '../../library/create-library.ts';
import type { SkillDirectory } from '../../skills/open-skill-directory.ts';
import { readSkillFile } from '../../skills/serve-skills.ts';

const invalidParams = -32_602;
const internalError = -32_603;
const maxValues = 100;
const maxUriLength = 8_192;

/** Handles a client's requests for a library. `subscribed` holds the client's subscriptions, if it can be notified. */
export function serveLibrary(
  server: Server,
  library: Library,
  subscribed: Set<string> | undefined,
  codec: RequestStateCodec<RoundState>,
  anonymousId: string,
  onWarning: (error: Error) => void,
  skills?: SkillDirectory,
): void {
  const guard = async <Value>(what: string, task: () => Value | Promise<Value>): Promise<Value> => {
    try {
      return await task();
    } catch (cause) {
      if (cause instanceof ProtocolError) throw cause;
      onWarning(new Error(`${what} failed`, { cause }));
      throw new ProtocolError(internalError, `${what} failed`);
    }
  };
  server.setRequestHandler('resources/list', () => ({ resources: library.resources.map(describeResource) }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: library.templates.map(({ uriTemplate, name, description, type }) => ({
      uriTemplate,
      name,
      ...(description === undefined ? {} : { description }),
      ...(type === '' ? {} : { mimeType: type }),
    })),
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }, { mcpReq: { signal } }) =>
    guard(
      `reading ${cleanLine(uri, 200)}`,
      async () => (skills && (await readSkillFile(skills, uri))) ?? readResource(library, uri, signal),
    ),
  );
  if (subscribed) {
    server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
      if (subscribed.size < 1_000) subscribed.add(uri);
      return {};
    });
    server.setRequestHandler('resources/unsubscribe', ({ params: { uri } }) => {
      subscribed.delete(uri);
      return {};
    });
  }
  server.setRequestHandler('prompts/list', () => ({ prompts: library.prompts.map(describePrompt) }));
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }, context) => {
    const asker = sessionOf(context, server, name, codec, anonymousId);
    try {
      return await getPrompt(library, name, given, asker.session);
    } catch (cause) {
      // prepare() also throws while it waits for the client's answer, which is not a failure.
      return (
        (await asker.opened?.pending()) ??
        guard(`the prompt ${cleanLine(name, 80)}`, () => Promise.reject(cause as Error))
      );
    }
  });
  server.setRequestHandler('completion/complete', ({ params }, { mcpReq: { signal } }) =>
    guard('completion', () => complete(library, params, signal)),
  );
}

function describeResource({ uri, name, description, type }: Resource): {
  uri: string;
  name: string;
  description?: string;
  mimeType?: string;
} {
  return {
    uri,
    name,
    ...(description === undefined ? {} : { description }),
    ...(type === '' ? {} : { mimeType: type }),
  };
}

async function readResource(library: Library, uri: string, signal: AbortSignal): Promise<ReadResourceResult> {
  const resource = library.resources.find((one) => one.uri === uri);
  if (resource) return { contents: [contentsOf(uri, resource.type, await resource.read(signal))] };
  for (const template of uri.length <= maxUriLength ? library.templates : []) {
    const variables = matchTemplate(template, uri);
    if (variables) return { contents: [contentsOf(uri, template.type, await template.read(variables, signal, uri))] };
  }
  throw new ProtocolError(invalidParams, `resource not found: ${cleanLine(uri, 200)}`, { uri });
}

function matchTemplate(
  { uriTemplate }: ServedResourceTemplate,
  uri: string,
): Readonly<Record<string, string>> | undefined {
  const found = new UriTemplate(uriTemplate).match(uri);
  if (!found) return undefined;
  return Object.fromEntries(Object.entries(found).map(([name, value]) => [name, decode([value].flat().join(','))]));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function contentsOf(uri: string, type: string, body: Uint8Array | string): ReadResourceResult['contents'][number] {
  const what = { uri, ...(type === '' ? {} : { mimeType: type }) };
  return typeof body === 'string' ? { ...what, text: body } : { ...what, blob: Buffer.from(body).toString('base64') };
}

function describePrompt({ name, title, description, variables }: Prompt): {
  name: string;
  title?: string;
  description?: string;
  arguments: { name: string; description?: string; required: boolean }[];
} {
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    arguments: variables.map((variable) => ({
      name: variable.name,
      ...(variable.description === undefined ? {} : { description: variable.description }),
      required: variable.required,
    })),
  };
}

async function getPrompt(
  library: Library,
  name: string,
  given: Readonly<Record<string, string>>,
  session: Session,
): Promise<GetPromptResult> {
  const prompt = library.prompts.find((one) => one.name === name);
  if (!prompt) throw new ProtocolError(invalidParams, `prompt not found: ${cleanLine(name, 80)}`);
  const missing = prompt.variables.filter((variable) => variable.required && !Object.hasOwn(given, variable.name));
  if (missing.length > 0)
    throw new ProtocolError(
      invalidParams,
      `the prompt ${prompt.name} requires ${missing.map((variable) => variable.name).join(', ')}`,
    );
  const messages = await prompt.prepare(given, [], session);
  return {
    ...(prompt.description === undefined ? {} : { description: prompt.description }),
    messages: (await Promise.all(messages.map(describeMessage))).flat(),
  };
}

/** Converts a message. The protocol has two roles, and one content block per message. */
async function describeMessage(message: Message): Promise<PromptMessage[]> {
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  const { content } = message;
  if (typeof content === 'string') return [{ role, content: { type: 'text', text: content } }];
  return (await describeParts(content)).map((block) => ({ role, content: block }));
}

async function complete(
  library: Library,
  { ref, argument, context }: CompleteRequestParams,
  signal: AbortSignal,
): Promise<{ completion: { values: string[]; total: number; hasMore: boolean } }> {
  const what = ref.type === 'ref/prompt' ? { prompt: ref.name } : { uriTemplate: ref.uri };
  const otherValues = context?.arguments ?? {};
  const found = await library.complete?.(
    { ...what, variable: argument.name, typed: argument.value, otherValues },
    signal,
  );
  const values = (found ?? []).slice(0, maxValues);
  const total = found?.length ?? 0;
  return { completion: { values, total, hasMore: total > values.length } };
}
