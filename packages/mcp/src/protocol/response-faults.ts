type Id = string | number;

/** A response that breaks the protocol: the id of its request, and what is wrong. */
export type ResponseFault = readonly [id: Id, fault: string];

/**
 * Finds responses that break the protocol, so that their requests fail at once instead of at the time limit.
 *
 * @param value a parsed message, or a batch of them. Batches have left the protocol.
 */
export function findResponseFaults(value: unknown): readonly ResponseFault[] {
  if (Array.isArray(value))
    return (value as readonly unknown[]).flatMap((one) => {
      const id = responseIdOf(one);
      return id === undefined ? [] : [[id, 'a batch'] as const];
    });
  const id = responseIdOf(value);
  const fault = id === undefined ? undefined : faultOf(value as Readonly<Record<string, unknown>>);
  return id === undefined || fault === undefined ? [] : [[id, fault]];
}

/** Returns the response that fails a request whose response is malformed. */
export function failedResponse(id: Id, fault: string): FailedResponse {
  return { jsonrpc: '2.0', id, error: { code: -32_000, message: `the server sent a malformed response: ${fault}` } };
}

/** A JSON-RPC error response. */
export interface FailedResponse {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly error: { readonly code: number; readonly message: string };
}

/** Returns the id of a response. Undefined for any other message. */
function responseIdOf(message: unknown): Id | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  const { id, method } = message as Readonly<Record<string, unknown>>;
  return method === undefined && (typeof id === 'number' || typeof id === 'string') ? id : undefined;
}

function faultOf({ jsonrpc, result, error }: Readonly<Record<string, unknown>>): string | undefined {
  const isAnswered = result !== undefined;
  if (jsonrpc !== '2.0') return isAnswered || error !== undefined ? 'not JSON-RPC 2.0' : undefined;
  if (isAnswered === (error !== undefined))
    return isAnswered ? 'both a result and an error' : 'neither a result nor an error';
  if (isAnswered) return typeof result === 'object' && result !== null ? undefined : 'a result that is not an object';
  return isErrorObject(error) ? undefined : 'an error without a code and a message';
}

/** Whether a value is the error of a response: an object with an integer code and a message. */
export function isErrorObject(error: unknown): error is FailedResponse['error'] {
  const { code, message } = (error ?? {}) as Readonly<Record<string, unknown>>;
  return Number.isInteger(code) && typeof message === 'string';
}
