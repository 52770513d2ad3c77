import { redactText } from '@haft/core';

/** Makes a function that takes the values of these variables, and everything that looks like a secret, out of a text. */
export function createSecretFilter(env: Readonly<Record<string, string>>): (text: string) => string {
  const values = Object.values(env)
    .filter((value) => value.length >= 6)
    .toSorted((a, b) => b.length - a.length);
  return (text) => redactText(values.reduce((rest, value) => rest.replaceAll(value, '[redacted]'), text));
}
