import type { ToolContext } from '@haft/core';

/**
 * Leaves out the files of one folder that may not be read, by the engine that allowed the call. Asked is before a
 * file's content is looked at, so that neither what is shown nor what is left out tells anything about it.
 *
 * One question serves the whole folder. Only when a rule refuses it is each file asked about; when a person refused,
 * or nobody could be asked, that answer holds for the folder.
 */
export async function keepPermitted(
  context: ToolContext,
  title: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0) return paths;
  const decision = await ask(context, title, paths);
  if (decision === 'allow') return paths;
  if (decision === 'deny-all' || paths.length === 1) return [];
  const permitted: string[] = [];
  for (const path of paths) if ((await ask(context, title, [path])) === 'allow') permitted.push(path);
  return permitted;
}

async function ask(
  context: ToolContext,
  title: string,
  paths: readonly string[],
): Promise<'allow' | 'deny' | 'deny-all'> {
  const decision = await context.permission.ask({
    title,
    footprint: { reads: paths.map((path) => `file:${path}`), writes: [] },
  });
  if (decision.action === 'allow') return 'allow';
  const { source } = decision.denial;
  return source === 'person' || source === 'nobody-to-ask' ? 'deny-all' : 'deny';
}
