import { UsageError } from '../program/usage-error.ts';
import { patienceMs, reasonOf } from './endpoint.ts';

/** A server to check. */
export interface CheckedEndpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}

const maxListBytes = 8_000_000;

/**
 * Checks a server, its key and the name of the model by listing the models, which costs nothing. Returns what could not
 * be checked or looks wrong, as a sentence for the user; `undefined` if everything is right.
 *
 * @throws UsageError if the URL or the key is not valid, if there is no response, or if the server refuses the key.
 */
export async function checkEndpoint(endpoint: CheckedEndpoint, signal: AbortSignal): Promise<string | undefined> {
  const { baseUrl, model, apiKey } = endpoint;
  if (!URL.canParse(baseUrl))
    throw new UsageError('the URL is not valid (expected one such as http://localhost:11434/v1)');
  const { username, password } = new URL(baseUrl);
  if (username !== '' || password !== '') throw new UsageError('the URL must not contain a user name or password');
  // The error of fetch for such a key would show the key.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    throw new UsageError('the key contains a blank or another character that keys do not have: copy the key again');
  const open = await listModels(baseUrl, undefined, signal);
  if (apiKey === undefined) {
    if (open.status === 401) throw new UsageError(`${baseUrl} needs a key (status 401)`);
    return remarkOn(open, model);
  }
  const { status, models } = await listModels(baseUrl, apiKey, signal);
  if (status === 401) throw new UsageError(`${baseUrl} refuses the key (status 401): check the key`);
  const remark = remarkOn({ status, models }, model);
  if (status === 200 && open.status === 200)
    return join('The key could not be checked, because the server lists its models without a key.', remark);
  return status === 200 ? remark : `The key could not be checked. ${remark}`;
}

interface Listing {
  /** Status of the response; that of a redirect is between 300 and 399. */
  readonly status: number;
  /** Names of the models; `undefined` if the response is no list of models. */
  readonly models?: readonly string[] | undefined;
}

async function listModels(baseUrl: string, apiKey: string | undefined, ended: AbortSignal): Promise<Listing> {
  try {
    const response = await fetch(`${baseUrl.replace(/\/+$/, '')}/models`, {
      signal: AbortSignal.any([ended, AbortSignal.timeout(patienceMs)]),
      // A key is sent to no other server.
      redirect: 'manual',
      headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    });
    const { status } = response;
    if (status === 200) return { status, models: namesOf(await readText(response)) };
    await response.body?.cancel();
    return { status };
  } catch (error) {
    throw new UsageError(`no server responds at ${baseUrl}: ${reasonOf(error)}`);
  }
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > maxListBytes) return '';
  }
  return text;
}

function namesOf(text: string): readonly string[] | undefined {
  try {
    const { data } = JSON.parse(text) as { readonly data?: unknown };
    if (!Array.isArray(data)) return undefined;
    return data.flatMap((entry: unknown) => {
      const id = (entry as { readonly id?: unknown } | null)?.id;
      return typeof id === 'string' ? [id] : [];
    });
  } catch {
    return undefined;
  }
}

function remarkOn({ status, models }: Listing, model: string): string | undefined {
  if (status !== 200)
    return `The server does not list its models (status ${status}), so the name of the model could not be checked.`;
  if (models === undefined)
    return 'The server does not answer like an OpenAI-compatible API: the URL may be wrong. Many URLs end with /v1.';
  return models.some((name) => isSameModel(name, model))
    ? undefined
    : `The server does not list a model named ${model}: check the name.`;
}

/** Servers add a folder or a tag to some names: `models/gemini-3`, `llama4:latest`. */
function isSameModel(listed: string, model: string): boolean {
  return listed === model || listed.endsWith(`/${model}`) || listed.startsWith(`${model}:`);
}

function join(first: string, second: string | undefined): string {
  return second === undefined ? first : `${first} ${second}`;
}
