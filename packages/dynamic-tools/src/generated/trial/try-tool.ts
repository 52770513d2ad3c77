import { hostBases } from '../../files/module-versions.ts';
import type { PluginCapabilities } from '../../capabilities.ts';
import { allowedModules } from './allowed-modules.ts';
import { inspectModule } from '../body/inspect-module.ts';
import { checkTypes, type TypeCheck } from './check-draft-types.ts';
import type { ToolFolderLoader } from '../folder/load-tool-folder.ts';
import { runExamples, type ExampleOutcome } from './run-examples.ts';
import type { ToolDraft } from '../../catalog/tool-draft.ts';
import { withTrialFolder } from '../folder/tool-folder.ts';
import type { TrialReport } from './trial-report.ts';
import { toolData, toolModule, type WrittenTool } from '../folder/write-tool-folder.ts';

/** A report and, if the tool passed, the description that its process returned. */
export interface Trial {
  readonly report: TrialReport;
  readonly described?: unknown;
}

export interface TrialOptions {
  readonly directory: string;
  readonly loader: ToolFolderLoader;
  readonly jail: 'required' | 'preferred' | 'off';
  readonly modules: readonly string[];
  /** Set to false to skip the type check. */
  readonly typeCheck: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Tries a tool in a separate process without any capabilities: parses it, checks its types, loads it and runs its
 * examples. Examples of a tool with capabilities run after the user has granted them.
 */
export async function tryTool(draft: ToolDraft, written: WrittenTool, options: TrialOptions): Promise<Trial> {
  const { signal } = options;
  const notChecked: TypeCheck = { state: 'skipped', reason: 'the body has a syntax error' };
  const fault = await inspectModule(
    {
      text: written.files[toolModule] ?? '',
      start: written.start,
      end: written.end,
      linesBefore: written.linesBefore,
      modules: allowedModules(draft.capabilities, options.modules),
      own: `./${toolData}`,
    },
    signal,
  );
  if (fault) {
    const message = fault.line === undefined ? fault.message : `line ${fault.line}: ${fault.message}`;
    return { report: { passed: false, types: notChecked, examples: [], faults: [{ path: '$.body', message }] } };
  }
  return withTrialFolder(options.directory, written.files, async (folder) => {
    const check = options.typeCheck ? checkTypes : skipTypes;
    const types = await check({
      folder,
      linesBefore: written.linesBefore,
      jail: options.jail,
      bases: hostBases(),
      ...(signal && { signal }),
    });
    if (types.state === 'failed') return { report: { passed: false, types, examples: [], faults: faultsOf(types) } };
    const examples = needsMore(draft.capabilities) ? [] : draft.examples;
    const ran = await runInFolder(folder, draft, {}, examples, options);
    const { described, faults, examples: outcomes } = ran;
    return { described, report: { passed: faults.length === 0, types, examples: outcomes, faults } };
  });
}

function skipTypes(): Promise<TypeCheck> {
  return Promise.resolve({ state: 'skipped', reason: 'the program does not use jails' });
}

/** The outcome of loading a tool's folder and running its examples. */
export interface FolderRun {
  readonly examples: readonly ExampleOutcome[];
  readonly faults: TrialReport['faults'];
  readonly described?: unknown;
}

/** Loads a folder, runs examples, and ends its process. */
export async function runInFolder(
  folder: string,
  { name }: Pick<ToolDraft, 'name'>,
  granted: PluginCapabilities,
  examples: ToolDraft['examples'],
  { loader, signal }: Pick<TrialOptions, 'loader' | 'signal'>,
): Promise<FolderRun> {
  const loaded = await loader.load({ id: name, folder, granted });
  if ('phase' in loaded) {
    const path = loaded.phase === 'isolate' ? '$' : '$.body';
    return { examples: [], faults: [{ path, message: `it does not load: ${loaded.message}` }] };
  }
  try {
    const [tool] = loaded.tools;
    const outcomes = tool ? await runExamples(tool, examples, signal) : [];
    const failed = outcomes.filter(({ passed }) => !passed);
    const faults = failed.map(({ index, reason }) => ({ path: `$.tests[${index}]`, message: reason }));
    return { examples: outcomes, faults, described: loaded.described };
  } finally {
    await loaded.dispose(0);
  }
}

/** Returns whether a tool requests any capability. */
export function needsMore({ fs = {}, hosts = [], exec = false, env = [] }: PluginCapabilities): boolean {
  return exec || hosts.length + env.length + (fs.read ?? []).length + (fs.write ?? []).length > 0;
}

function faultsOf({ diagnostics }: Extract<TypeCheck, { readonly state: 'failed' }>): TrialReport['faults'] {
  return diagnostics.map(({ line, code, message }) => ({
    path: '$.body',
    message: line > 0 ? `line ${line}: ${message} (${code})` : `${message} (${code})`,
  }));
}
