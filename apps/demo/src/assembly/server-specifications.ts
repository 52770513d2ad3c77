import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { UsageError } from '../program/usage-error.ts';

/** How one MCP server is started. */
export interface ServerSpecification {
  /** Name of the connection; the server's own when it is not given. */
  readonly name?: string | undefined;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly cwd: string;
}

const configuration = z.object({
  mcpServers: z.record(
    z.string(),
    z.object({
      command: z.string().min(1),
      args: z.array(z.string()).default([]),
      env: z.record(z.string(), z.string()).optional(),
      cwd: z.string().optional(),
    }),
  ),
});

/**
 * Reads what `--mcp` was given: the path of a JSON file with `mcpServers`, as other MCP clients keep it, or else a
 * command line, whose words are separated by blanks unless quoted.
 * @throws UsageError when it is neither.
 */
export function readServerSpecifications(given: string, cwd: string): readonly ServerSpecification[] {
  const path = resolve(cwd, given);
  if (statSync(path, { throwIfNoEntry: false })?.isFile() && given.endsWith('.json'))
    return readConfiguration(path, given);
  if (given.endsWith('.json')) throw new UsageError(`--mcp ${given}: there is no such file`);
  const [command, ...args] = splitWords(given);
  if (command === undefined) throw new UsageError('--mcp needs a JSON file or a command');
  return [{ command, args, cwd }];
}

function readConfiguration(path: string, given: string): readonly ServerSpecification[] {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--mcp ${given} can not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = configuration.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') ?? '';
    throw new UsageError(
      `--mcp ${given}: expected {"mcpServers": {"name": {"command": …}}}; ${place === '' ? '' : `${place}: `}${issue?.message ?? ''}`,
    );
  }
  const folder = dirname(path);
  return Object.entries(parsed.data.mcpServers).map(([name, { command, args, env, cwd }]) => ({
    name,
    command,
    args,
    env,
    cwd: cwd === undefined ? folder : resolve(folder, cwd),
  }));
}

/** Words of a command line; single and double quotes keep blanks together, nothing else is special. */
function splitWords(line: string): readonly string[] {
  const words = line.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_whole, double?: string, single?: string) => double ?? single ?? ''),
  );
}
