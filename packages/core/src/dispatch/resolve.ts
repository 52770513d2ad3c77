import type { AnyTool, Availability } from '../contracts/tool.ts';
import { findNearestNames } from '../registry/nearest-names.ts';
import type { CallRun } from './call-run.ts';
import { reject, type Rejection } from './rejection.ts';
import type { StepOutcome } from './step.ts';

/** Finds the tool that the name meant to the model: first in the snapshot it was shown, which may be older than now. */
export function resolve(run: CallRun): StepOutcome | Promise<StepOutcome> {
  const { call, circumstances, parts, snapshot } = run;
  const tool = snapshot.get(call.name);
  if (!tool) return notFound(call.name, snapshot.names);
  run.tool = tool;
  run.provider = snapshot.providerFor(call.name) ?? '';
  if (!tool.available || parts.unavailable === 'execute') return undefined;
  if (parts.unavailable === 'grace' && circumstances.isShown) return undefined;
  const judge = (answer: Availability): StepOutcome => (answer === true ? undefined : unavailable(tool, answer.reason));
  const answer = parts.registry.checkTool(tool);
  return answer instanceof Promise ? answer.then(judge) : judge(answer);
}

function notFound(name: string, known: readonly string[]): Rejection {
  if (name === '') {
    return reject('TOOL_NOT_FOUND', 'the call names no tool; expected { id, name, arguments }', {
      hint: 'Name the tool to call.',
      details: { nearest: [] },
    });
  }
  const nearest = findNearestNames(name, known);
  const shown = name.length > 80 ? `${name.slice(0, 80)}…` : name;
  const hint =
    nearest.length > 0
      ? `Did you mean ${nearest.join(', ')}? Call one of the tools you were given, by its exact name.`
      : known.length === 0
        ? 'No tools can be called now; answer with text.'
        : `Call one of the tools you were given, by its exact name: ${known.slice(0, 20).join(', ')}${known.length > 20 ? ', …' : ''}.`;
  return reject('TOOL_NOT_FOUND', `there is no tool named ${JSON.stringify(shown)}`, { hint, details: { nearest } });
}

function unavailable(tool: AnyTool, reason: string): Rejection {
  return reject('TOOL_UNAVAILABLE', `${tool.name} can't be used now: ${reason}`, {
    hint: 'Use another tool, or go on without it.',
    details: { reason },
  });
}
