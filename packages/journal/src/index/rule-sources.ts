import type { DirectoryHandle, DirectoryEntryStatus } from '@haft/sandbox';

/** Says which ignore files a folder has, in which versions; as long as that is the same, so are the rules. */
export function describeRuleSources(folder: DirectoryHandle, names: readonly string[]): string {
  if (names.length === 0) return '';
  const looks = folder.stat(names);
  return names
    .map((name, index) => {
      const look = looks[index];
      // The folder of version control changes all the time; of it only the list of what is left out counts.
      return `${name}=${name === '.git' ? describe(lookAtExclude(folder)) : describe(look)}`;
    })
    .join(' ');
}

function lookAtExclude(folder: DirectoryHandle): DirectoryEntryStatus | undefined {
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

function describe(look: DirectoryEntryStatus | undefined): string {
  return look ? [look.inode, look.size, look.modifiedMs, look.changedMs].join(':') : 'none';
}
