import { createInterface, type Interface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';

import { packageManagers, type PackageManager } from '../project/package-manager.ts';
import { templates, type TemplateName } from '../project/templates.ts';

/** Thrown when the user ends the questions with Ctrl-C or Ctrl-D. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Questions at a terminal. */
export interface Questions {
  /** Asks until `check` accepts the answer. `check` throws an Error that says what is wrong. */
  folder(check: (folder: string) => void): Promise<string>;
  template(): Promise<TemplateName>;
  packageManager(preset: PackageManager): Promise<PackageManager>;
  install(packageManager: PackageManager): Promise<boolean>;
  close(): void;
}

/** Opens the terminal for questions. `close` releases it. */
export function openQuestions(input: Readable, output: Writable): Questions {
  const terminal = createInterface({ input, output, terminal: true });
  const gone = new AbortController();
  // Without this, a question would wait forever after Ctrl-D.
  terminal.once('close', () => gone.abort());
  terminal.once('SIGINT', () => terminal.close());
  const ask = (question: string): Promise<string> => askOnce(terminal, question, gone.signal);

  const choose = async <T extends string>(
    title: string,
    choices: readonly { readonly name: T; readonly summary?: string }[],
    preset: T,
  ): Promise<T> => {
    const width = Math.max(...choices.map(({ name }) => name.length));
    const rows = choices.map(({ name, summary = '' }, index) =>
      `  ${index + 1}  ${name.padEnd(width)}  ${summary}`.trimEnd(),
    );
    output.write(`${title}\n${rows.join('\n')}\n`);
    for (;;) {
      const answer = (await ask(`Number or name (${preset}): `)).trim();
      if (answer === '') return preset;
      const chosen = choices.find(({ name }, index) => answer === name || answer === String(index + 1));
      if (chosen !== undefined) return chosen.name;
      output.write(`${JSON.stringify(answer)} is not in the list (expected a number from 1 to ${choices.length})\n`);
    }
  };

  return {
    async folder(check) {
      for (;;) {
        const answer = (await ask('Name of the project (my-haft-project): ')).trim() || 'my-haft-project';
        try {
          check(answer);
          return answer;
        } catch (error) {
          output.write(`${error instanceof Error ? error.message : String(error)}\n`);
        }
      }
    },
    template: () => choose('Template:', templates, templates[0]?.name ?? 'agent'),
    packageManager: (preset) =>
      choose(
        'Package manager:',
        packageManagers.map((name) => ({ name })),
        preset,
      ),
    async install(packageManager) {
      for (;;) {
        const answer = (await ask(`Install the dependencies with ${packageManager}? (Y/n): `)).trim().toLowerCase();
        if (['', 'y', 'yes'].includes(answer)) return true;
        if (['n', 'no'].includes(answer)) return false;
        output.write('Answer y or n.\n');
      }
    },
    close: () => terminal.close(),
  };
}

async function askOnce(terminal: Interface, question: string, signal: AbortSignal): Promise<string> {
  try {
    return await terminal.question(question, { signal });
  } catch (error) {
    if (signal.aborted) throw new Cancelled('cancelled; nothing was created');
    throw error;
  }
}
