import {
  functionKind,
  numberKind,
  stringKind,
  checkOptions,
  described,
  either,
  objectWith,
  oneOf,
  required,
  type OptionTable,
} from '@haft/core/options';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  defineTool,
  failure,
  success,
  toolError,
  type AnyTool,
  type ToolContext,
  type ToolResult,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import { eraseTool } from '@haft/core/define';
import { filterSnapshot, isUnderProvider } from '@haft/core/registry';
import { createJail, type Jail } from '@haft/sandbox';
import type { Issue } from '@haft/schema';
import { planLaunch } from '../isolation/launch/launch-plan.ts';
import { invalidOption } from '../plugin-error.ts';
import { declareTools, findTools, listApi, type IsForeign } from './describe-script-api.ts';
import { programLimitKind, readProgramLimits, type ProgramLimits } from './program-limits.ts';
import { concludeScript } from './program-result.ts';
import { runScript } from './run-script.ts';
import { createScriptCalls } from './script-calls.ts';

/** Options of {@link createProgramTool}. */
export interface ProgramToolOptions {
  /**
   * The source that runs the calls of scripts, with its permission, middleware and events, or a function that returns
   * it. Use the same source that runs the tool itself.
   */
  readonly source: ToolSource | (() => ToolSource);
  /** Which of the visible tools scripts may call. Default: all except the tool itself. */
  readonly allow?: (tool: AnyTool, provider: string) => boolean;
  /** Whether scripts must run in a jail of the operating system. Default `required`: without a jail, no script runs. */
  readonly jail?: 'required' | 'preferred' | 'off';
  readonly limits?: ProgramLimits;
  /**
   * Maximum characters of declarations in the tool's description. Beyond it, the model must request the declarations
   * that it needs. Default 8,000.
   */
  readonly maxDescriptionCharacters?: number;
  /** The tool's name. Default `program`. */
  readonly name?: string;
}

const isSource = import.meta.url.endsWith('.ts');
const program: string = fileURLToPath(
  new URL(isSource ? './child/script-program.ts' : './child/script-program.js', import.meta.url),
);
const maxDescribed = 50;

/**
 * Creates the tool through which a model writes one script instead of many calls. The script is JavaScript or
 * TypeScript and calls the tools as functions. Each call uses the normal dispatcher, with its own permission and
 * events; its `parentCallId` is the call of the script. The script runs in a process without any capability.
 *
 * Failures are results for the model, with the line: `PROGRAM_FAILED`, `TIMEOUT`, `LIMIT_REACHED`, `PERMISSION_DENIED`,
 * `ABORTED`; `NOT_FOUND` if no tool matches, or `TOOL_UNAVAILABLE` without a jail.
 *
 * @throws PluginError `INVALID_OPTION` for an unknown or invalid option; HaftError `INVALID_TOOL` for an invalid tool
 * name.
 */
