import type { ToolSnapshot } from '@haft/core';
import { extractToolCalls, type CallableTool, type ExtractedCall, type RejectedCall } from '@haft/repair';
import { asJson, cutText } from '../contract/as-json.ts';
import type { TextFinding, TextReading } from '../contract/page-data.ts';

/** Reads a text of a model as the dispatcher's caller would: which calls it holds, and what only looks like one. */
export function readText(snapshot: ToolSnapshot, text: string, stopped: 'stop' | 'length' | undefined): TextReading {
  const tools: readonly CallableTool[] = snapshot.tools.map((tool, index) => ({
    name: snapshot.names[index] ?? tool.name,
    parameters: tool.input.jsonSchema as NonNullable<CallableTool['parameters']>,
    aliases: tool.aliases,
  }));
  const { calls, rejected, text: rest } = extractToolCalls(text, { tools, ...(stopped && { stopped }) });
  const findings = [...calls.map(findingOfCall), ...rejected.map(findingOfRejection)];
  return { findings: findings.sort((a, b) => a.start - b.start || b.end - a.end), rest: cutText(rest) };
}

function findingOfCall({ start, end, name, envelope, risk, arguments: args, repairs }: ExtractedCall): TextFinding {
  return {
    kind: 'call',
    start,
    end,
    name,
    form: envelope,
    risk,
    arguments: asJson(args),
    repairs: repairs.map((repair) => ({
      start: repair.start,
      end: repair.end,
      message: describeRepair(repair.code, repair.found, repair.assumed),
    })),
  };
}

function describeRepair(code: string, found: string, assumed: string): string {
  if (assumed === '') return `${code}: dropped ${JSON.stringify(found)}`;
  if (found === '') return `${code}: added ${JSON.stringify(assumed)}`;
  return `${code}: read ${JSON.stringify(found)} as ${JSON.stringify(assumed)}`;
}

function findingOfRejection({ start, end, name, reason, hint }: RejectedCall): TextFinding {
  return { kind: 'rejected', start, end, name: name ?? '', form: reason, risk: '', hint, repairs: [] };
}
