import { homedir } from 'node:os';
import { join } from 'node:path';
import {
  createBraveSearch,
  createBuiltins,
  createMemoryDocuments,
  createPlanStore,
  createSearxngSearch,
  createTodoStore,
  loadSkills,
  type SearchProvider,
} from '@haft/builtins';
import type { AnyTool } from '@haft/core';
import type { SessionNotes } from '@haft/runner';
import type { Invocation } from '../program/command.ts';
import { createTerminalQuestioner } from '../permission/question-at-terminal.ts';
import { UsageError } from '../program/usage-error.ts';

/** What {@link createTools} may use. */
export interface CreateToolsOptions {
  readonly asks: boolean;
  readonly notes?: SessionNotes | undefined;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Makes the built-in tools, all of them: a search of the web where the environment names one, skills of the folder and of the
 * person, memory (for this run, where no place for notes is given), and, where somebody may be asked, questions at the terminal.
 * @throws UsageError for an address of a search that is none.
 */
export async function createTools(
  invocation: Pick<Invocation, 'cwd' | 'device'>,
  { asks, notes, environment = process.env }: CreateToolsOptions,
): Promise<readonly AnyTool[]> {
  const folders = [homedir(), invocation.cwd].map((folder) => join(folder, '.agents', 'skills'));
  const search = chooseSearch(environment);
  return createBuiltins({
    ...(notes
      ? {
          memory: notes.memory,
          todos: createTodoStore({ documents: notes.todos }),
          plans: createPlanStore({ documents: notes.plans }),
        }
      : { memory: { session: createMemoryDocuments() } }),
    skills: await loadSkills({ directories: folders }),
    ...(search ? { search } : {}),
    ...(asks ? { ask: createTerminalQuestioner(() => invocation.device()) } : {}),
  });
}

/** Whoever runs an instance of SearXNG is meant; else Brave, by a key. */
function chooseSearch(environment: NodeJS.ProcessEnv): SearchProvider | undefined {
  const { HAFT_SEARXNG_URL: url = '', BRAVE_API_KEY: apiKey = '' } = environment;
  if (url === '') return apiKey === '' ? undefined : createBraveSearch({ apiKey: apiKey.trim() });
  if (!/^https?:\/\/./.test(url)) throw new UsageError(`HAFT_SEARXNG_URL is no address: ${url}`);
  return createSearxngSearch({ url });
}
