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
import { cleanText } from '@haft/sandbox';
import { cleanLine, cutBytes } from './clean-text.ts';
import type { Report } from './connection-report.ts';

/** Who is asked, and how to stop. */
export interface HostQuestion {
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
    question: HostQuestion,
  ) => Promise<CreateMessageResult | CreateMessageResultWithTools>;
  /** Puts a form, or an address to be opened, to the person. Never open an address without showing all of it. */
  readonly elicit?: (request: ElicitRequest['params'], question: HostQuestion) => Promise<ElicitResult>;
}

/** What a client says it can be asked for. */
export function capabilitiesOf({ roots, sample, elicit }: ConnectionHost): ClientCapabilities {
  return {
    ...(roots ? { roots: {} } : {}),
    ...(sample ? { sampling: { tools: {} } } : {}),
    ...(elicit ? { elicitation: { form: { applyDefaults: true }, url: {} } } : {}),
  };
}

const maxMessageBytes = 16_384;
/** Questions of one server that wait at once; a person can't be asked more. */
const maxOpen = 10;

/** Answers what the server asks, in both generations of the protocol. */
export function answerServer(client: Client, host: ConnectionHost, report: Report): void {
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
  const question = (signal: AbortSignal): HostQuestion => ({
    server: cleanLine(client.getServerVersion()?.name ?? '', 100),
    signal,
  });
  const { roots, sample, elicit } = host;
  if (roots)
    client.setRequestHandler('roots/list', () =>
      answer('roots', async () => ({ roots: (await roots()).map((root) => ({ ...root })) })),
    );
  if (sample)
    client.setRequestHandler('sampling/createMessage', ({ params }, { mcpReq: { signal } }) =>
      answer('sampling', () => sample(params, question(signal))),
    );
  if (elicit)
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq: { signal } }) =>
      answer('elicitation', () => {
        const message = cutBytes(cleanText(params.message), maxMessageBytes);
        return elicit({ ...params, message }, question(signal));
      }),
    );
}
