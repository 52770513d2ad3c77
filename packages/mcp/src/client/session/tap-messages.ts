import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createMessageRedactor } from '../../untrusted/redact-message-secrets.ts';
import { secretsOf } from '../../untrusted/redact-secrets.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';

/**
 * Reports each message that is sent. Returns a function that reports those that are received, or undefined without
 * a listener.
 */
export function tapMessages(
  transport: Transport,
  options: FilledConnectionOptions,
): ((message: JSONRPCMessage) => void) | undefined {
  const { onMessage, tokens } = options;
  if (onMessage === undefined) return undefined;
  const known = secretsOf(options);
  let redact = createMessageRedactor(known);
  let tokenCount = 0;
  const report = (from: 'client' | 'server', message: JSONRPCMessage): void => {
    if (tokens.size !== tokenCount) {
      tokenCount = tokens.size;
      redact = createMessageRedactor([...known, ...tokens]);
    }
    try {
      onMessage({ from, message: redact(message) as JSONRPCMessage });
    } catch {
      // A listener must not break a connection.
    }
  };
  const send = transport.send.bind(transport);
  transport.send = (message, ...others) => {
    report('client', message);
    return send(message, ...others);
  };
  return (message) => report('server', message);
}
