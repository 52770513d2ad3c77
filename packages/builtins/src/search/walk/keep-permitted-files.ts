import type { ToolContext } from '@haft/core';

/**
 * Removes the files of a directory that the permission engine denies. The engine is asked before a file is opened, so
 * that neither shown nor omitted results reveal its content.
 *
 * One request covers the whole directory. If a rule denies it, each file is checked separately. If the user denies it
 * or can't be asked, the decision holds for the whole directory.
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
