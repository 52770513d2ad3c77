import { defineTool, eraseTool, type AnyTool, type ToolContext, type ToolResult } from '@haft/core';
import type { Availability } from '@haft/core/define';
import { compileSchema, type CompiledSchema } from '@haft/schema';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { ConnectionDiagnostic, Report } from '../../connection-diagnostic.ts';
import { fenceDescription } from '../../untrusted/fence.ts';
import { skippedTool } from './sanitize-tool.ts';
import { type SanitizedTool } from '../contract/sanitized-tool.ts';
import { findMirrored, type MirroredParameter } from '../../mirrored-parameters.ts';
import type { SchemaLimits } from '../../untrusted/sanitize-schema.ts';

/** How much of a tool's description is taken in. */
export interface RemoteToolLimits extends SchemaLimits {
  /** Milliseconds a call may take in all, however much progress it reports. */
  readonly requestTimeoutMs: number;
  /** Milliseconds a call may take without a sign of progress, of every tool and of single ones by the server's names. */
  readonly idleTimeoutMs: number;
  readonly toolTimeoutsMs: Readonly<Record<string, number>>;
}

/** A remote tool as a call of it is made. */
export interface CalledTool {
  /** The name that the server knows. */
  readonly remoteName: string;
  /** The same as it may be shown to people. */
  readonly shownName: string;
  /** The name that the model knows. */
  readonly name: string;
  readonly output: CompiledSchema | undefined;
  /** Milliseconds a call may take without a sign of progress, and in all. */
  readonly idleTimeoutMs: number;
  readonly requestTimeoutMs: number;
  /** What of its arguments is sent in headers as well. */
  readonly mirrored: readonly MirroredParameter[];
}

/** What a remote tool needs of its connection. */
export interface RemoteToolDeps {
  readonly connection: string;
  readonly limits: RemoteToolLimits;
  readonly report: Report;
  available(): Availability;
  call(tool: CalledTool, args: unknown, context: ToolContext): Promise<ToolResult>;
}

/**
 * Makes a tool of a sanitized. Whatever the server says of itself, the tool counts as destructive, not to be
 * repeated, reaching the open world, and runs alone. A diagnostic for a tool that can't be used.
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
  const called: CalledTool = {
    remoteName: sanitized.remoteName,
    shownName: cleanLine(sanitized.remoteName, 80),
    name,
    output: compileOutput(sanitized),
    idleTimeoutMs: own ?? limits.idleTimeoutMs,
    requestTimeoutMs: Math.max(own ?? 0, limits.requestTimeoutMs),
    mirrored: mirrored.ok ? mirrored.parameters : [],
  };
  try {
    return eraseTool(
      defineTool({
        name,
        naming: 'wire',
        title: sanitized.title || name,
        description: fenceDescription(connection, sanitized.fingerprint, sanitized.description || name),
        input: sanitized.inputSchema,
        kind: 'other',
        traits: {
          readOnly: false,
          destructive: true,
          idempotent: false,
          openWorld: true,
          pure: false,
          sideEffects: 'external',
        },
        parallelizable: false,
        timeoutMs: called.requestTimeoutMs,
        available: () => deps.available(),
        initialTitle: () => `${name} on MCP server ${connection}`,
        execute: (args, context) => deps.call(called, args, context),
      }),
    );
  } catch (error) {
    return skippedTool(sanitized.remoteName, 'invalid-tool', error instanceof Error ? error.message : String(error));
  }
}

/** An output schema that can't be compiled is as good as none. */
function compileOutput({ outputSchema }: SanitizedTool): CompiledSchema | undefined {
  if (!outputSchema) return undefined;
  try {
    return compileSchema(outputSchema);
  } catch {
    return undefined;
  }
}
