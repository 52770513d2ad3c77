import type { DirectoryHandle, DirectoryEntryStatus } from '@haft/sandbox';

/** Describes the ignore files of a folder and their versions. If the description is unchanged, so are the rules. */
export function describeRuleSources(folder: DirectoryHandle, names: readonly string[]): string {
  if (names.length === 0) return '';
  const statuses = folder.stat(names);
  return names
    .map((name, index) => {
      const status = statuses[index];
      // `.git` changes constantly; only its exclude list matters here.
      return `${name}=${name === '.git' ? describe(statExclude(folder)) : describe(status)}`;
    })
    .join(' ');
}

function statExclude(folder: DirectoryHandle): DirectoryEntryStatus | undefined {
  const repository = folder.enter('.git');
  if (!repository.ok) return undefined;
  try {
    const info = repository.enter('info');
    if (!info.ok) return undefined;
    try {
      return info.stat(['exclude'])[0];
    } finally {
      info.close();
    }
  } finally {
    repository.close();
  }
}

function describe(status: DirectoryEntryStatus | undefined): string {
  return status ? [status.inode, status.size, status.modifiedMs, status.changedMs].join(':') : 'none';
}
