import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { createMessageRedactor } from '../../untrusted/redact-message.ts';
import type { FilledConnectionOptions } from '../contract/connection-options.ts';

/**
 * Reports each message that is sent. Returns a function that reports those that are received, or undefined without
 * a listener.
 */
export function tapMessages(
  transport: Transport,
  { onMessage, env, headers, secrets = [], tokens }: FilledConnectionOptions,
): ((message: JSONRPCMessage) => void) | undefined {
  if (onMessage === undefined) return undefined;
  const known = [...Object.values(env), ...Object.values(headers), ...secrets];
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
