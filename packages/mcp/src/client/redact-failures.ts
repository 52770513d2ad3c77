import type { SecretRedactor } from '../untrusted/redact-secrets.ts';
import type { RemoteLibrary } from './contract/remote-library.ts';

/** Makes a function reject with errors that hold no secrets. */
export type FailureGuard = <Given extends readonly unknown[], Value>(
  task: (...given: Given) => Promise<Value>,
) => (...given: Given) => Promise<Value>;

/** Makes a guard for what a connection gives away. */
export function createFailureGuard(redactor: SecretRedactor): FailureGuard {
  return (task) =>
    async (...given) => {
      try {
        return await task(...given);
      } catch (error) {
        throw redactor.error(error);
      }
    };
}

/** Makes every method of a library, and what these give, reject with errors that hold no secrets. */
export function redactFailures(library: RemoteLibrary, guard: FailureGuard): RemoteLibrary {
  return {
    resources: guard((signal) => library.resources(signal)),
    templates: guard((signal) => library.templates(signal)),
    read: guard((uri, signal) => library.read(uri, signal)),
    subscribe: guard(async (uri) => guard(await library.subscribe(uri))),
    prompts: guard((signal) => library.prompts(signal)),
    skills: guard(async (signal) =>
      (await library.skills(signal)).map((skill) => ({ ...skill, read: guard((path, by) => skill.read(path, by)) })),
    ),
    complete: guard((question, signal) => library.complete(question, signal)),
    setLogLevel: guard((level) => library.setLogLevel(level)),
  };
}
