import { recordRun } from '@haft/runner';
import { createChat, type Chat, type RunStore } from '@haft/workbench';
import type { Model } from '@haft/core';
import { UsageError } from '../program/usage-error.ts';
import { connectModel } from './connect-model.ts';
import { checkEndpoint } from './check-endpoint.ts';
import { resolveEndpoint, type Endpoint } from './endpoint.ts';
import { createOfflineModel } from './offline-model.ts';
import { systemPromptFor } from './system-prompt.ts';

/** Options of {@link createWorkbenchChat}. */
export interface WorkbenchChatOptions {
  readonly cwd: string;
  readonly runs: RunStore;
  readonly signal: AbortSignal;
}

/**
 * Creates the chat of the workbench. It begins with the server that `haft chat` would use, or with the offline script,
 * and records every run.
 */
export async function createWorkbenchChat({ cwd, runs, signal }: WorkbenchChatOptions): Promise<Chat> {
  const endpoint = findEndpoint();
  const models: Record<string, Model> = endpoint
    ? { [`${endpoint.model} at ${endpoint.baseUrl}`]: await connectModel(endpoint) }
    : {};
  return createChat({
    models: { ...models, 'offline script': createOfflineModel() },
    run: (run) => recordRun({ ...run, systemPrompt: systemPromptFor(cwd) }, runs.begin()),
    check: (given) => checkEndpoint(given, signal),
    connect: ({ baseUrl, model, apiKey }) => connectModel({ vendor: 'custom', baseUrl, model, apiKey }),
  });
}

/** The server from the environment, if there is one with a model. */
function findEndpoint(): Endpoint | undefined {
  try {
    return resolveEndpoint({ baseUrl: undefined, model: undefined, apiKeyEnv: undefined }, process.env);
  } catch (error) {
    if (error instanceof UsageError) return undefined;
    throw error;
  }
}
