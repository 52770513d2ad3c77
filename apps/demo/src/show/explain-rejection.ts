import { findNearestNames, type ToolSnapshot } from '@haft/core';
import type { RejectedCall } from '@haft/repair/calls';
import { showableEnds, showableLine } from './showable.ts';

/** Context for explaining a call that was not run. */
export interface RejectionContext {
  /** The whole text. */
  readonly text: string;
  readonly snapshot: ToolSnapshot;
  /** The command that lists the tools, such as `haft tools`. */
  readonly toolsCommand: string;
  /** Whether the text counts as cut only because the user gave no reason for its end. */
  readonly mayHaveStopped: boolean;
}

/** Explains why a text that looks like a call was not run, and what to do. The first line names it. */
export function explainRejection(rejected: RejectedCall, context: RejectionContext): readonly string[] {
  const { reason, name, start, end } = rejected;
  const { text, snapshot, mayHaveStopped } = context;
  const written = `written: ${showableEnds(text.slice(start, end), 120)}`;
  switch (reason) {
    case 'unknown_tool':
      return [`unknown tool ${quote(name)}`, ...adviseName(name, context)];
    case 'incomplete':
      return [
        'its arguments end before they are complete, so it was not run',
        written,
        ...(mayHaveStopped ? ['→ if the model stopped by itself and was not cut, add --stopped stop'] : []),
      ];
    case 'invalid_json':
      return ['its arguments cannot be read as JSON, even after repair', written];
    case 'invalid_arguments':
      return ['its arguments do not fit the tool', written, ...adviseArguments(name, snapshot)];
    case 'reasoning':
      return ['it is part of the reasoning, whose opening tag is missing, so it was not run', written];
    case 'repeated':
      return ['it repeats the first call of the text, so it was run once'];
    default:
      return [reason];
  }
}

function adviseName(name: string | undefined, { snapshot, toolsCommand }: RejectionContext): readonly string[] {
  const nearest = name === undefined ? [] : findNearestNames(name, snapshot.names);
  const advice =
    nearest.length > 0
      ? `did you mean ${nearest.join(' or ')}?`
      : `the tools are ${snapshot.names.slice(0, 12).join(', ')}${snapshot.names.length > 12 ? ', …' : ''}`;
  return [`→ ${advice} (${toolsCommand} lists them all)`];
}

function adviseArguments(name: string | undefined, snapshot: ToolSnapshot): readonly string[] {
  const tool = name === undefined ? undefined : snapshot.get(name);
  const required = requiredOf(tool?.input.jsonSchema);
  if (!tool || required.length === 0) return [];
  return [`→ ${tool.name} takes an object with at least ${required.join(', ')}`];
}

function quote(name: string | undefined): string {
  return name === undefined ? 'of this name' : JSON.stringify(showableLine(name, 80));
}

function requiredOf(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null || !('required' in schema)) return [];
  return Array.isArray(schema.required) ? schema.required.map(String) : [];
}
