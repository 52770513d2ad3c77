/** A thrown value in the form in which it can be sent. */
export interface ThrownText {
  /** The name of the error's class. Empty for other values. */
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** Maximum length of a message or a stack. A plugin may throw megabytes. */
const maxCharacters = 20_000;

/**
 * Reads any thrown value. Never throws, although reading an error may.
 *
 * @param hasNetwork whether the network was granted, so that a failed connection is an ordinary error.
 */
export function readThrown(thrown: unknown, hasNetwork = true): ThrownText {
  const isError = read(() => thrown instanceof Error) ?? false;
  if (!isError) return { name: '', message: `it threw ${show(thrown)}`, stack: '' };
  const error = thrown as Error;
  return {
    name: asText(read(() => error.name)) ?? 'Error',
    message:
      readRefusal(error, hasNetwork) ?? asText(read(() => error.message)) ?? 'it threw an error without a message',
    stack: asText(read(() => error.stack)) ?? '',
  };
}

/**
 * Explains a refusal by Node's permission model and how to resolve it. Node's own advice names flags that Haft does not
 * use. A jail without network fails connections with the codes of an unreachable network.
 */
export function readRefusal(thrown: unknown, hasNetwork = true): string | undefined {
  for (const error of withCauses(thrown)) {
    const code = textOf(error, 'code') ?? '';
    if (code === 'ERR_ACCESS_DENIED') return explainPermission(error);
    if (!hasNetwork && networkCodes.has(code)) return explain('hosts', describeConnection(error, code));
  }
  return undefined;
}

function explainPermission(error: unknown): string {
  const [permission = '', resource = ''] = [textOf(error, 'permission'), textOf(error, 'resource')];
  const wanted = resource === '' ? permission : `${permission} of ${resource.slice(0, 300)}`;
  const key = capabilityOf.find(([beginning]) => permission.startsWith(beginning))?.[1];
  return explain(key, wanted === '' ? 'an operation that Node restricts' : wanted);
}

function explain(capability: string | undefined, wanted: string): string {
  const remedy =
    capability === undefined
      ? "isolated plugins can't have this"
      : `the program must grant ${capability} to the plugin's id`;
  return `it has no permission for ${wanted}: ${remedy}`;
}

/** Error codes of connections and lookups in a jail without network. */
const networkCodes: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
]);

function describeConnection(error: unknown, code: string): string {
  const host = textOf(error, 'hostname') ?? textOf(error, 'address');
  return `the network${host === undefined ? '' : `, to ${host.slice(0, 300)}`} (${code})`;
}

const maxCauses = 8;

/** Returns an error, its causes and the errors that it collects. `fetch` hides the reason of a failure in its cause. */
function withCauses(thrown: unknown): readonly unknown[] {
  const found = [thrown];
  for (let at = 0; at < found.length && found.length < maxCauses; at += 1) {
    const error = found[at];
    const cause = read(() => (error as { readonly cause?: unknown } | null)?.cause);
    if (cause !== undefined) found.push(cause);
    const errors = read(() => (error as { readonly errors?: unknown } | null)?.errors);
    if (Array.isArray(errors)) found.push(...(errors.slice(0, maxCauses) as readonly unknown[]));
  }
  return found;
}

function textOf(error: unknown, name: string): string | undefined {
  return asText(read(() => (error as Readonly<Record<string, unknown>>)[name]));
}

const capabilityOf: readonly (readonly [permission: string, capability: string])[] = [
  ['FileSystemRead', 'fs.read'],
  ['FileSystemWrite', 'fs.write'],
  ['ChildProcess', 'exec'],
  ['Net', 'hosts'],
];

function show(thrown: unknown): string {
  if (typeof thrown === 'string') return JSON.stringify(thrown.slice(0, 200));
  return asText(read(() => String(thrown))) ?? 'a value that is not displayable';
}

function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value.slice(0, maxCharacters) : undefined;
}

function read<Value>(look: () => Value): Value | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
