import type { RemoteToolPlan } from '../contract/remote-tool-plan.ts';
import { cleanText } from '@haft/sandbox';
import { cleanLine, cutBytes } from '../../untrusted/clean-text.ts';
import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import type { RemoteTool } from './list-remote-tools.ts';
import { findMirrored } from '../../mirrored-parameters.ts';
import { tameSchema, type SchemaLimits } from '../../untrusted/tame-schema.ts';
import type { ApprovedTool } from '../contract/tool-approvals.ts';
import { printOf } from '../contract/tool-change.ts';

/** Reads a tool as a server describes it. A tool that can't be shown is a diagnostic that says why; nothing is thrown. */
export function planRemoteTool(remote: RemoteTool, limits: SchemaLimits): RemoteToolPlan | ConnectionDiagnostic {
  try {
    return plan(remote, limits);
  } catch (error) {
    return leftOut(remote.name, 'invalid-tool', error instanceof Error ? error.message : String(error));
  }
}

/** Reads a tool as it was trusted in another run. */
export function planApprovedTool(approved: ApprovedTool): RemoteToolPlan {
  const { remoteName, title, description, inputSchema, outputSchema, annotations } = approved;
  const text = { remoteName, title, description, inputSchema, outputSchema, annotations };
  return { ...text, remarks: [], print: printPlan(text) };
}

/** Says why a tool was left out. */
export function leftOut(
  remoteName: string,
  kind: 'invalid-tool' | 'large-schema',
  reason: string,
): ConnectionDiagnostic {
  return { kind, tool: remoteName, message: `${shownName(remoteName)} was left out: ${cleanLine(reason, 300)}` };
}

function plan(remote: RemoteTool, limits: SchemaLimits): RemoteToolPlan | ConnectionDiagnostic {
  const { name: remoteName } = remote;
  const tamed = tameSchema(remote.inputSchema, limits);
  if (!tamed.ok) return leftOut(remoteName, tamed.kind, tamed.reason);
  const mirrored = findMirrored(remote.inputSchema);
  if (!mirrored.ok) return leftOut(remoteName, 'invalid-tool', mirrored.reason);
  const remarks: ConnectionDiagnostic[] = [];
  const given = typeof remote.description === 'string' ? remote.description.replace(/\r\n?/g, '\n').trim() : '';
  const cleaned = cleanText(given).trim();
  const description = cutBytes(cleaned, limits.maxDescriptionBytes);
  if (description !== given) {
    const what = description === cleaned ? 'freed of hidden characters' : `cut to ${limits.maxDescriptionBytes} bytes`;
    const message = `the description of ${shownName(remoteName)} was ${what}`;
    remarks.push({ kind: 'changed-description', tool: remoteName, message });
  }
  if (tamed.changed) {
    const message = `the input schema of ${shownName(remoteName)} was freed of hidden characters and overlong texts`;
    remarks.push({ kind: 'changed-schema', tool: remoteName, message });
  }
  const title = titleOf(remote);
  const { schema: inputSchema } = tamed;
  const outputSchema = outputOf(remote, limits);
  const annotations = hintsOf(remote);
  const text = { remoteName, title, description, inputSchema, outputSchema, annotations };
  return { ...text, remarks, print: printPlan(text) };
}

function printPlan(text: Omit<RemoteToolPlan, 'remarks' | 'print'>): string {
  const { remoteName, title, description, inputSchema, outputSchema, annotations } = text;
  return printOf([remoteName, title, description, inputSchema, outputSchema, annotations]);
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function hintsOf({ annotations }: RemoteTool): Readonly<Record<string, boolean>> {
  const said = (typeof annotations === 'object' && annotations !== null ? annotations : {}) as Record<string, unknown>;
  return Object.fromEntries(
    hints.flatMap((hint) => (typeof said[hint] === 'boolean' ? [[hint, said[hint]] as const] : [])),
  );
}

function titleOf(remote: RemoteTool): string {
  const annotated = (remote.annotations as { readonly title?: unknown } | null | undefined)?.title;
  const title = typeof remote.title === 'string' ? remote.title : typeof annotated === 'string' ? annotated : '';
  return cleanLine(title, 100);
}

function outputOf({ outputSchema }: RemoteTool, limits: SchemaLimits): Readonly<Record<string, unknown>> | undefined {
  if (typeof outputSchema !== 'object' || outputSchema === null) return undefined;
  const tamed = tameSchema(outputSchema, limits);
  return tamed.ok ? tamed.schema : undefined;
}

function shownName(remoteName: string): string {
  return JSON.stringify(cleanLine(remoteName, 80));
}
