import type { BatchContext, CallContext, ToolCall } from '../contracts/calls/call.ts';
import type { ToolSnapshot } from '../contracts/tools/tool.ts';
import type { ToolSource } from '../contracts/calls/source.ts';
import type { ToolError } from '../contracts/results/error.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { checkOption } from '../options/check-options.ts';
import { toolSourceKind } from '../options/contract-kinds.ts';
import { createCallQueue } from '../dispatch/lease/lease-queue.ts';
import { listCalls, noListOfCalls } from '../dispatch/list-batch-calls.ts';
import { toolError } from '../results/tool-error.ts';
import { failure } from '../results/tool-result.ts';
import { createSnapshot, type RegisteredTool } from '../registry/snapshot.ts';

/** A tool of a source that is hidden by an earlier source. Sources are identified by their index in the list. */
export interface SourceShadow {
  readonly name: string;
  readonly hidden: number;
  readonly by: number;
}

/** Several sources combined into one. */
export interface CombinedSource extends ToolSource {
  /** Returns the tools of later sources that are currently unreachable, by name. */
  shadows(): readonly SourceShadow[];
}

interface Merged {
  readonly parts: readonly ToolSnapshot[];
  readonly snapshot: ToolSnapshot;
}

/**
 * Combines several sources into one. Each source keeps its own permissions, middleware and events. If two sources have
 * a tool with the same name, the earlier source wins; `shadows` lists the hidden tools. Calls of one turn share one
 * queue across sources, so that conflicting calls wait for each other. The mode `reads-then-writes` applies within each
 * source.
 *
 * @throws HaftError `INVALID_OPTION` if an item of the list is not a source.
 * @example
 * import { combineSources, createDispatcher, defineTool } from '@haft/core';
 * const ping = defineTool({ name: 'ping', description: 'Answers.', kind: 'read', execute: () => 'pong' });
 * const wait = defineTool({ name: 'wait', description: 'Waits.', kind: 'read', execute: () => 'done' });
 * const all = combineSources(createDispatcher({ registry: [ping] }), createDispatcher({ registry: [wait] }));
 * all.snapshot().tools.map(({ name }) => name); // => ['ping', 'wait']
 */
export function combineSources(...sources: readonly ToolSource[]): CombinedSource {
  sources.forEach((source, position) => checkOption('combineSources', `source ${position}`, source, toolSourceKind));
  const newest = createMerger();
  const shown = createMerger();
  const snapshot = (): ToolSnapshot => newest(sources.map((source) => source.snapshot())).snapshot;
  const ownerOf = (name: string): ToolSource | undefined =>
    sources.find((source) => source.snapshot().has(name)) ?? sources[0];
  const within = <Context extends CallContext>(context: Context | undefined): Context & { snapshot: ToolSnapshot } =>
    ({ ...context, snapshot: context?.snapshot ?? snapshot() }) as Context & { snapshot: ToolSnapshot };

  return {
    snapshot,
    visibleTo: async (model) => shown(await Promise.all(sources.map((source) => source.visibleTo(model)))).snapshot,
    shadows: () => findShadows(sources.map((source) => source.snapshot())),
    dispatch: (call, context) =>
      ownerOf(nameOf(call))?.dispatch(call, within(context)) ?? Promise.resolve(answerUnknown(call)),
    forgetTask: (taskId) => {
      for (const source of sources) source.forgetTask?.(taskId);
    },
    dispatchBatch: async (given, context) => {
      const calls = listCalls(given);
      if (!calls) {
        const first = sources[0];
        return first ? first.dispatchBatch(given, within(context)) : [refuse(undefined, noList)];
      }
      return dispatchGroups(groupByOwner(calls as readonly ToolCall[], ownerOf), within(context));
    },
  };
}

