import type { ToolError } from '../contracts/results/error.ts';
import { silentLogger } from '../contracts/workspace/session.ts';
import { maskError } from '../events/mask-event-data.ts';
import type { CallRun } from './call/call-run.ts';

const maxShown = 1_000;
/** Characters that control a terminal, break the line or change the text direction. */
const invisible = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]+/gu;

type Warn = (message: string) => void;

/** Tools, and registries for calls that reach no tool, about which the developer was warned. */
const warned = new WeakSet();

/**
 * Warns the developer about a `host` fault whose details the model does not read, if there is no observer. Writes to the
 * logger of the workspace, or else emits a process warning where the platform has them. Warns once for each tool, and
 * once for each registry about calls that reach no tool. The text is one line without characters that control a terminal.
 */
export function warnOfHostFault({ config, tool }: CallRun, error: ToolError): void {
  if (config.observer !== undefined || error.fault !== 'host' || error.modelMessage !== undefined) return;
  const origin = tool ?? config.registry;
  if (warned.has(origin)) return;
  warned.add(origin);
  const message = maskError(error).message.slice(0, maxShown).replace(invisible, ' ');
  const { logger } = config.workspace;
  const warn: Warn = logger === undefined || logger === silentLogger ? warnProcess : (text) => logger.error(text);
  warn(`${error.code}: ${message} (shown once; later ones are in result.error and in the events of an observer)`);
}

function warnProcess(message: string): void {
  const { process } = globalThis as {
    readonly process?: { readonly emitWarning?: (text: string, type: string) => void };
  };
  process?.emitWarning?.(message, 'HaftWarning');
}
