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

/** Options of {@link createTools}. */
export interface CreateToolsOptions {
  readonly asks: boolean;
  readonly notes?: SessionNotes | undefined;
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Creates all built-in tools. Web search requires a provider in the environment, and questions at the terminal require
 * `asks`. Skills come from the folder and the user. Memory lasts for this run, unless `notes` is given.
 * @throws UsageError for an invalid search URL.
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

/** SearXNG if the environment names an instance, otherwise Brave with a key. */
function chooseSearch(environment: NodeJS.ProcessEnv): SearchProvider | undefined {
  const { HAFT_SEARXNG_URL: url = '', BRAVE_API_KEY: apiKey = '' } = environment;
  if (url === '') return apiKey === '' ? undefined : createBraveSearch({ apiKey: apiKey.trim() });
  if (!/^https?:\/\/./.test(url)) throw new UsageError(`HAFT_SEARXNG_URL is not a URL: ${url}`);
  return createSearxngSearch({ url });
}
