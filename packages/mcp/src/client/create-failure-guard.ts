import type { SecretRedactor } from '../untrusted/redact-secrets.ts';
import type { RemoteLibrary } from './contract/remote-library.ts';

/** Wraps a function so that its rejections hold no secrets. */
export type FailureGuard = <Given extends readonly unknown[], Value>(
  task: (...given: Given) => Promise<Value>,
) => (...given: Given) => Promise<Value>;

/** Creates a guard for the methods that a connection exposes. */
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

/** Wraps every method of a library, and of the objects it returns, so that rejections hold no secrets. */
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
    complete: guard((request, signal) => library.complete(request, signal)),
    setLogLevel: guard((level) => library.setLogLevel(level)),
  };
}
