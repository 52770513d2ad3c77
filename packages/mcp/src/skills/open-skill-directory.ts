import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { describeCause } from '@haft/core/results';
import { SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import { nodeSkillFiles } from '@modelcontextprotocol/server/ext/skills/node';
import { McpError } from '../mcp-error.ts';

/** Options of {@link openSkillDirectory}. */
export interface SkillDirectoryOptions {
  /** Called for each skipped skill with the reason. Default: ignored. */
  readonly onWarning?: (problem: { readonly path: string; readonly message: string }) => void;
}

/** The description of a served skill for clients. */
export interface SkillEntry {
  [key: string]: unknown;
  /** URI of its `SKILL.md`. */
  uri: string;
  frontmatter: { [key: string]: unknown; name: string; description: string };
  /** Its files, or `dynamic` if they are not listed. */
  resources: 'dynamic' | { [key: string]: unknown; uri: string; digest: string; size: number }[];
  _meta?: Record<string, unknown> | undefined;
}

/** A directory of skills to serve: `serve(source, { skills })`. */
export interface SkillDirectory {
  /** URIs of the skills, such as `skill://release-notes/SKILL.md`. */
  readonly uris: readonly string[];
  /** Metadata for clients: the front matter of each skill, and all files with size and digest. */
  readonly entries: readonly SkillEntry[];
  /** Reads the directory again. */
  reload(): Promise<void>;
  /**
   * Reads a file of a skill. Resolves to undefined if it is not listed.
   *
   * @throws Error if the file has changed since it was listed.
   */
  read(uri: string): Promise<Uint8Array | undefined>;
}

const scheme = 'skill://';

/**
 * Opens a directory that contains skill directories, each with a `SKILL.md`, so that clients can load them. Clients get
 * files exactly as listed: a changed file is refused until `reload()`. Links are not followed. A skill with a link,
 * more than 512 files or more than 16 MiB is skipped.
 *
 * @throws McpError `INVALID_OPTION` if the directory can't be read.
 * @example
 * import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
 * import { tmpdir } from 'node:os';
 * import { join } from 'node:path';
 * import { openSkillDirectory } from '@haft/mcp';
 * const directory = await mkdtemp(join(tmpdir(), 'skills-'));
 * await mkdir(join(directory, 'greet'));
 * await writeFile(join(directory, 'greet', 'SKILL.md'), '---\nname: greet\ndescription: Greets.\n---\n\nSay hello.\n');
 * const skills = await openSkillDirectory(directory);
 * skills.entries.length; // => 1
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
    throw new McpError('INVALID_OPTION', `openSkillDirectory: ${JSON.stringify(directory)} is not a directory`);
  const files = nodeSkillFiles(directory);
  const onWarning = (problem: { readonly path: string; readonly message: string }): void =>
    options.onWarning?.(problem);
  const catalog = await SkillsExtension.load(files, { onWarning }).catch((cause: unknown) => {
    throw new McpError('INVALID_OPTION', `openSkillDirectory: reading failed: ${describeCause(cause)}`, { cause });
  });

  // All callers during a reload share the next reload.
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
      const listedFile = catalog.entries
        .flatMap(({ resources }) => (resources === 'dynamic' ? [] : resources))
        .find((file) => file.uri === uri);
      if (!listedFile) return undefined;
      const bytes = await files.read(decodeURIComponent(uri.slice(scheme.length)));
      const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
      if (digest !== listedFile.digest) throw new Error('the file changed after it was listed');
      return bytes;
    },
  };
}
