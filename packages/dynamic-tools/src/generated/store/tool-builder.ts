import { computeFileDiff, type FileDiff } from '@haft/sandbox';
import type { CatalogEntry, CatalogVersion } from '../../catalog/catalog-entry.ts';
import type { Catalog, StoredEntry } from '../../catalog/create-catalog.ts';
import type { PluginCapabilities } from '../../capabilities.ts';
import { copyData } from '../../copy-data.ts';
import type { ToolFolderLoader } from '../folder/load-tool-folder.ts';
import type { ExampleOutcome } from '../trial/run-examples.ts';
import type { ToolDraft, ToolExample, ToolFiles } from '../../catalog/tool-draft.ts';
import { hashFiles, withTrialFolder } from '../folder/tool-folder.ts';
import { describeFaults } from '../trial/trial-report.ts';
import { needsMore, runInFolder, tryTool, type Trial, type TrialOptions } from '../trial/try-tool.ts';
import { showModule, toolModule, writeToolFolder } from '../folder/write-tool-folder.ts';

/** Options of the tool builder. */
export interface ToolBuilderOptions extends Omit<TrialOptions, 'signal'> {
  readonly catalog: Catalog;
  readonly loader: ToolFolderLoader;
}

/** A tool that passed its trial and is not yet in the catalog. */
export interface Candidate {
  readonly name: string;
  /** The stored entry that this tool replaces. */
  readonly before: StoredEntry | undefined;
  readonly version: number;
  readonly capabilities: PluginCapabilities;
  readonly examples: readonly ToolExample[];
  readonly files: ToolFiles;
  readonly described: unknown;
  /** The diff to the current version. For a new tool, the whole source. */
  readonly diff: FileDiff;
}

/** Creates, tests and stores tools. All methods reject with a `StoreError` if the catalog can't be used. */
export interface ToolBuilder {
  /** Tests a draft. Returns a candidate only if it passed. Puts failed drafts into quarantine. */
  prepare(draft: ToolDraft, signal?: AbortSignal): Promise<{ readonly trial: Trial; readonly candidate?: Candidate }>;
  /** Runs the examples of a tool with capabilities, using the granted ones. */
  runWithGrants(candidate: Candidate, signal?: AbortSignal): Promise<Trial['report']['faults']>;
  /** Writes a candidate to the catalog. Resolves to false if another writer changed the entry first. */
  keep(candidate: Candidate): Promise<boolean>;
  /** Makes an earlier version current. */
  rollBack(kept: StoredEntry, version: number): Promise<boolean>;
  /** Runs a tool's examples, or others, with the files of a version. */
  test(
    name: string,
    version: CatalogVersion,
    examples: readonly ToolExample[] | undefined,
    signal?: AbortSignal,
  ): Promise<readonly ExampleOutcome[] | string>;
  /** Approves files that differ from the approved ones: they become a new, untried version. */
  approve(kept: StoredEntry, files: ToolFiles): Promise<boolean | string>;
}

/** Maximum characters of a diff: more than two versions can have together, so that no diff is cut. */
const maxPatch = 1_000_000;

export function createToolBuilder(options: ToolBuilderOptions): ToolBuilder {
  const { catalog } = options;

  const keepVersion = (
    before: StoredEntry | undefined,
    older: readonly CatalogVersion[],
    made: Pick<Candidate, 'name' | 'version' | 'capabilities' | 'files' | 'described'>,
  ): Promise<boolean> => {
    const version: CatalogVersion = {
      version: made.version,
      hash: hashFiles(made.files),
      createdAt: new Date().toISOString(),
      capabilities: made.capabilities,
      isTried: false,
    };
    const entry: CatalogEntry = { name: made.name, version: made.version, versions: [...older, version] };
    const source = { files: made.files, described: copyData(made.described) ?? null };
    return catalog.save(entry, before?.revision ?? 0, source);
  };
  /** A new tool with the name of a removed one continues its version history. */
  const olderVersions = async (name: string, before: StoredEntry | undefined): Promise<readonly CatalogVersion[]> =>
    (before ?? (await catalog.discarded(name)))?.entry.versions ?? [];

  return {
    async prepare(draft, signal) {
      const { name } = draft;
      const before = await catalog.entry(name);
      const version = nextOf(await olderVersions(name, before));
      const written = writeToolFolder(draft, version);
      const trial = await tryTool(draft, written, { ...options, ...(signal && { signal }) });
      if (!trial.report.passed) {
        const report = describeFaults(trial.report.faults);
        await catalog.quarantine(name, { name, files: written.files, report, at: new Date().toISOString() });
        return { trial };
      }
      const old = before && (await catalog.source(name, before.entry.version))?.files[toolModule];
      const after = showModule(written.files[toolModule] ?? '');
      const diff = computeFileDiff({
        path: `${name}.ts`,
        before: old === undefined ? null : showModule(old),
        after,
        maxPatchCharacters: maxPatch,
      });
      const { capabilities, examples } = draft;
      const { files } = written;
      return {
        trial,
        candidate: { name, before, version, capabilities, examples, files, described: trial.described, diff },
      };
    },
    runWithGrants: ({ name, files, capabilities, examples }, signal) =>
      withTrialFolder(options.directory, files, async (folder) => {
        const run = await runInFolder(folder, { name }, capabilities, examples, {
          ...options,
          ...(signal && { signal }),
        });
        return run.faults;
      }),
    keep: async (candidate) =>
      keepVersion(candidate.before, await olderVersions(candidate.name, candidate.before), candidate),
    rollBack: ({ entry, revision }, version) => catalog.save({ ...entry, version }, revision),
    async test(name, { version, hash, capabilities }, examples, signal) {
      const source = await catalog.source(name, version);
      if (!source) return 'its source is missing in the catalog';
      if (hashFiles(source.files) !== hash) return 'its source differs from what was approved';
      const own = examples ?? readOwnExamples(source.files);
      return withTrialFolder(options.directory, source.files, async (folder) => {
        const run = await runInFolder(folder, { name }, capabilities, own, { ...options, ...(signal && { signal }) });
        return run.examples.length > 0 || run.faults.length === 0 ? run.examples : (run.faults[0]?.message ?? '');
      });
    },
    async approve(kept, files) {
      const { entry } = kept;
      const current = entry.versions.find(({ version }) => version === entry.version);
      const { capabilities = {} } = current ?? {};
      const run = await withTrialFolder(options.directory, files, (folder) =>
        runInFolder(folder, entry, needsMore(capabilities) ? capabilities : {}, [], options),
      );
      if (run.faults.length > 0) return run.faults.map(({ message }) => message).join('\n');
      const version = nextOf(entry.versions);
      return keepVersion(kept, entry.versions, {
        name: entry.name,
        version,
        capabilities,
        files,
        described: run.described,
      });
    },
  };
}

function nextOf(versions: readonly CatalogVersion[]): number {
  return Math.max(0, ...versions.map(({ version }) => version)) + 1;
}

function readOwnExamples(files: ToolFiles): readonly ToolExample[] {
  try {
    return JSON.parse(files['examples.json'] ?? '[]') as readonly ToolExample[];
  } catch {
    return [];
  }
}
