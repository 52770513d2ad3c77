import type { PluginCapabilities } from '../capabilities.ts';
import type { PlainData } from '../copy-data.ts';
import type { TakenTool } from '../plugin/definition/take-defined-tool.ts';

/**
 * Removes the traits of an untrusted plugin's tool that nothing enforces, because the permission engine relies on
 * traits. A tool is read-only if it runs in a jail without network, programs and writable files. It is pure if it has
 * no capabilities at all.
 */
export function limitClaims(tool: TakenTool, granted: PluginCapabilities, isJailed: boolean): TakenTool {
  const traits = tool.data['traits'] ?? {};
  // Invalid tools are rejected elsewhere.
  if (!isRecord(traits)) return tool;
  const { read = [], write = [] } = granted.fs ?? {};
  const { hosts = [], env = [], exec = false } = granted;
  const reachesOut = !isJailed || exec || hosts.length > 0;
  if (reachesOut || write.length > 0) return withoutClaims(tool, traits, reachesOut);
  if (traits['pure'] !== true || (read.length === 0 && env.length === 0)) return tool;
  return { ...tool, data: { ...tool.data, traits: { sideEffects: 'read', ...traits, pure: false } } };
}

type Traits = Readonly<Record<string, PlainData>>;

function withoutClaims(tool: TakenTool, traits: Traits, reachesOut: boolean): TakenTool {
  const { kind, ...rest } = tool.data;
  const { sideEffects, destructive, ...claimed } = traits;
  const data: TakenTool['data'] = {
    ...rest,
    ...(kind === undefined || kind === 'read' ? {} : { kind }),
    traits: {
      ...claimed,
      readOnly: false,
      pure: false,
      ...(destructive === undefined || destructive === false ? {} : { destructive }),
      ...(sideEffects === undefined || sideEffects === 'none' || sideEffects === 'read' ? {} : { sideEffects }),
      ...(reachesOut ? { openWorld: true } : {}),
    },
  };
  return { ...tool, data };
}

function isRecord(value: unknown): value is Traits {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
