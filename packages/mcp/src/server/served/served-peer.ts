import { isRecord } from '@haft/core/options';
import { randomBytes } from 'node:crypto';
import type { PeerAnswer, SessionPeer } from '@haft/core/workspace';
import { callerKeyOf } from '../../callers/caller-key.ts';
import { compileSchema } from '@haft/schema';
import {
  createRequestStateCodec,
  inputRequired,
  type ElicitRequestFormParams,
  type InputRequests,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server';

/** Answers of earlier rounds, by key of the request. */
export interface RoundState {
  readonly answers: Readonly<Record<string, unknown>>;
}

/** The requests that one call makes to its client. */
export interface PeerRound {
  /** Undefined if the client announced no capabilities. */
  readonly peer: SessionPeer | undefined;
  /** Whether a request waits for an answer in a further round. */
  readonly isAsking: boolean;
  /** From now on, sends requests through `ask`, and the body waits for the answers. */
  askThrough(ask: (key: string, request: ClientRequest) => Promise<unknown>): void;
  /** Resolves to the requests that the client has to answer first, after the body has run. */
  pending(): Promise<InputRequiredResult | undefined>;
}

type Declared = Readonly<Record<string, unknown>>;
type ClientRequest = InputRequests[string];

/** Maximum requests of one call to its client. */
const maxRequests = 100;

/**
 * Creates the codec that seals answers of earlier rounds, which travel through the client. They are bound to the caller
 * and the method, and valid for ten minutes.
 *
 * @param key shared by all replicas of a server; without one, other replicas can't read the answers.
 */
export function createRoundCodec(key: string | Uint8Array | undefined): RequestStateCodec<RoundState> {
  return createRequestStateCodec<RoundState>({
    key: key ?? randomBytes(32),
    bind: ({ mcpReq, http }) => JSON.stringify([mcpReq.method, http?.authInfo ? callerKeyOf(http.authInfo) : '']),
  });
}

/**
 * Creates the requests that a tool can make to its client: direct ones in the legacy era, further rounds in the modern
 * one.
 */
export function createPeerRound(
  context: ServerContext,
  declared: Declared,
  isModern: boolean,
  codec: RequestStateCodec<RoundState>,
): PeerRound {
  const { mcpReq } = context;
  const answers: Record<string, unknown> = { ...readAnswers(mcpReq.requestState?.()), ...mcpReq.inputResponses };
  const openRequests: Record<string, ClientRequest> = {};
  const usedAnswers: Record<string, unknown> = {};
  let requestCount = 0;
  let deferredAsk: Parameters<PeerRound['askThrough']>[0] | undefined;

  /** Asks the client. Request n has the same key in every round, because the body runs again from the start. */
  const ask = async <Answer>(
    request: ClientRequest,
    push: () => Promise<unknown>,
    read: (answer: unknown) => Answer | undefined | Promise<Answer | undefined>,
    name: string | undefined,
  ): Promise<Answer> => {
    requestCount += 1;
    if (requestCount > maxRequests) throw new Error('the tool made too many requests to the client');
    const key = name ?? `request-${requestCount}`;
    if (!isModern && deferredAsk === undefined) {
      const answer = await read(await push());
      if (answer === undefined) throw new Error('the client sent an answer that does not match the request');
      return answer;
    }
    const given = Object.hasOwn(answers, key) ? answers[key] : undefined;
    const answer = given === undefined ? undefined : await read(given);
    if (answer !== undefined) {
      usedAnswers[key] = given;
      return answer;
    }
    if (deferredAsk) return askDeferred(deferredAsk, key, request, read);
    openRequests[key] = request;
    throw new InputAwaited();
  };

  const elicit: NonNullable<SessionPeer['elicit']> = (message, schema, key) => {
    const params = { mode: 'form', message, requestedSchema: schema } as unknown as ElicitRequestFormParams;
    return ask(
      { method: 'elicitation/create', params },
      () => mcpReq.elicitInput(params),
      (answer) => readForm(answer, schema),
      key,
    );
  };
  const sample: NonNullable<SessionPeer['sample']> = ({ prompt, systemPrompt, maxOutputTokens }, key) => {
    const params = {
      messages: [{ role: 'user' as const, content: { type: 'text' as const, text: prompt } }],
      maxTokens: maxOutputTokens,
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    };
    return ask({ method: 'sampling/createMessage', params }, () => mcpReq.requestSampling(params), readSample, key);
  };
  const roots: NonNullable<SessionPeer['roots']> = (key) =>
    ask({ method: 'roots/list' }, () => mcpReq.send({ method: 'roots/list' }), readRoots, key);

  const peer = {
    ...(declared['elicitation'] === undefined ? {} : { elicit }),
    ...(declared['sampling'] === undefined ? {} : { sample }),
    ...(declared['roots'] === undefined ? {} : { roots }),
  };
  return {
    peer: Object.keys(peer).length === 0 ? undefined : peer,
    get isAsking() {
      return Object.keys(openRequests).length > 0;
    },
    askThrough(ask) {
      deferredAsk = ask;
    },
    async pending() {
      if (Object.keys(openRequests).length === 0) return undefined;
      const requestState = await codec.mint({ answers: usedAnswers }, context);
      return inputRequired({ inputRequests: openRequests, requestState });
    },
  };
}

/** Asks through a task. Repeats the request if the answer does not match, up to the limit. */
async function askDeferred<Answer>(
  ask: Parameters<PeerRound['askThrough']>[0],
  key: string,
  request: ClientRequest,
  read: (answer: unknown) => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
  for (let tries = 0; tries < maxRequests; tries += 1) {
    const answer = await read(await ask(key, request));
    if (answer !== undefined) return answer;
  }
  throw new Error('no answer from the client matches the request');
}

/** Stops a body until its requests are answered. */
class InputAwaited extends Error {
  override readonly name = 'InputAwaited';
  constructor() {
    super('the call continues when the client has answered');
  }
}

function readAnswers(state: unknown): Readonly<Record<string, unknown>> {
  return isRecord(state) && isRecord(state['answers']) ? state['answers'] : {};
}

async function readForm(answer: unknown, schema: Readonly<Record<string, unknown>>): Promise<PeerAnswer | undefined> {
  if (!isRecord(answer)) return undefined;
  const { action, content } = answer;
  if (action === 'decline' || action === 'cancel') return { action };
  if (action !== 'accept' || !isRecord(content)) return undefined;
  const compiled = compileSchema(schema);
  await compiled.ready();
  const checked = await compiled.validate(content);
  return checked.ok ? { action, content } : undefined;
}

function readSample(answer: unknown): { readonly text: string; readonly model: string } | undefined {
  if (!isRecord(answer)) return undefined;
  const blocks = [answer['content']].flat().filter(isRecord);
  const texts = blocks.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []));
  if (texts.length === 0) return undefined;
  return { text: texts.join('\n'), model: typeof answer['model'] === 'string' ? answer['model'] : '' };
}

function readRoots(answer: unknown): readonly { readonly uri: string; readonly name?: string }[] | undefined {
  const given = isRecord(answer) ? answer['roots'] : undefined;
  if (!Array.isArray(given)) return undefined;
  return given
    .filter(isRecord)
    .flatMap(({ uri, name }) =>
      typeof uri === 'string' ? [{ uri, ...(typeof name === 'string' ? { name } : {}) }] : [],
    );
}
