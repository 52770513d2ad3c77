import type { ImportedServers } from '@haft/mcp';

import { findProgram } from './find-program.ts';

/** Whether the machine can do one thing. */
export interface Finding {
  readonly what: string;
  /** `missing` means that something works less well, or not at all. */
  readonly state: 'ok' | 'missing';
  readonly found: string;
  /** How to get it. Only if it is missing. */
  readonly remedy?: string;
}

const ok = (what: string, found: string): Finding => ({ what, state: 'ok', found });
const missing = (what: string, found: string, remedy: string): Finding => ({ what, state: 'missing', found, remedy });

/** Reports whether commands can run in a jail. */
export async function findJail(platform: NodeJS.Platform = process.platform): Promise<Finding> {
  const { createJail } = await import('@haft/sandbox');
  const jail = await createJail({ policy: 'required' });
  if (jail.ok) {
    const { driver, gaps } = jail;
    await jail.close();
    return ok('jail', [driver, ...gaps].join('; '));
  }
  const remedy =
    platform === 'linux'
      ? 'install bubblewrap (apt install bubblewrap, dnf install bubblewrap), and allow user namespaces'
      : platform === 'win32'
        ? 'run haft in WSL; on Windows itself, commands run with your rights, after you allow each'
        : 'commands run with your rights, after you allow each';
  return missing('jail', jail.message, remedy);
}

/** Reports whether a program is on the search path. */
export function findTool(name: string, use: string, remedy: string, environment = process.env): Finding {
  const path = findProgram(name, environment);
  return path === undefined ? missing(name, `not installed; ${use}`, remedy) : ok(name, path);
}

/** Reports whether approvals can be stored in a file. */
export async function findDatabase(load = (name: string): Promise<unknown> => import(name)): Promise<Finding> {
  try {
    await load('better-sqlite3');
    return ok('database', 'better-sqlite3');
  } catch {
    return missing(
      'database',
      'better-sqlite3 cannot be loaded; approvals last for one run',
      'npm install better-sqlite3',
    );
  }
}

/** Reports whether questions can be asked, and how wide the output may be. */
export function findTerminal(isInteractive: boolean, columns: number, canAsk: boolean): Finding {
  const shown = isInteractive ? `${columns} columns` : 'output is redirected';
  return canAsk
    ? ok('terminal', shown)
    : missing(
        'terminal',
        `${shown}; questions cannot be asked`,
        'run haft in a terminal, or pass --yes to allow calls without asking',
      );
}

/**
 * Reports for each server whether its program exists or its address answers, and which servers are disabled or have an
 * invalid entry. Does not start any program.
 */
export async function findServers(
  { servers, disabled, problems }: Pick<ImportedServers, 'servers' | 'disabled' | 'problems'>,
  { signal, environment = process.env }: { readonly signal: AbortSignal; readonly environment?: NodeJS.ProcessEnv },
): Promise<readonly Finding[]> {
  const reached = await Promise.all(
    Object.entries(servers).map(async ([name, { command, url }]) => {
      const what = `server ${name}`;
      if (command !== undefined) {
        const path = command.includes('/') || command.includes('\\') ? command : findProgram(command, environment);
        return path === undefined
          ? missing(what, `${command} is not on the search path`, `install ${command}`)
          : ok(what, path);
      }
      const address = url ?? '';
      try {
        const response = await fetch(address, {
          method: 'GET',
          signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
        });
        await response.body?.cancel();
        return ok(what, `${new URL(address).host} answers`);
      } catch (error) {
        const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
        return missing(what, `${address} does not answer: ${reason}`, 'check the address and the network');
      }
    }),
  );
  return [
    ...reached,
    ...disabled.map(({ name, reason }) => ok(`server ${name}`, `disabled: ${reason}`)),
    ...problems.map(({ name, reason }) => missing(`server ${name}`, reason, 'correct its entry in the file')),
  ];
}
