import { randomBytes } from 'node:crypto';
import type { PeerAnswer, SessionPeer } from '@haft/core/workspace';
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

/** Answers of earlier rounds, by the questions' keys. */
export interface RoundState {
  readonly answers: Readonly<Record<string, unknown>>;
}

/** One request, as far as its client can be asked. */
export interface PeerRound {
  /** Absent when the client says it can be asked nothing. */
  readonly peer: SessionPeer | undefined;
  /** Whether something was asked that its client answers in a further round. */
  readonly isAsking: boolean;
  /** From now on questions are put by `ask`, and the body waits for their answers. */
  askThrough(ask: (key: string, question: Question) => Promise<unknown>): void;
  /** What has to be answered before the request can be, once its body has run. */
  pending(): Promise<InputRequiredResult | undefined>;
}

type Declared = Readonly<Record<string, unknown>>;
type Question = InputRequests[string];

/** Rounds of one request; whoever asks more than this does not end. */
const maxQuestions = 100;

/**
 * Makes what seals the answers of earlier rounds, which travel through the client: bound to the caller and to the request, for
 * ten minutes.
 *
 * @param key shared by all copies of a server; without one, other copies don't know the answers.
 */
export function createRoundCodec(key: string | Uint8Array | undefined): RequestStateCodec<RoundState> {
  return createRequestStateCodec<RoundState>({
    key: key ?? randomBytes(32),
    bind: ({ mcpReq, http }) => JSON.stringify([mcpReq.method, http?.authInfo?.clientId ?? '']),
  });
}

/** Makes what a body asks its client by: at once in the older generation, and in further rounds in the newer one. */
export function createPeerRound(
  context: ServerContext,
  declared: Declared,
  isModern: boolean,
  codec: RequestStateCodec<RoundState>,
): PeerRound {
  const { mcpReq } = context;
  const known: Record<string, unknown> = { ...readAnswers(mcpReq.requestState?.()), ...mcpReq.inputResponses };
  const asked: Record<string, Question> = {};
  const used: Record<string, unknown> = {};
  let questions = 0;
  let deferredAsk: Parameters<PeerRound['askThrough']>[0] | undefined;

  /** The nth question of a request is the same in every round, since its body is run again from its beginning. */
  const ask = async <Answer>(
    question: Question,
    push: () => Promise<unknown>,
    read: (answer: unknown) => Answer | undefined | Promise<Answer | undefined>,
    name: string | undefined,
  ): Promise<Answer> => {
    questions += 1;
    if (questions > maxQuestions) throw new Error('too many questions were asked of the client');
    const key = name ?? `question-${questions}`;
    if (!isModern) {
      const answer = await read(await push());
      if (answer === undefined) throw new Error('the client gave an answer that does not fit the question');
      return answer;
    }
    const given = Object.hasOwn(known, key) ? known[key] : undefined;
    const answer = given === undefined ? undefined : await read(given);
    if (answer !== undefined) {
      used[key] = given;
      return answer;
    }
    if (deferredAsk) return askDeferred(deferredAsk, key, question, read);
    asked[key] = question;
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
      return Object.keys(asked).length > 0;
    },
    askThrough(ask) {
      deferredAsk = ask;
    },
    async pending() {
      if (Object.keys(asked).length === 0) return undefined;
      const requestState = await codec.mint({ answers: used }, context);
      return inputRequired({ inputRequests: asked, requestState });
    },
  };
}

/** An answer that does not fit is asked for again, as often as a body may ask at all. */
async function askDeferred<Answer>(
  ask: Parameters<PeerRound['askThrough']>[0],
  key: string,
  question: Question,
  read: (answer: unknown) => Answer | undefined | Promise<Answer | undefined>,
): Promise<Answer> {
  for (let tries = 0; tries < maxQuestions; tries += 1) {
    const answer = await read(await ask(key, question));
    if (answer !== undefined) return answer;
  }
  throw new Error('the client gave no answer that fits the question');
}

/** Ends a body until its questions are answered. */
class InputAwaited extends Error {
  override readonly name = 'InputAwaited';
  constructor() {
    super('the call goes on when its client has answered');
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

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
