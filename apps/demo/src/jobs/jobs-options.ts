import type { OptionTable } from '../program/command.ts';

/** Options that name the ledger. */
export const ledgerOptions: OptionTable = {
  url: {
    type: 'string',
    value: 'URL',
    description: 'the ledger: file:DIRECTORY (default: file:.haft/jobs) or postgres://user@host/database',
  },
  schema: { type: 'string', value: 'NAME', description: 'schema of its tables (default: haft_jobs)' },
};
