import { realpathSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { failure, toolError, type Footprint, type ToolContext, type ToolResult } from '@haft/core';
import type { PluginCapabilities } from '../../capabilities.ts';

/** A question that the user must agree to. */
export interface Question {
  readonly title: string;
  readonly footprint: Footprint;
  readonly arguments: unknown;
}

/** Asks one question after the other. Returns the failure if one is denied. */
export async function askAll(
  context: ToolContext,
  name: string,
  questions: readonly Question[],
): Promise<ToolResult | undefined> {
  for (const question of questions) {
    const decision = await context.permission.ask(question);
    if (decision.action === 'allow') continue;
    const { denial } = decision;
    const hint = 'Nothing was created. Ask the user what to do instead, or continue without it.';
    const message = `${question.title}: not allowed (${denial.reason})`;
    return failure(context.callId, toolError('PERMISSION_DENIED', message, { denial, hint }), { metadata: { name } });
  }
  return undefined;
}

/** Returns one question for each capability. The permission engine judges granted files by their paths. */
export function askForCapabilities(
  name: string,
  { fs = {}, hosts = [], exec = false, env = [] }: PluginCapabilities,
): readonly Question[] {
  const nothing: Footprint = { reads: [], writes: [] };
  const question = (what: string, value: unknown, footprint = nothing): Question => ({
    title: `Let the tool ${name} ${what}`,
    footprint,
    arguments: { name, capability: value },
  });
  return [
    ...(fs.read ?? []).map((path) => question(`read ${path}`, { read: path }, { reads: [keyOf(path)], writes: [] })),
    ...(fs.write ?? []).map((path) => question(`write ${path}`, { write: path }, { reads: [], writes: [keyOf(path)] })),
    ...hosts.map((host) => question(`use the network, for ${host}`, { host })),
    ...(exec ? [question('start programs', { exec })] : []),
    ...env.map((variable) => question(`read the environment variable ${variable}`, { env: variable })),
  ];
}

/**
 * Resolves capabilities to absolute real paths, so that the user is asked about the real path. A relative path never
 * refers to the tool's own folder.
 */
export function resolveCapabilities(capabilities: PluginCapabilities, cwd: string): PluginCapabilities {
  const { fs } = capabilities;
  if (!fs) return capabilities;
  const at = (paths: readonly string[]): readonly string[] => paths.map((path) => realIfThere(resolve(cwd, path)));
  return { ...capabilities, fs: { ...(fs.read && { read: at(fs.read) }), ...(fs.write && { write: at(fs.write) }) } };
}

function realIfThere(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function keyOf(path: string): string {
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return `file:${path}${isFolder && !path.endsWith('/') ? '/' : ''}`;
}
