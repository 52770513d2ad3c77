import type { ToolContext } from '@haft/core';

/**
 * Leaves out the files of a folder that may not be read, by the engine that allowed the call. It is asked before a file
 * is opened, so that neither shown nor omitted results reveal its content.
 *
 * One question covers the whole folder. Files are asked about one by one only when a rule refuses it; a refusal by the
 * user, or because the user can't be asked, holds for the whole folder.
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
  return source === 'person' || source === 'no-approver' ? 'deny-all' : 'deny';
}