export function createProgramTool(options: ProgramToolOptions): AnyTool {
  checkOptions('createProgramTool', options, table, '{ source }', invalidOption);
  const limits = readProgramLimits(options.limits);
  const { name = 'program', maxDescriptionCharacters = 8_000, allow = () => true } = options;
  const source = (): ToolSource => (typeof options.source === 'function' ? options.source() : options.source);
  const callable = (snapshot: ToolSnapshot): ToolSnapshot =>
    filterSnapshot(snapshot, (tool, provider) => tool.name !== name && allow(tool, provider));
  const described = new WeakMap<ToolSnapshot, { readonly names: string; readonly text: string }>();
  const lastShown = new WeakMap<object, { readonly newest: ToolSnapshot; readonly text: string }>();
  let jail: Promise<Jail | string> | undefined;

  /** Returns the tools that scripts may call. Cached for the same list of visible tools. */
  const describe = (has: (name: string) => boolean): string => {
    let newest: ToolSnapshot;
    try {
      newest = source().snapshot();
    } catch {
      // The source may be created after its tools.
      return '';
    }
    const shown = lastShown.get(has);
    if (shown?.newest === newest) return shown.text;
    const text = describeOf(newest, has);
    lastShown.set(has, { newest, text });
    return text;
  };

  const describeOf = (newest: ToolSnapshot, has: (name: string) => boolean): string => {
    const tools = callable(newest).tools.filter((one) => has(one.name));
    const names = tools.map((one) => one.name).join(' ');
    const known = described.get(newest);
    if (known?.names === names) return known.text;
    const text = tools.length === 0 ? '' : `\n\n${listApi(tools, foreignIn(newest), maxDescriptionCharacters)}`;
    described.set(newest, { names, text });
    return text;
  };

  const tool = defineTool({
    name,
    title: 'Run a script',
    description: ({ has }) => `${about(limits)}${describe(has)}`,
    input: {
      type: 'object',
      properties: {
        script: {
          type: 'string',
          maxLength: limits.scriptCharacters,
          description: 'JavaScript, or TypeScript (types are ignored).',
        },
        describe: {
          type: 'array',
          items: { type: 'string', minLength: 1 },
          maxItems: maxDescribed,
          description: 'Instead of a script: tool names, or words, to show their declarations.',
        },
      },
      additionalProperties: false,
    },
    aliases: { script: ['code', 'program', 'source', 'javascript', 'typescript'] },
    // The tool itself only computes, and each of its calls is checked separately. It is not idempotent, because running
    // a script twice repeats its calls.
    traits: { readOnly: false, destructive: false, idempotent: false, openWorld: false, sideEffects: 'none' },
    // A script may call any tool, so no other call of the turn runs at the same time.
    parallelizable: false,
    timeoutMs: limits.wallTimeMs,
    check: ({ script, describe: queries }) =>
      (script ?? '').trim() === '' && queries === undefined ? [nothingGiven] : [],
    initialTitle: ({ script = '', describe: queries }) =>
      queries ? 'Look up tools for a script' : `Run a script of ${script.split('\n').length} lines`,
    async execute({ script, describe: queries }, context) {
      const via = source();
      const snapshot = callable(context.snapshot ?? via.snapshot());
      if (queries) return answerDescribe(context, snapshot, queries);
      jail ??= openJail(options.jail ?? 'required', context);
      const opened = await jail;
      if (typeof opened === 'string') {
        jail = undefined;
        const hint = 'Make the calls one by one.';
        return failure(context.callId, toolError('TOOL_UNAVAILABLE', opened, { retryable: false, hint }));
      }
      return run(script ?? '', via, snapshot, context, opened);
    },
  });

  const run = async (
    script: string,
    via: ToolSource,
    snapshot: ToolSnapshot,
    context: ToolContext,
    opened: Jail,
  ): Promise<ToolResult> => {
    const calls = createScriptCalls(via, snapshot, context, limits.parallel);
    const ran = await runScript({
      script,
      names: snapshot.names,
      plan: planLaunch({
        program,
        folder: dirname(program),
        own: [],
        granted: {},
        jail: opened,
        heapMegabytes: limits.memoryMegabytes,
        bases: [],
        // Even with a value from outside its realm, a script can neither compile code nor change built-in objects.
        flags: ['--disallow-code-generation-from-strings', '--frozen-intrinsics'],
      }),
      limits,
      calls,
      signal: context.signal,
      onPrint: (line) => context.progress({ output: `${line}\n` }),
    });
    return concludeScript(context, { script, ran, calls, limits });
  };
  return eraseTool(tool);
}

async function openJail(policy: 'required' | 'preferred' | 'off', context: ToolContext): Promise<Jail | string> {
  const jail = await createJail({ policy, onWarning: (message) => context.logger.warn(`Scripts: ${message}`) });
  return jail.ok ? jail : `scripts of models require a jail, and ${jail.message}`;
}

const nothingGiven: Issue = {
  path: '$.script',
  code: 'required',
  expected: 'a script',
  received: 'nothing',
  message: 'expected a script, or names to describe',
  example: '"return await tools.read({ path: \\"a.txt\\" });"',
};

/** Tools that were added at run time have untrusted texts. */
function foreignIn(snapshot: ToolSnapshot): IsForeign {
  return (name) => isUnderProvider(snapshot.providerFor(name) ?? '', 'dynamic');
}

function about(limits: Required<ProgramLimits>): string {
  return (
    'Runs a script that calls tools, for work with many calls: loops, filters, counts, combined answers. Write JavaScript with top-level await; ' +
    'the result is the value of return, or of the last expression, and the output of print(…). `await tools.NAME({ … })` resolves to an Answer: ' +
    'text as you would read it, or the value if the tool answers with JSON; a failed call throws an error with code and message. ' +
    'Use Promise.all for independent calls. There are no modules, files, network or timers except setTimeout. ' +
    `A script may make ${limits.toolCalls} calls, each with its own permission, and compute for ${Math.ceil(limits.ownTimeMs / 1_000)} s.`
  );
}

function answerDescribe({ callId }: ToolContext, snapshot: ToolSnapshot, queries: readonly string[]): ToolResult {
  const found = findTools(snapshot.tools, queries);
  const names = found.map(({ name }) => name);
  if (found.length > 0)
    return success(callId, declareTools(found, foreignIn(snapshot)), {
      summary: `Declared: ${names.join(', ')}`,
      metadata: { names },
    });
  const hint = `Use other words, or one of: ${snapshot.names.slice(0, 50).join(', ')}.`;
  return failure(callId, toolError('NOT_FOUND', 'no tool matches these words', { hint }));
}

const table: OptionTable<ProgramToolOptions> = {
  source: required(
    described(
      'a ToolSource, or a function that returns one',
      either(functionKind, objectWith<ToolSource>('a ToolSource', 'dispatch')),
    ),
  ),
  allow: functionKind,
  jail: oneOf('required', 'preferred', 'off'),
  limits: programLimitKind,
  maxDescriptionCharacters: numberKind({ min: 0 }),
  name: stringKind,
};