/** Creates a function that merges snapshots. It returns the same object for the same snapshots. */
function createMerger(): (parts: readonly ToolSnapshot[]) => Merged {
  let last: Merged | undefined;
  let version = 0;
  return (parts) => {
    if (last?.parts.every((part, position) => part === parts[position])) return last;
    const entries = new Map<string, RegisteredTool>();
    for (const part of parts) {
      for (const tool of part.tools) {
        const { name } = tool;
        if (!entries.has(name)) entries.set(name, { name, tool, provider: part.providerFor(name) ?? '' });
      }
    }
    version += 1;
    last = { parts, snapshot: createSnapshot(version, entries.values(), findUnavailable(parts)) };
    return last;
  };
}

/** Returns a function that finds a tool that is not available in the first source that knows it. */
function findUnavailable(parts: readonly ToolSnapshot[]): ((name: string) => RegisteredTool | undefined) | undefined {
  if (!parts.some((part) => part.unavailable)) return undefined;
  return (name) => {
    for (const part of parts) {
      if (part.has(name)) return undefined;
      const tool = part.unavailable?.(name);
      if (tool) return { name, tool, provider: part.providerFor(name) ?? '' };
    }
    return undefined;
  };
}

function findShadows(parts: readonly ToolSnapshot[]): readonly SourceShadow[] {
  const owners = new Map<string, number>();
  const shadows: SourceShadow[] = [];
  parts.forEach((part, position) => {
    for (const name of part.names) {
      const by = owners.get(name);
      if (by === undefined) owners.set(name, position);
      else shadows.push({ name, hidden: position, by });
    }
  });
  return shadows.sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Group {
  readonly owner: ToolSource | undefined;
  readonly calls: ToolCall[];
  /** Index of its first call in the batch. */
  readonly from: number;
}

/** Groups consecutive calls that belong to the same source. */
function groupByOwner(calls: readonly ToolCall[], ownerOf: (name: string) => ToolSource | undefined): readonly Group[] {
  const groups: Group[] = [];
  calls.forEach((call, from) => {
    const owner = ownerOf(nameOf(call));
    const last = groups.at(-1);
    if (last?.owner === owner && last) last.calls.push(call);
    else groups.push({ owner, calls: [call], from });
  });
  return groups;
}

async function dispatchGroups(groups: readonly Group[], context: BatchContext): Promise<readonly ToolResult[]> {
  const queue = context.queue ?? createCallQueue({ maxParallel: Math.max(1, Math.floor(context.maxParallel ?? 8)) });
  const run = (group: Group): Promise<readonly ToolResult[]> =>
    runGroup(group, groups.length > 1 ? { ...context, queue } : context);
  if (context.onDenied !== 'skip' && context.onDenied !== 'stop') return (await Promise.all(groups.map(run))).flat();
  const results: ToolResult[] = [];
  let isDenied = false;
  for (const group of groups) {
    results.push(...(isDenied ? group.calls.map(skipped) : await run(group)));
    isDenied ||= results.some((result) => !result.ok && result.error.code === 'PERMISSION_DENIED');
  }
  return results;
}

async function runGroup({ owner, calls, from }: Group, context: BatchContext): Promise<readonly ToolResult[]> {
  if (!owner) return calls.map(answerUnknown);
  const { onResult } = context;
  return owner.dispatchBatch(calls, {
    ...context,
    ...(onResult === undefined ? {} : { onResult: (result, index) => onResult(result, from + index) }),
  });
}

/** The call is not validated yet and may not be an object. */
function nameOf(call: ToolCall | undefined): string {
  try {
    return typeof call?.name === 'string' ? call.name : '';
  } catch {
    return '';
  }
}

const noList = toolError('EXECUTION_ERROR', noListOfCalls);

function answerUnknown(call: ToolCall): ToolResult {
  return refuse(call, toolError('TOOL_NOT_FOUND', 'there are no tools', { hint: 'Answer with text.' }));
}

function skipped(call: ToolCall): ToolResult {
  return refuse(call, toolError('SKIPPED', `${nameOf(call)} did not run, because an earlier call was denied`));
}

function refuse(call: ToolCall | undefined, error: ToolError): ToolResult {
  return failure(typeof call?.id === 'string' ? call.id : '', error, { name: nameOf(call) });
}
