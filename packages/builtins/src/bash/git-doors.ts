import { dirname, join } from 'node:path';
import { createConfinedDirectory, readConfinedFile, removeConfined, writeConfinedFile } from '@haft/sandbox';

/** Lets git folders be as they were; to be called once, when the command has ended. */
export type OpenDoors = () => void;

/** What git takes for "here": its settings are its own. */
const here = '.\n';

interface ClosedDoor {
  /** How many commands run that it is closed for. */
  commands: number;
  /** Whether what is there is what this process has put there. */
  readonly isOurs: Promise<boolean>;
}

/** By the path of the file. */
const closed = new Map<string, ClosedDoor>();

/**
 * Closes two doors of git folders for the time of a jailed command, which can't be kept from making what is not there: hooks where
 * there is no folder for them, and `commondir`, by which git takes hooks and settings from elsewhere. What is put in their places is
 * what git does anyway, and is only read by the command.
 */
export async function closeGitDoors(folders: readonly string[]): Promise<OpenDoors> {
  const own = await Promise.all(folders.map(closeDoors));
  return () => own.forEach(open);
}

async function closeDoors(folder: string): Promise<string | undefined> {
  const path = join(folder, 'commondir');
  const door = closed.get(path) ?? { commands: 0, isOurs: putInPlace(folder, path) };
  closed.set(path, door);
  door.commands += 1;
  if (await door.isOurs) return path;
  closed.delete(path);
  return undefined;
}

async function putInPlace(folder: string, path: string): Promise<boolean> {
  await createConfinedDirectory([folder], join(folder, 'hooks'), { protection: 'off' });
  const there = await readConfinedFile([folder], path, { followLinks: false });
  // One that stayed when a program was killed is taken for our own.
  if (there.ok) return Buffer.from(there.bytes).toString() === here;
  const made = await writeConfinedFile([folder], path, Buffer.from(here), {
    expectedHash: null,
    createParents: false,
    protection: 'off',
  });
  return made.ok;
}

function open(path: string | undefined): void {
  const door = path === undefined ? undefined : closed.get(path);
  if (path === undefined || door === undefined) return;
  door.commands -= 1;
  if (door.commands > 0) return;
  closed.delete(path);
  // Begins at once, and so before another command closes it again.
  void removeConfined([dirname(path)], path, { protection: 'off' });
}
