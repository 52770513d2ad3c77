/** A thrown value as plain text that can be sent. */
export interface ThrownText {
  /** Name of the error's class; empty when it is no error. */
  readonly name: string;
  readonly message: string;
  readonly stack: string;
}

/** What is kept of a message or a stack; a plugin may throw megabytes. */
const maxCharacters = 20_000;

/** Reads what was thrown, whatever it is. Never throws, though looking at an error may. */
export function readThrown(thrown: unknown): ThrownText {
  const isError = read(() => thrown instanceof Error) ?? false;
  if (!isError) return { name: '', message: `it threw ${show(thrown)}`, stack: '' };
  const error = thrown as Error;
  return {
    name: asText(read(() => error.name)) ?? 'Error',
    message: readRefusal(error) ?? asText(read(() => error.message)) ?? 'it threw an error without a message',
    stack: asText(read(() => error.stack)) ?? '',
  };
}

/**
 * Explains a refusal by Node's permission model and how to resolve it. Node's own advice names flags that Haft does not
 * use.
 */
export function readRefusal(thrown: unknown): string | undefined {
  const of = (name: string): string | undefined =>
    asText(read(() => (thrown as Readonly<Record<string, unknown>>)[name]));
  if (of('code') !== 'ERR_ACCESS_DENIED') return undefined;
  const [permission = '', resource = ''] = [of('permission'), of('resource')];
  const wanted = resource === '' ? permission : `${permission} of ${resource.slice(0, 300)}`;
  const key = capabilityOf.find(([beginning]) => permission.startsWith(beginning))?.[1];
  const remedy =
    key === undefined
      ? "isolated plugins can't have this"
      : `declare capabilities.${key}, and grant it to the plugin's id`;
  return `it has no permission for ${wanted === '' ? 'an operation that Node restricts' : wanted}: ${remedy}`;
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
