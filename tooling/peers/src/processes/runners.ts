import { exec } from 'node:child_process';
import { join } from 'node:path';

/** The end of a command line, as reported by a contender. */
export interface RunnerOutcome {
  /** The output that it returns; undefined if it gave up. */
  readonly shown: string;
}

/** Runs a command line to its end, or to its time limit. */
export type Runner = (
  line: string,
  options: { readonly folder: string; readonly timeoutMs: number },
) => Promise<RunnerOutcome>;

/** The contenders by name, each loaded in the process that runs it. */
export const runners: Readonly<Record<string, () => Promise<Runner>>> = {
  haft: async () => {
    const { createBuiltins } = await import('@haft/builtins');
    const { allowAll, createDispatcher, createWorkspace, renderForModel } = await import('@haft/core');
    return async (line, { folder, timeoutMs }) => {
      const workspace = createWorkspace({ cwd: folder, permission: allowAll, spillDirectory: join(folder, 'spill') });
      const tools = createDispatcher({ registry: createBuiltins({ include: ['bash'] }), workspace });
      const result = await tools.dispatch({
        id: '1',
        name: 'bash',
        arguments: { command: line, timeout_ms: Math.min(timeoutMs, 600_000) },
      });
      return { shown: renderForModel(result) };
    };
  },
  pi: async () => {
    const { createBashTool } = await import('@earendil-works/pi-coding-agent');
    return async (line, { folder, timeoutMs }) => {
      const tool = createBashTool(folder);
      try {
        const { content } = await tool.execute('1', { command: line, timeout: timeoutMs / 1_000 });
        return { shown: JSON.stringify(content) };
      } catch (error) {
        return { shown: String(error) };
      }
    };
  },
  execa: async () => {
    const { execa } = await import('execa');
    return async (line, { folder, timeoutMs }) => {
      // Not buffered, because output that is larger than its buffer ends the command.
      const result = await execa({
        cwd: folder,
        shell: true,
        all: true,
        reject: false,
        timeout: timeoutMs,
        buffer: false,
        stdio: ['ignore', 'ignore', 'ignore'],
      })`${line}`;
      return { shown: String(result.exitCode) };
    };
  },
  exec: () =>
    Promise.resolve(
      (line, { folder, timeoutMs }) =>
        new Promise((resolve) => {
          exec(line, { cwd: folder, timeout: timeoutMs, maxBuffer: 51_200 }, (_error, stdout) =>
            resolve({ shown: stdout }),
          );
        }),
    ),
};

/** Loads a runner by its name, and runs a command once, because the first one loads code. */
export async function loadRunner(name: string, folder: string): Promise<Runner> {
  const load = runners[name];
  if (load === undefined) throw new Error(`unknown contender "${name}"`);
  const run = await load();
  await run('true', { folder, timeoutMs: 10_000 });
  return run;
}
