import type { Roots, Workspace, WorkspaceJail, WorkspaceOptions } from '../contracts/workspace/workspace.ts';
import { checkOptions } from '../options/check-options.ts';
import { arrayOf, either, objectOf } from '../options/compound-kinds.ts';
import { loggerKind, permissionEngineKind } from '../options/contract-kinds.ts';
import { required, type OptionKind, type OptionTable } from '../options/option-kind.ts';
import {
  booleanKind,
  absolutePathKind,
  functionKind,
  numberKind,
  stringKind,
  described,
  oneOf,
} from '../options/option-kinds.ts';
import { silentLogger } from '../contracts/workspace/session.ts';
import { allowReadOnly } from './permission-engines.ts';

const folder = described('the absolute path of a folder', absolutePathKind);
const roots: OptionKind<Roots> = either(arrayOf(absolutePathKind, 'a list of absolute paths'), oneOf('unrestricted'));
const limit = numberKind({ above: 0 });
// Rejects unknown members, because a misspelled one would silently weaken the sandbox or restrict it too far.
const jail = objectOf<WorkspaceJail>(
  {
    policy: required(oneOf('required', 'preferred', 'off')),
    network: either(
      booleanKind,
      objectOf<Exclude<WorkspaceJail['network'], boolean | undefined>>(
        { hosts: required(arrayOf(stringKind, 'a list of hosts')), loopback: oneOf('shared', 'own') },
        '{ hosts: ["example.com"] }',
      ),
    ),
    read: arrayOf(absolutePathKind, 'a list of absolute paths'),
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
  permission: permissionEngineKind,
  logger: loggerKind,
  now: functionKind,
};

/**
 * Creates a workspace. Reading and writing are limited to the working directory unless roots are given.
 *
 * @throws HaftError `INVALID_OPTION` if a directory is not absolute.
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

/** A model that is told where the omitted output is must be able to read it. */
function readable(roots: Roots, spillDirectory: string | undefined): Roots {
  if (roots === 'unrestricted' || spillDirectory === undefined || roots.includes(spillDirectory)) return roots;
  return [...roots, spillDirectory];
}

/** The default workspace of a dispatcher. It allows no file access. */
export const nowhere: Workspace = createWorkspace({ cwd: '/', readRoots: [], writeRoots: [] });
