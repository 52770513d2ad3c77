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
import { cleanForm } from '../../untrusted/clean-form.ts';
import { cleanLine, cutBytes } from '../../untrusted/clean-text.ts';
import { cleanValue } from '../../untrusted/clean-value.ts';
import type { Report } from '../../connection-diagnostic.ts';
import { tasksExtension } from '../../tasks/task-options.ts';

/** Context of a server's request to the host. */
export interface HostRequestContext {
  /** Name that the server reports; not proof of its identity. */
  readonly server: string;
  readonly signal: AbortSignal;
}

/** A directory or other location in which a server may work. */
export interface HostRoot {
  readonly uri: string;
  readonly name?: string;
}

/**
 * Answers requests from a server. A request without a callback is declined. Requests hold untrusted text from the
 * server, without hidden characters: ask the user.
 */
export interface ConnectionHost {
  /** Returns the locations in which the server may work. */
  readonly roots?: () => readonly HostRoot[] | Promise<readonly HostRoot[]>;
  /** Generates a model response for the server. */
  readonly sample?: (
    request: CreateMessageRequest['params'],
    context: HostRequestContext,
  ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  /** Shows a form or a URL to the user. Never open a URL without showing all of it. */
  readonly elicit?: (request: ElicitRequest['params'], context: HostRequestContext) => Promise<ElicitResult>;
}

/** Returns the capabilities that a client announces. */
export function capabilitiesOf({ roots, sample, elicit }: ConnectionHost): ClientCapabilities {
  return {
    ...(roots ? { roots: {} } : {}),
    ...(sample ? { sampling: { tools: {} } } : {}),
    ...(elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
    extensions: { [tasksExtension]: {} },
  };
}

const maxMessageBytes = 16_384;
/** Maximum open requests of one server, to protect the user from a flood. */
const maxOpen = 10;

/** Answers one request of the server. Rejects with an error that the server may see. */
export type AnswerServer = (method: string, params: unknown, signal: AbortSignal) => Promise<unknown>;

/**
 * Registers handlers for the server's requests in both protocol eras. The returned function answers requests made by
 * tasks.
 */
export function answerServer(client: Client, host: ConnectionHost, report: Report): AnswerServer {
  let open = 0;
  const answer = async <Value>(what: string, task: () => Value | Promise<Value>): Promise<Value> => {
    if (open >= maxOpen) throw new ProtocolError(-32_603, 'too many requests are open');
    open += 1;
    try {
      return await task();
    } catch (error) {
      const message = cleanLine(error instanceof Error ? error.message : String(error), 300);
      report({ kind: 'protocol', message: `the server's request for ${what} failed: ${message}` });
      throw new ProtocolError(-32_603, `the host could not answer the request for ${what}`);
    } finally {
      open -= 1;
    }
  };
  const contextOf = (signal: AbortSignal): HostRequestContext => ({
    server: cleanLine(client.getServerVersion()?.name ?? '', 100),
    signal,
  });
  const { roots, sample, elicit } = host;
  const answerRoots =
    roots && (() => answer('roots', async () => ({ roots: (await roots()).map((root) => ({ ...root })) })));
  const answerSampling =
    sample &&
    ((params: CreateMessageRequest['params'], signal: AbortSignal) =>
      answer('sampling', () => sample(cleanValue(params), contextOf(signal))));
  const answerElicitation =
    elicit &&
    ((params: ElicitRequest['params'], signal: AbortSignal) =>
      answer('elicitation', () => {
        const clean = cleanValue(params);
        const form = 'requestedSchema' in clean ? { requestedSchema: cleanForm(clean.requestedSchema) } : {};
        const message = cutBytes(clean.message, maxMessageBytes);
        return elicit({ ...clean, ...form, message } as ElicitRequest['params'], contextOf(signal));
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
    throw new ProtocolError(-32_601, 'the host does not support this method');
  };
}

/** Fills in defaults for fields that the user accepted without a value. */
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
