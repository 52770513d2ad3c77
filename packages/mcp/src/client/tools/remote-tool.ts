import { defineTool, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import { eraseTool, type Availability } from '@haft/core/define';
import { compileSchema, type CompiledSchema } from '@haft/schema';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { ConnectionDiagnostic, Report } from '../../connection-diagnostic.ts';
import { fenceDescription } from '../../untrusted/fence.ts';
import { fillDefaults, relaxDefaults } from './required-defaults.ts';
import { skippedTool } from './sanitize-tool.ts';
import { type SanitizedTool } from '../../untrusted/sanitized-tool.ts';
import { findMirrored, type MirroredParameter } from '../../mirrored-parameters.ts';
import type { SchemaLimits } from '../../untrusted/sanitize-schema.ts';

/** Limits on remote tools. */
export interface RemoteToolLimits extends SchemaLimits {
  /** Milliseconds that a call may take in total, whatever progress it reports. */
  readonly requestTimeoutMs: number;
  /** Milliseconds that a call may take without progress: default, and by tool name on the server. */
  readonly idleTimeoutMs: number;
  readonly toolTimeoutsMs: Readonly<Record<string, number>>;
}

/** A remote tool, as needed for calls. */
export interface CalledTool {
  /** Name of the tool on the server. */
  readonly remoteName: string;
  /** The name on the server, cleaned for display. */
  readonly shownName: string;
  /** Registered name of the tool. */
  readonly name: string;
  /** Fingerprint of the definition that the caller saw. */
  readonly fingerprint: string;
  readonly output: CompiledSchema | undefined;
  /** Milliseconds that a call may take without progress, and in total. */
  readonly idleTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** Whether calls have to be tasks of the 2025-11-25 revision. */
  readonly needsTask: boolean;
  /** Parameters that are also sent as headers. */
  readonly mirrored: readonly MirroredParameter[];
}

/** Dependencies of remote tools. */
export interface RemoteToolDeps {
  readonly connection: string;
  readonly limits: RemoteToolLimits;
  readonly report: Report;
  /** Whether the program says that a tool of the server only reads. */
  readonly readOnly: (remoteName: string) => boolean;
  available(): Availability;
  call(tool: CalledTool, args: unknown, context: ToolContext): Promise<ToolResult>;
}

/**
 * Creates a tool from a sanitized definition, or returns a diagnostic if it can't be used. The tool counts as open-world
 * and runs alone. Unless the program says that it only reads, it also counts as destructive and not idempotent. The
 * server's hints are ignored.
 */
export function createRemoteTool(
  sanitized: SanitizedTool,
  name: string,
  deps: RemoteToolDeps,
): AnyTool | ConnectionDiagnostic {
  const { limits, connection } = deps;
  const mirrored = findMirrored(sanitized.inputSchema);
  const { toolTimeoutsMs } = limits;
  const own = Object.hasOwn(toolTimeoutsMs, sanitized.remoteName) ? toolTimeoutsMs[sanitized.remoteName] : undefined;
  const readOnly = deps.readOnly(sanitized.remoteName);
  const called: CalledTool = {
    remoteName: sanitized.remoteName,
    shownName: cleanLine(sanitized.remoteName, 80),
    name,
    fingerprint: sanitized.fingerprint,
    output: compileOutput(sanitized),
    idleTimeoutMs: own ?? limits.idleTimeoutMs,
    requestTimeoutMs: Math.max(own ?? 0, limits.requestTimeoutMs),
    needsTask: sanitized.needsTask,
    mirrored: mirrored.ok ? mirrored.parameters : [],
  };
  try {
    return eraseTool(
      defineTool({
        name,
        naming: 'wire',
        title: sanitized.title || name,
        description: fenceDescription(connection, sanitized.fingerprint, sanitized.description || name),
        ...(sanitized.searchText === '' ? {} : { searchText: sanitized.searchText }),
        input: relaxDefaults(sanitized.inputSchema),
        // Only the server knows what further keys mean.
        undeclaredKeys: 'keep',
        kind: readOnly ? 'read' : 'other',
        traits: {
          readOnly,
          destructive: !readOnly,
          idempotent: readOnly,
          openWorld: true,
          pure: false,
          sideEffects: readOnly ? 'read' : 'external',
        },
        parallelizable: false,
        timeoutMs: called.requestTimeoutMs,
        available: () => deps.available(),
        initialTitle: () => `${name} on MCP server ${connection}`,
        execute: (args, context) => deps.call(called, fillDefaults(sanitized.inputSchema, args), context),
      }),
    );
  } catch (error) {
    return skippedTool(sanitized.remoteName, 'invalid-tool', error instanceof Error ? error.message : String(error));
  }
}

/** Compiles the output schema. Returns undefined if it is missing or invalid. */
function compileOutput({ outputSchema }: SanitizedTool): CompiledSchema | undefined {
  if (!outputSchema) return undefined;
  try {
    return compileSchema(outputSchema);
  } catch {
    return undefined;
  }
}
