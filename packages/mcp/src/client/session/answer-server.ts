import { ProtocolError, type Client, type ClientCapabilities } from '@modelcontextprotocol/client';
import { cleanForm } from '../../untrusted/clean-form.ts';
import { cleanLine, cutBytes } from '../../untrusted/clean-text.ts';
import { cleanValue } from '../../untrusted/clean-value.ts';
import type { Report } from '../../connection-diagnostic.ts';
import type { ElicitationRequest, ElicitationResult } from '../../protocol/elicitation.ts';
import type { SamplingRequest } from '../../protocol/sampling.ts';
import { tasksExtension } from '../../tasks/task-options.ts';
import type { AnswerServer, ConnectionHost, HostRequestContext } from '../contract/connection-host.ts';

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
    ((params: SamplingRequest, signal: AbortSignal) =>
      answer('sampling', () => sample(cleanValue(params), contextOf(signal))));
  const answerElicitation =
    elicit &&
    ((params: ElicitationRequest, signal: AbortSignal) =>
      answer('elicitation', () => {
        const form = 'requestedSchema' in params ? { requestedSchema: cleanForm(params.requestedSchema) } : {};
        const clean = cleanValue(params);
        const link = 'url' in clean ? { url: webUrl(clean.url) } : {};
        const message = cutBytes(clean.message, maxMessageBytes);
        return elicit({ ...clean, ...form, ...link, message }, contextOf(signal));
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
    if (method === 'sampling/createMessage' && answerSampling) return answerSampling(params as SamplingRequest, signal);
    if (method === 'elicitation/create' && answerElicitation) {
      const asked = params as ElicitationRequest;
      return withDefaults(asked, await answerElicitation(asked, signal));
    }
    throw new ProtocolError(-32_601, 'the host does not support this method');
  };
}

/**
 * Returns a URL as it would be opened, with an encoded host name. Other schemes start programs, and a name before the
 * host looks like the host.
 */
function webUrl(given: string): string {
  const url = URL.parse(given);
  if (!url || !['https:', 'http:'].includes(url.protocol) || url.username !== '' || url.password !== '')
    throw new Error('the URL is not a web address (expected https:// or http:// without user and password)');
  return url.href;
}

/** Fills in defaults for fields that the user accepted without a value. */
function withDefaults(asked: ElicitationRequest, given: ElicitationResult): ElicitationResult {
  const { requestedSchema } = asked as { readonly requestedSchema?: { readonly properties?: JsonRecord } };
  if (given.action !== 'accept' || requestedSchema?.properties === undefined) return given;
  const defaults = Object.entries(requestedSchema.properties).flatMap(([name, field]) =>
    typeof field === 'object' && field !== null && 'default' in field ? [[name, field.default] as const] : [],
  );
  return {
    ...given,
    content: { ...Object.fromEntries(defaults), ...given.content } as NonNullable<ElicitationResult['content']>,
  };
}

type JsonRecord = Readonly<Record<string, unknown>>;
