import { redactText } from '@haft/core';

/** Where a connection's secrets are: the variables of its process, and the headers of its requests. */
export interface SecretPlaces {
  readonly env: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string>>;
  /** Others. */
  readonly secrets?: readonly string[];
}

/** Makes a function that takes the values given to a server, and everything that looks like a secret, out of a text. */
export function createSecretFilter({ env, headers, secrets = [] }: SecretPlaces): (text: string) => string {
  // Of `Bearer abc` the last word alone is a secret as well.
  const sent = Object.values(headers).flatMap((value) => [value, value.split(' ').at(-1) ?? '']);
  const values = [...Object.values(env), ...sent, ...secrets]
    .filter((value) => value.length >= 6)
    .toSorted((a, b) => b.length - a.length);
  return (text) => redactText(values.reduce((rest, value) => rest.replaceAll(value, '[redacted]'), text));
}
