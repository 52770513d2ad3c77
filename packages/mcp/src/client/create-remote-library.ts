import type { RemoteResourceTemplate, RemoteLibrary } from './contract/remote-library.ts';
import type { ContentPart, Message, Prompt, Resource } from '@haft/core';
import type { Client } from '@modelcontextprotocol/client';
import { cleanText, replaceFenceTags } from '@haft/sandbox';
import { anyResult } from '../any-result.ts';
import { cleanLine, cutBytes } from '../untrusted/clean-text.ts';
import type { SecretRedactor } from '../untrusted/redact-secrets.ts';
import { redactFailures, createFailureGuard } from './create-failure-guard.ts';
import type { Report } from '../connection-diagnostic.ts';
import { listPages, type ListLimits } from './tools/list-pages.ts';
import { bytesOf, mediaTypeOf, toParts, type Block } from './tools/remote-result.ts';
import type { LogLevel } from './contract/server-message.ts';
import { describeLostStream, keepListening, type Listening } from './session/keep-listening.ts';
import { listRemoteSkills } from '../skills/remote-skills.ts';

/** Dependencies of a remote library. */
export interface RemoteLibraryDeps {
  /**
   * Returns the client of the current session.
   *
   * @throws Error if the connection is lost.
   */
  readonly client: () => Client;
  readonly limits: ListLimits & { readonly maxDescriptionBytes: number };
  readonly report: Report;
  /** Called when updates of a subscribed resource may have been missed. */
  readonly onMissedUpdates: (uri: string) => void;
  readonly redactor: SecretRedactor;
  /** Log level that the program has chosen. */
  readonly logLevel: LogLevel | undefined;
  /** Log level for servers that send no messages unasked. */
  readonly defaultLogLevel: LogLevel | undefined;
}

/** A library and the hooks for its connection. */
export interface RemoteLibraryHandle {
  readonly library: RemoteLibrary;
  /** Renews the subscriptions in a new session. */
  renew(client: Client): Promise<void>;
  /** Log level to send with each call in the modern era. */
  readonly logLevel: LogLevel | undefined;
}

/** Prompts are not fenced, but text in them that imitates a fence is replaced. */
const plain = { wrap: replaceFenceTags };

