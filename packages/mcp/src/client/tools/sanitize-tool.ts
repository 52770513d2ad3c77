import type { SanitizedTool } from '../../untrusted/sanitized-tool.ts';
import { cleanText } from '@haft/sandbox';
import { cleanLine, cutBytes } from '../../untrusted/clean-text.ts';
import type { ConnectionDiagnostic } from '../../connection-diagnostic.ts';
import type { RemoteTool } from './list-remote-tools.ts';
import { findMirrored } from '../../mirrored-parameters.ts';
import { sanitizeSchema, type SchemaLimits } from '../../untrusted/sanitize-schema.ts';
import type { ApprovedTool } from '../contract/tool-approvals.ts';
import { canonicalJson } from '../contract/tool-change.ts';

/** Sanitizes a tool as the server lists it. Returns a diagnostic instead of throwing if the tool can't be shown. */
export function sanitizeTool(remote: RemoteTool, limits: SchemaLimits): SanitizedTool | ConnectionDiagnostic {
  try {
    return plan(remote, limits);
  } catch (error) {
    return skippedTool(remote.name, 'invalid-tool', error instanceof Error ? error.message : String(error));
  }
}

/** Restores a tool that was trusted in an earlier run. */
export function fromApprovedTool(approved: ApprovedTool): SanitizedTool {
  const { remoteName, title, description, inputSchema, outputSchema, annotations } = approved;
  const text = { remoteName, title, description, inputSchema, outputSchema, annotations };
  return { ...text, searchText: '', needsTask: false, diagnostics: [], fingerprint: fingerprintOf(text) };
}

/** Creates the diagnostic for a skipped tool. */
export function skippedTool(
  remoteName: string,
  kind: 'invalid-tool' | 'large-schema',
  reason: string,
): ConnectionDiagnostic {
  return { kind, tool: remoteName, message: `${shownName(remoteName)} was skipped: ${cleanLine(reason, 300)}` };
}

function plan(remote: RemoteTool, limits: SchemaLimits): SanitizedTool | ConnectionDiagnostic {
  const { name: remoteName } = remote;
  const sanitized = sanitizeSchema(remote.inputSchema, limits);
  if (!sanitized.ok) return skippedTool(remoteName, sanitized.kind, sanitized.reason);
  const mirrored = findMirrored(remote.inputSchema);
  if (!mirrored.ok) return skippedTool(remoteName, 'invalid-tool', mirrored.reason);
  const diagnostics: ConnectionDiagnostic[] = [];
  const given = typeof remote.description === 'string' ? remote.description.replace(/\r\n?/g, '\n').trim() : '';
  const cleaned = cleanText(given).trim();
  const description = cutBytes(cleaned, limits.maxDescriptionBytes);
  if (description !== given) {
    const what =
      description === cleaned ? 'cleaned of hidden characters' : `cut to ${limits.maxDescriptionBytes} bytes`;
    const message = `the description of ${shownName(remoteName)} was ${what}`;
    diagnostics.push({ kind: 'changed-description', tool: remoteName, message });
  }
  if (sanitized.changed) {
    const message = `the input schema of ${shownName(remoteName)} was cleaned of hidden characters and overlong texts`;
    diagnostics.push({ kind: 'changed-schema', tool: remoteName, message });
  }
  const title = titleOf(remote);
  const { schema: inputSchema } = sanitized;
  const outputSchema = outputOf(remote, limits);
  const annotations = hintsOf(remote);
  const text = { remoteName, title, description, inputSchema, outputSchema, annotations };
  const { taskSupport } = (remote.execution ?? {}) as { readonly taskSupport?: unknown };
  const needsTask = taskSupport === 'required';
  return {
    ...text,
    searchText: cutFrom(cleaned, description),
    needsTask,
    diagnostics,
    fingerprint: fingerprintOf(text),
  };
}

/** Maximum number of cut characters of one description that a search index holds. */
const maxSearchBytes = 16_384;

/** Returns the text that was cut from a description, from the start of the word in which it was cut. */
function cutFrom(whole: string, kept: string): string {
  if (whole === kept) return '';
  const start = /\S*$/.exec(whole.slice(0, kept.length - 1))?.index ?? 0;
  return cutBytes(whole.slice(start), maxSearchBytes);
}

function fingerprintOf(text: Omit<SanitizedTool, 'searchText' | 'needsTask' | 'diagnostics' | 'fingerprint'>): string {
  const { remoteName, title, description, inputSchema, outputSchema, annotations } = text;
  return canonicalJson([remoteName, title, description, inputSchema, outputSchema, annotations]);
}

const hints = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const;

function hintsOf({ annotations }: RemoteTool): Readonly<Record<string, boolean>> {
  const given = (typeof annotations === 'object' && annotations !== null ? annotations : {}) as Record<string, unknown>;
  return Object.fromEntries(
    hints.flatMap((hint) => (typeof given[hint] === 'boolean' ? [[hint, given[hint]] as const] : [])),
  );
}

function titleOf(remote: RemoteTool): string {
  const annotated = (remote.annotations as { readonly title?: unknown } | null | undefined)?.title;
  const title = typeof remote.title === 'string' ? remote.title : typeof annotated === 'string' ? annotated : '';
  return cleanLine(title, 100);
}

function outputOf({ outputSchema }: RemoteTool, limits: SchemaLimits): Readonly<Record<string, unknown>> | undefined {
  if (typeof outputSchema !== 'object' || outputSchema === null) return undefined;
  const sanitized = sanitizeSchema(outputSchema, limits);
  return sanitized.ok ? sanitized.schema : undefined;
}

function shownName(remoteName: string): string {
  return JSON.stringify(cleanLine(remoteName, 80));
}
