import {
  ProtocolError,
  type Client,
  type ClientCapabilities,
  type CreateMessageRequest,
  type CreateMessageResult,
  type CreateMessageResultWithTools,
  type ElicitRequest,
  type ElicitResult,
} from '@modelcontextprotocol/client';
import { cleanLine, cutBytes } from '../../untrusted/clean-text.ts';
import { cleanValue } from '../../untrusted/clean-value.ts';
import type { Report } from '../../connection-diagnostic.ts';
import { tasksExtension } from '../../tasks/task-options.ts';

/** Who is asked, and how to stop. */
export interface HostRequestContext {
  /** What the server calls itself; nothing to rest trust on. */
  readonly server: string;
  readonly signal: AbortSignal;
}

/** A folder or place that a server may work in. */
export interface HostRoot {
  readonly uri: string;
  readonly name?: string;
}

/**
 * What a server may ask its host for; what there is no callback for is declined. Everything in a request is the server's
 * text, freed of what is hidden, and untrusted: ask a person.
 */
export interface ConnectionHost {
  /** Folders and places that the server may work in. */
  readonly roots?: () => readonly HostRoot[] | Promise<readonly HostRoot[]>;
  /** Lets a model write for the server. */
  readonly sample?: (
    request: CreateMessageRequest['params'],
    question: HostRequestContext,
  ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  /** Puts a form, or an address to be opened, to the person. Never open an address without showing all of it. */
  readonly elicit?: (request: ElicitRequest['params'], question: HostRequestContext) => Promise<ElicitResult>;
}

/** What a client says it can be asked for. */
export function capabilitiesOf({ roots, sample, elicit }: ConnectionHost): ClientCapabilities {
  return {
    ...(roots ? { roots: {} } : {}),
    ...(sample ? { sampling: { tools: {} } } : {}),
    ...(elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
    extensions: { [tasksExtension]: {} },
  };
}

const maxMessageBytes = 16_384;
/** Questions of one server that wait at once; a person can't be asked more. */
const maxOpen = 10;

/** Answers one question of the server; rejects with what the server may know of what went wrong. */
export type AnswerServer = (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;

/** Answers what the server asks, in both generations of the protocol; what comes back answers questions of tasks. */
export function answerServer(client: Client, host: ConnectionHost, report: Report): AnswerServer {
  let open = 0;
  const answer = async <Value>(what: string, task: () => Value | Promise<Value>): Promise<Value> => {
    if (open >= maxOpen) throw new ProtocolError(-32_603, 'too many questions are open');
    open += 1;
    try {
      return await task();
    } catch (error) {
      const message = cleanLine(error instanceof Error ? error.message : String(error), 300);
      report({ kind: 'protocol', message: `its request for ${what} could not be answered: ${message}` });
      throw new ProtocolError(-32_603, `the host could not answer the request for ${what}`);
    } finally {
      open -= 1;
    }
  };
  const question = (signal: AbortSignal): HostRequestContext => ({
    server: cleanLine(client.getServerVersion()?.name ?? '', 100),
    signal,
  });
  const { roots, sample, elicit } = host;
  const answerRoots =
    roots && (() => answer('roots', async () => ({ roots: (await roots()).map((root) => ({ ...root })) })));
  const answerSampling =
    sample &&
    ((params: CreateMessageRequest['params'], signal: AbortSignal) =>
      answer('sampling', () => sample(cleanValue(params), question(signal))));
  const answerElicitation =
    elicit &&
    ((params: ElicitRequest['params'], signal: AbortSignal) =>
      answer('elicitation', () => {
        const clean = cleanValue(params);
        return elicit({ ...clean, message: cutBytes(clean.message, maxMessageBytes) }, question(signal));
      }));
  if (answerRoots) client.setRequestHandler('roots/list', answerRoots);
  if (answerSampling)
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
      answerSampling(params, signal),
    );
  if (answerElicitation)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
      answerElicitation(params, signal),
    );

  return async (method, params, signal) => {
    if (method === 'roots/list' && answerRoots) return answerRoots();
    if (method === 'sampling/createMessage' && answerSampling)
      return answerSampling(params as CreateMessageRequest['params'], signal);
    if (method === 'elicitation/create' && answerElicitation) {
      const asked = params as ElicitRequest['params'];
      return withDefaults(asked, await answerElicitation(asked, signal));
    }
    throw new ProtocolError(-32_601, 'the host answers no such question');
  };
}

/** Whoever accepts a form without touching a field means its default. */
function withDefaults(asked: ElicitRequest['params'], given: ElicitResult): ElicitResult {
  const { requestedSchema } = asked as { readonly requestedSchema?: { readonly properties?: JsonRecord } };
  if (given.action !== 'accept' || requestedSchema?.properties === undefined) return given;
  const defaults = Object.entries(requestedSchema.properties).flatMap(([name, field]) =>
    typeof field === 'object' && field !== null && 'default' in field ? [[name, field.default] as const] : [],
  );
  return {
    ...given,
    content: { ...Object.fromEntries(defaults), ...given.content } as NonNullable<ElicitResult['content']>,
  };
}

type JsonRecord = Readonly<Record<string, unknown>>;