/** Creates the library of a connection. */
export function createRemoteLibrary(deps: RemoteLibraryDeps): RemoteLibraryHandle {
  const { client, limits, report, onMissedUpdates, redactor } = deps;
  const subscriptions = new Map<string, Promise<Subscription>>();
  let { logLevel } = deps;

  const guard = createFailureGuard(redactor);
  const request = async (method: string, params: object, signal?: AbortSignal): Promise<Block> =>
    (await client().request({ method, params: { ...params } }, anyResult, {
      timeout: limits.timeoutMs,
      ...(signal ? { signal } : {}),
    })) as Block;
  const list = <Item>(
    method: string,
    member: string,
    read: (item: Block) => Item | undefined,
    keyOf: (item: Item) => string,
    signal: AbortSignal | undefined,
  ): Promise<readonly Item[]> => {
    // Don't ask a server for lists that it does not support.
    const capability = method.startsWith('prompts/') ? 'prompts' : 'resources';
    if (client().getServerCapabilities()?.[capability] === undefined) return Promise.resolve([]);
    return listPages(
      client(),
      { method, member, keyOf, read: (item) => (isBlock(item) ? read(item) : undefined) },
      limits,
      report,
      signal,
    );
  };
  const describe = (item: Block): { readonly description?: string } =>
    typeof item['description'] === 'string'
      ? { description: cutBytes(cleanText(item['description']), limits.maxDescriptionBytes) }
      : {};

  const read = async (uri: string, signal?: AbortSignal): Promise<readonly Resource[]> => {
    const { contents } = await request('resources/read', { uri }, signal);
    return (Array.isArray(contents) ? contents : []).filter(isBlock).map((item): Resource => {
      const body = typeof item['text'] === 'string' ? cleanText(item['text']) : bytesOf(item['blob']);
      const at = typeof item['uri'] === 'string' ? item['uri'] : uri;
      return { uri: cleanUri(at), name: cleanLine(at, 200), type: mediaTypeOf(item['mimeType'], ''), read: () => body };
    });
  };
  const readResource = guard(async (uri: string, signal?: AbortSignal): Promise<Uint8Array | string> => {
    const [first] = await read(uri, signal);
    if (!first) throw new Error(`the server returned no content for ${cleanLine(uri, 200)}`);
    return first.read(signal);
  });

  const prepare = guard(async (name: string, given: Readonly<Record<string, unknown>>): Promise<readonly Message[]> => {
    const args = Object.fromEntries(
      Object.entries(given).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
    );
    const { messages } = await request('prompts/get', { name, arguments: args });
    return (Array.isArray(messages) ? messages : []).filter(isBlock).map((message): Message => {
      const content = isBlock(message['content']) ? message['content'] : {};
      const parts: readonly ContentPart[] = toParts(content, plain, { readResource });
      if (message['role'] !== 'assistant') return { role: 'user', content: parts };
      return { role: 'assistant', content: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n') };
    });
  });

  const subscribe = async (uri: string, by: Client, isRenewal = false): Promise<Subscription> => {
    if (by.getProtocolEra() === 'modern') {
      const listening = keepListening({
        client: by,
        filter: { resourceSubscriptions: [uri] },
        timeoutMs: limits.timeoutMs,
        random: Math.random,
        onReopened: () => onMissedUpdates(uri),
        onLost: (reason) =>
          report({ kind: 'listen-lost', message: describeLostStream(`updates of ${cleanLine(uri, 200)}`, reason) }),
      });
      // Ignored, because a renewed subscription is retried.
      if (!isRenewal)
        await listening.opened.catch(async (error: unknown) => {
          await listening.close();
          throw error;
        });
      return listening;
    }
    await by.subscribeResource({ uri }, { timeout: limits.timeoutMs });
    return { close: async () => void (await by.unsubscribeResource({ uri }, { timeout: limits.timeoutMs })) };
  };

  const library: RemoteLibrary = {
    resources: (signal) =>
      list<Resource>(
        'resources/list',
        'resources',
        (item) => {
          const { uri } = item;
          if (typeof uri !== 'string' || uri === '') return undefined;
          return {
            uri: cleanUri(uri),
            name: nameOf(item, uri),
            ...describe(item),
            type: mediaTypeOf(item['mimeType'], ''),
            read: (readSignal) => readResource(uri, readSignal) as Promise<string>,
          };
        },
        ({ uri }) => uri,
        signal,
      ),
    templates: (signal) =>
      list<RemoteResourceTemplate>(
        'resources/templates/list',
        'resourceTemplates',
        (item) => {
          const { uriTemplate } = item;
          // A template with hidden characters can't be shown as it would be sent.
          if (typeof uriTemplate !== 'string' || uriTemplate === '' || cleanText(uriTemplate) !== uriTemplate)
            return undefined;
          const name = nameOf(item, uriTemplate);
          return { uriTemplate, name, ...describe(item), type: mediaTypeOf(item['mimeType'], '') };
        },
        ({ uriTemplate }) => uriTemplate,
        signal,
      ),
    read,
    async subscribe(uri) {
      const known = subscriptions.get(uri) ?? subscribe(uri, client());
      subscriptions.set(uri, known);
      await known.catch((error: unknown) => {
        subscriptions.delete(uri);
        throw error;
      });
      return async () => {
        const subscription = subscriptions.get(uri);
        subscriptions.delete(uri);
        // A lost server has no subscription to cancel.
        await (await subscription)?.close().catch(() => undefined);
      };
    },
    prompts: (signal) =>
      list<Prompt>(
        'prompts/list',
        'prompts',
        (item) => {
          const { name, title, arguments: variables } = item;
          if (typeof name !== 'string' || name === '') return undefined;
          const asked = (Array.isArray(variables) ? variables : []).filter(isBlock);
          return {
            name: cleanLine(name, 200),
            ...(typeof title === 'string' ? { title: cleanLine(title, 100) } : {}),
            ...describe(item),
            variables: asked.map((variable) => ({
              name: cleanLine(String(variable['name']), 200),
              ...describe(variable),
              required: variable['required'] === true,
            })),
            prepare: (given) => prepare(name, renameBack(given, asked)),
          };
        },
        ({ name }) => name,
        signal,
      ),
    skills: (signal) => listRemoteSkills(client, limits.timeoutMs, report, signal),
    async complete({ prompt, uriTemplate, variable, typed, otherValues }, signal) {
      const ref =
        prompt === undefined ? { type: 'ref/resource', uri: uriTemplate } : { type: 'ref/prompt', name: prompt };
      const context = Object.keys(otherValues).length === 0 ? {} : { context: { arguments: otherValues } };
      const params = { ref, argument: { name: variable, value: typed }, ...context };
      const { completion } = await request('completion/complete', params, signal);
      const values = isBlock(completion) ? completion['values'] : [];
      return (Array.isArray(values) ? values : [])
        .filter((value) => typeof value === 'string')
        .slice(0, 100)
        .map((value) => cleanLine(value, 1_000));
    },
    async setLogLevel(level) {
      logLevel = level;
      // In the modern era, the level is sent with every request.
      if (client().getProtocolEra() !== 'modern') await request('logging/setLevel', { level });
    },
  };
  return {
    library: redactFailures(library, guard),
    get logLevel() {
      return logLevel ?? deps.defaultLogLevel;
    },
    async renew(next) {
      if (logLevel !== undefined && next.getProtocolEra() !== 'modern')
        await next.setLoggingLevel(logLevel, { timeout: limits.timeoutMs });
      for (const uri of subscriptions.keys()) subscriptions.set(uri, subscribe(uri, next, true));
      await Promise.allSettled(subscriptions.values());
    },
  };
}

type Subscription = Pick<Listening, 'close'>;

function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function nameOf({ title, name }: Block, fallback: string): string {
  return cleanLine(typeof name === 'string' && name !== '' ? name : typeof title === 'string' ? title : fallback, 200);
}

/** Encodes blanks and removes hidden characters for display. Requests use the original URI. */
function cleanUri(uri: string): string {
  return cleanText(uri).replace(/\s/g, encodeURIComponent);
}

/** Maps displayed variable names back to the server's names. */
function renameBack(
  given: Readonly<Record<string, unknown>>,
  asked: readonly Block[],
): Readonly<Record<string, unknown>> {
  const names = new Map(asked.map(({ name }) => [cleanLine(String(name), 200), String(name)]));
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [names.get(name) ?? name, value]));
}
