import { existsSync } from 'node:fs';
import { resolve } from 'node:path';

import type { Jobs } from '@haft/jobs';

import type { Invocation } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';

/**
 * Opens the job database that the options name. Loads the packages on demand, because most users have no jobs.
 *
 * @param creates - whether a directory that does not exist becomes a new one.
 * @throws UsageError for an invalid URL, a missing job database, or a missing package of the database.
 */
export async function openLedger(invocation: Invocation, creates: boolean): Promise<Jobs> {
  const note = (message: string): void => invocation.terminal.note(`haft: ${message}`);
  const directory = /^file:(?!~\/)(.+)$/s.exec(ledgerUrl(invocation))?.[1];
  if (!creates && directory !== undefined && !existsSync(directory))
    throw new UsageError(missingDatabase(invocation.value('url')));
  const { openJobs, JobsError } = await import('@haft/jobs');
  const schema = invocation.value('schema');
  try {
    return await openJobs({
      url: ledgerUrl(invocation),
      ...(schema === undefined ? {} : { schema }),
      onWarning: ({ message }) => note(message),
    });
  } catch (error) {
    if (error instanceof JobsError && error.code === 'INVALID_OPTION')
      throw new UsageError(error.message.replace(/^openJobs: /, '--'));
    if (error instanceof JobsError && error.code === 'MISSING_PACKAGE') throw new UsageError(error.message);
    throw error;
  }
}

const defaultUrl = 'file:.haft/jobs';

function missingDatabase(url: string | undefined): string {
  return url === undefined
    ? `there is no job database in ${defaultUrl.slice('file:'.length)}; haft worker creates it, and --url names another one`
    : `--url ${url}: no such job database; haft worker creates it`;
}

/** A directory is relative to the working folder of the command. */
function ledgerUrl(invocation: Invocation): string {
  const url = invocation.value('url') ?? defaultUrl;
  const path = /^file:(?!\/|~\/)(.+)$/s.exec(url)?.[1];
  return path === undefined ? url : `file:${resolve(invocation.cwd, path)}`;
}
