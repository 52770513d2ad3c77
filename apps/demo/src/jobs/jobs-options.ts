import type { OptionTable } from '../program/command.ts';

/** Options that name the job database. */
export const ledgerOptions: OptionTable = {
  url: {
    type: 'string',
    value: 'URL',
    description: 'the job database: file:DIRECTORY (default: file:.haft/jobs) or postgres://user@host/database',
  },
  schema: { type: 'string', value: 'NAME', description: 'schema of its tables (default: haft_jobs)' },
};
