// The program of a script's process: it runs one script in its own realm, and passes texts between it and the host.
import { Socket } from 'node:net';
import { constants, createContext, Script } from 'node:vm';
import { createLineChannel } from '../../isolation/channel/line-channel.ts';
import { firstLine } from '../../generated/body/stripping-error.ts';
import { isTooComplex } from '../../isolation/channel/json-complexity.ts';
import { channelDescriptor, maxChildMessageBytes, maxHostMessageBytes } from '../../isolation/channel/messages.ts';
import { scriptName, type FromScript, type ToScript } from '../../isolation/channel/script-messages.ts';
import { compileScript } from './compile-script.ts';
import { createScriptWorld, type World } from './create-script-world.ts';

const stream = new Socket({ fd: channelDescriptor, readable: true, writable: true });
/** Returns false if the host would not accept the message. */
const sendText = (text: string): boolean => {
  if (text.length * 3 > maxChildMessageBytes && Buffer.byteLength(text) > maxChildMessageBytes) return false;
  if (isTooComplex(text)) return false;
  stream.write(`${text}\n`);
  return true;
};
const send = (message: FromScript): void => void sendText(JSON.stringify(message));
const maxWaitMs = 2 ** 31 - 1;
let world: World | undefined;

// A rejection that the script does not await must not end the process. The result of each call is reported anyway.
process.on('unhandledRejection', () => undefined);

type Received = ToScript | { readonly t: 'ping'; readonly nonce: string };

const lineLimits = { sent: maxChildMessageBytes, received: maxHostMessageBytes, isPeerTrusted: true };
createLineChannel(stream, lineLimits, {
  onMessage: (message) => handleMessage(message as unknown as Received),
  onFault: () => undefined,
  // The host has ended.
  onEnd: () => process.exit(0),
});

function handleMessage(message: Received): void {
  switch (message.t) {
    case 'ping':
      sendText(JSON.stringify({ t: 'pong', nonce: message.nonce }));
      break;
    case 'script':
      start(message);
      break;
    case 'answer':
      world?.receive(JSON.stringify(message));
      break;
  }
}

function start({ text, names, maxPrinted }: Extract<ToScript, { readonly t: 'script' }>): void {
  const compiled = compileScript(text);
  if (!compiled.ok) {
    const { message, line } = compiled;
    return send({ t: 'done', ok: false, reason: 'syntax', message, ...(line !== undefined && { line }) });
  }
  // Creates a realm whose global object does not come from this one.
  const realm = createContext(constants.DONT_CONTEXTIFY, { codeGeneration: { strings: false, wasm: false } });
  const evaluate = (code: string, filename: string): unknown =>
    new Script(code, { filename }).runInContext(realm) as unknown;
  const make = evaluate(`(${createScriptWorld.toString()})`, 'world') as typeof createScriptWorld;
  const wake = (id: number, ms: number): void => void setTimeout(() => world?.wake(id), Math.min(ms, maxWaitMs));
  world = make(sendText, wake, names, maxPrinted);
  let script: unknown;
  try {
    script = evaluate(compiled.code, scriptName);
  } catch (error) {
    // The engine may reject syntax that the parser accepts.
    return send({ t: 'done', ok: false, reason: 'syntax', message: firstLine(error) });
  }
  world.run(script);
}
