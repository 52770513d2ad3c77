import type { BatchContext, CallContext, ToolCall } from '../contracts/calls/call.ts';
import type { ToolSnapshot } from '../contracts/tools/tool.ts';
import type { ToolSource } from '../contracts/calls/source.ts';
import type { ToolError } from '../contracts/results/error.ts';
import type { ToolResult } from '../contracts/results/result.ts';
import { checkOption } from '../options/check-options.ts';
import { aToolSource } from '../options/contract-kinds.ts';
import { createCallQueue } from '../dispatch/lease/lease-queue.ts';
import { listCalls, noListOfCalls } from '../dispatch/list-calls.ts';
import { toolError } from '../results/tool-error.ts';
import { failure } from '../results/tool-result.ts';
import { createSnapshot, type RegisteredTool } from '../registry/snapshot.ts';

/** A tool of a source that an earlier source hides, as positions in the list of sources. */
export interface SourceShadow {
  readonly name: string;
  readonly hidden: number;
  readonly by: number;
}

/** Several sources as one. */
export interface CombinedSource extends ToolSource {
  /** Which tools of later sources can't be reached now, by name. */
  shadows(): readonly SourceShadow[];
}

interface Merged {
  readonly parts: readonly ToolSnapshot[];
  readonly snapshot: ToolSnapshot;
}

/**
 * Makes one source of several, each with permissions, middleware and events of its own. Where two have a tool of one name,
 * the earlier source's is meant; `shadows` tells. Calls of one turn share one order across sources, so that those which
 * touch the same wait for one another; in mode `reads-then-writes` that holds within each source.
 *
 * @throws HaftError `INVALID_OPTION` when something in the list is no source.
 */
export function combineSources(...sources: readonly ToolSource[]): CombinedSource {
  sources.forEach((source, position) => checkOption('combineSources', `source ${position}`, source, aToolSource));
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
      ownerOf(nameOf(call))?.dispatch(call, within(context)) ?? Promise.resolve(nobody(call)),
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

/** Makes a function that merges snapshots and gives the same object again for the same ones. */
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
    last = { parts, snapshot: createSnapshot(version, entries.values()) };
    return last;
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
  /** Where its first call stands in the batch. */
  readonly from: number;
}

/** Calls that follow each other and belong to one source stay together. */
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
  if (!owner) return calls.map(nobody);
  const { onResult } = context;
  return owner.dispatchBatch(calls, {
    ...context,
    ...(onResult === undefined ? {} : { onResult: (result, index) => onResult(result, from + index) }),
  });
}

/** Nothing is known of a call yet: it may be no object at all. */
function nameOf(call: ToolCall | undefined): string {
  try {
    return typeof call?.name === 'string' ? call.name : '';
  } catch {
    return '';
  }
}

const noList = toolError('EXECUTION_ERROR', noListOfCalls);

function nobody(call: ToolCall): ToolResult {
  return refuse(call, toolError('TOOL_NOT_FOUND', 'there are no tools', { hint: 'Answer with text.' }));
}

function skipped(call: ToolCall): ToolResult {
  return refuse(call, toolError('SKIPPED', `${nameOf(call)} was not run, since a call before it was denied`));
}

function refuse(call: ToolCall | undefined, error: ToolError): ToolResult {
  return failure(typeof call?.id === 'string' ? call.id : '', error, { name: nameOf(call) });
}
