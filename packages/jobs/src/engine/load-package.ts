import { JobsError } from '../jobs-error.ts';

/** The optional packages of each database. */
const packagesOf = {
  pglite: 'pg-boss @electric-sql/pglite better-sqlite3',
  postgres: 'pg-boss pg',
} as const;

/**
 * Imports an optional package.
 *
 * @throws JobsError `MISSING_PACKAGE`, with the command that installs all packages of the database.
 */
export async function loadPackage<Module>(
  name: string,
  database: keyof typeof packagesOf,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    const message = `the package ${name} is missing (run npm install ${packagesOf[database]})`;
    throw new JobsError('MISSING_PACKAGE', message, { cause });
  }
}
