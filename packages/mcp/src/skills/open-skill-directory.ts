import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { describeCause } from '@haft/core';
import { SkillsExtension, type Skill } from '@modelcontextprotocol/server/ext/skills';
import { nodeSkillFiles } from '@modelcontextprotocol/server/ext/skills/node';
import { McpError } from '../mcp-error.ts';

/** What {@link openSkillDirectory} takes besides the directory. */
export interface SkillDirectoryOptions {
  /** Hears which skill was left out, and why. Default: nobody. */
  readonly onWarning?: (problem: { readonly path: string; readonly message: string }) => void;
}

/** A directory of skills on its way to clients: `serve(source, { skills })`. */
export interface SkillDirectory {
  /** Addresses of the skills in it, such as `skill://release-notes/SKILL.md`. */
  readonly uris: readonly string[];
  /** What clients are told of each: its front matter, and every file with size and digest. */
  readonly entries: readonly Skill[];
  /** Looks at the directory again. */
  reload(): Promise<void>;
  /** The bytes of a file of a skill; nothing where there is none. @throws Error for one that was changed since it was listed. */
  read(uri: string): Promise<Uint8Array | undefined>;
}

const scheme = 'skill://';

/**
 * Opens a directory whose folders are skills, each with a `SKILL.md`, so that clients that know skills can load them. What is
 * listed is what is sent: a file that changes is not given out before the directory was looked at again (`reload`). Links are
 * not followed, and a skill that holds one, or more than 512 files or 16 MiB, is left out.
 *
 * @throws McpError `INVALID_OPTION` when the directory can't be read.
 */
export async function openSkillDirectory(
  directory: string,
  options: SkillDirectoryOptions = {},
): Promise<SkillDirectory> {
  const isDirectory = await stat(directory).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isDirectory)
    throw new McpError('INVALID_OPTION', `there is no directory of skills at ${JSON.stringify(directory)}`);
  const files = nodeSkillFiles(directory);
  const onWarning = (problem: { readonly path: string; readonly message: string }): void =>
    options.onWarning?.(problem);
  const catalog = await SkillsExtension.load(files, { onWarning }).catch((cause: unknown) => {
    throw new McpError('INVALID_OPTION', `the directory of skills can't be read: ${describeCause(cause)}`, { cause });
  });

  // However many ask while it is looked at, it is looked at once more for all of them.
  let running: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const reloadOnce = async (): Promise<void> => {
    next = undefined;
    await catalog.reload();
  };

  return {
    get uris() {
      return catalog.entries.map(({ uri }) => uri);
    },
    get entries() {
      return catalog.entries;
    },
    reload: () => (next ??= running = running.then(reloadOnce, reloadOnce)),
    async read(uri) {
      const listed = catalog.entries
        .flatMap(({ resources }) => (resources === 'dynamic' ? [] : resources))
        .find((file) => file.uri === uri);
      if (!listed) return undefined;
      const bytes = await files.read(decodeURIComponent(uri.slice(scheme.length)));
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      if (digest !== listed.digest) throw new Error('the file was changed since it was listed');
      return bytes;
    },
  };
}
