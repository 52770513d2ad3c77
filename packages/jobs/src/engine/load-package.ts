import { JobsError } from '../jobs-error.ts';

/** The versions that the shipped database fits. With others, the first database takes up to 30 seconds to create. */
export const fittingVersions: string = 'pg-boss@12.38.0 @electric-sql/pglite@0.5.16';

/** The optional packages of each database. */
const packagesOf: Readonly<Record<'pglite' | 'postgres', string>> = {
  pglite: `${fittingVersions} better-sqlite3`,
  postgres: 'pg-boss pg',
};

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
