import { UsageError } from '../program/usage-error.ts';
import { vendors } from './vendors.ts';

/** A server with the OpenAI-compatible chat API, and the requested model. */
export interface Endpoint {
  /** The vendor, such as `openai`; `custom` for a typed URL. */
  readonly vendor: string;
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey: string | undefined;
}

/** The typed options. */
export interface EndpointOptions {
  readonly baseUrl: string | undefined;
  readonly model: string | undefined;
  /** Name of the variable with the key. */
  readonly apiKeyEnv: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Chooses the server: the typed URL, otherwise the first vendor whose key is in the environment. A vendor's key is sent
 * to that vendor only. With a typed URL, a key is sent only if its variable was named.
 * @throws UsageError if no server, no model or no such key is named.
 */
export function resolveEndpoint(options: EndpointOptions, environment: Environment): Endpoint {
  const named = options.apiKeyEnv === undefined ? undefined : keyFrom(options.apiKeyEnv, environment);
  const vendor = options.baseUrl === undefined ? vendors.find((each) => environment[each.keyVariable]) : undefined;
  const baseUrl = options.baseUrl ?? (vendor?.urlVariable && environment[vendor.urlVariable]) ?? vendor?.baseUrl;
  if (!baseUrl) {
    const keys = vendors.map((each) => each.keyVariable).join(', ');
    throw new UsageError(`chat needs --base-url URL, or a key in the environment (${keys})`);
  }
  const model = options.model ?? (vendor?.modelVariable && environment[vendor.modelVariable]);
  if (!model) throw new UsageError('chat needs --model NAME');
  return {
    vendor: vendor?.name ?? 'custom',
    baseUrl: checkedUrl(baseUrl),
    model,
    apiKey: named ?? (vendor && environment[vendor.keyVariable]),
  };
}

/**
 * Checks that a server responds at the URL. Any response counts, even a refusal.
 * @throws UsageError if there is no response.
 */
export async function checkReachable(baseUrl: string, signal: AbortSignal): Promise<void> {
  try {
    const response = await fetch(`${baseUrl}/models`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]),
      redirect: 'manual',
    });
    await response.body?.cancel();
  } catch (error) {
    if (signal.aborted) return;
    throw new UsageError(`no server responds at ${baseUrl}: ${reasonOf(error)}`);
  }
}

/** Time that a server has to respond, in milliseconds. */
export const patienceMs = 10_000;

function checkedUrl(text: string): string {
  if (!URL.canParse(text))
    throw new UsageError(`${JSON.stringify(text)} is not a URL (expected one such as http://localhost:11434/v1)`);
  const { protocol } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') throw new UsageError(`${text}: not a URL with http or https`);
  return text.replace(/\/+$/, '');
}

function keyFrom(variable: string, environment: Environment): string {
  const key = environment[variable];
  if (!key) throw new UsageError(`--api-key-env ${variable}: this environment variable is not set`);
  return key;
}

/** Says why a request got no response. */
export function reasonOf(error: unknown): string {
  if (error instanceof DOMException && error.name === 'TimeoutError') return `no response in ${patienceMs / 1000} s`;
  const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException | undefined) : undefined;
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'connection refused',
    ECONNRESET: 'connection reset',
    ENOTFOUND: 'no such host',
    EAI_AGAIN: 'the host name was not found',
    ETIMEDOUT: 'timed out',
  };
  return known[cause?.code ?? ''] ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}
