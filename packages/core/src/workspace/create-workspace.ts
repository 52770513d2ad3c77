import type { Roots, Workspace, WorkspaceJail, WorkspaceOptions } from '../contracts/workspace/workspace.ts';
import { checkOptions } from '../options/check-options.ts';
import { arrayOf, either, objectOf } from '../options/compound-kinds.ts';
import { aLogger, aPermissionEngine } from '../options/contract-kinds.ts';
import { required, type OptionKind, type OptionTable } from '../options/option-kind.ts';
import { aBoolean, absolutePath, aFunction, aNumber, aString, described, oneOf } from '../options/option-kinds.ts';
import { silentLogger } from '../contracts/workspace/session.ts';
import { allowReadOnly } from './permission-engines.ts';

const folder = described('the absolute path of a folder', absolutePath);
const roots: OptionKind<Roots> = either(arrayOf(absolutePath, 'a list of absolute paths'), oneOf('unrestricted'));
const limit = aNumber({ above: 0 });
// A misspelt member would leave a door open or closed that nobody looks at again.
const jail = objectOf<WorkspaceJail>(
  {
    policy: required(oneOf('required', 'preferred', 'off')),
    network: either(
      aBoolean,
      objectOf<Exclude<WorkspaceJail['network'], boolean | undefined>>(
        { hosts: required(arrayOf(aString, 'a list of hosts')), loopback: oneOf('shared', 'own') },
        '{ hosts: ["example.com"] }',
      ),
    ),
    read: arrayOf(absolutePath, 'a list of absolute paths'),
    limits: objectOf<NonNullable<WorkspaceJail['limits']>>(
      { memoryBytes: limit, processes: limit, fileBytes: limit, temporaryBytes: limit },
      '{ memoryBytes: 1_000_000_000 }',
    ),
  },
  "{ policy: 'required' }",
);
const table: OptionTable<WorkspaceOptions> = {
  cwd: required(folder),
  readRoots: roots,
  writeRoots: roots,
  spillDirectory: folder,
  jail,
  permission: aPermissionEngine,
  logger: aLogger,
  now: aFunction,
};

/**
 * Makes a workspace: reading and writing are limited to the working directory unless roots say otherwise.
 *
 * @throws HaftError `INVALID_OPTION` for a folder that is not absolute.
 */
export function createWorkspace(options: WorkspaceOptions): Workspace {
  checkOptions('createWorkspace', options, table, '{ cwd: process.cwd() }');
  return {
    cwd: options.cwd,
    readRoots: readable(options.readRoots ?? [options.cwd], options.spillDirectory),
    writeRoots: options.writeRoots ?? [options.cwd],
    ...(options.spillDirectory === undefined ? {} : { spillDirectory: options.spillDirectory }),
    ...(options.jail === undefined ? {} : { jail: options.jail }),
    permission: options.permission ?? allowReadOnly,
    logger: options.logger ?? silentLogger,
    now: options.now ?? Date.now,
  };
}

/** A model that is told where the rest of an output is has to be able to read it there. */
function readable(roots: Roots, spillDirectory: string | undefined): Roots {
  if (roots === 'unrestricted' || spillDirectory === undefined || roots.includes(spillDirectory)) return roots;
  return [...roots, spillDirectory];
}

/** The workspace of a dispatcher that was given none: no file can be reached. */
export const nowhere: Workspace = createWorkspace({ cwd: '/', readRoots: [], writeRoots: [] });
