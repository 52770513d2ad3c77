import type { PermissionRequest } from '@haft/core';
import { judgeNameOnce } from '../judge-name-once.ts';

type Asked = Pick<PermissionRequest, 'arguments' | 'footprint' | 'kind' | 'tool' | 'traits'>;

/** What a call may run, wherever its arguments hold it. */
export interface CommandLines {
  /** Texts that are looked at as command lines, for what is destructive, denied or asked about. */
  readonly lines: readonly string[];
  /** It runs something that no rule on commands sees, or not all of it. */
  readonly isUnseen: boolean;
}

const none: CommandLines = Object.freeze({ lines: Object.freeze([]), isUnseen: false });
const isShellName = judgeNameOnce(
  /(?:^|[^a-z])(?:ba|z|da|k)?sh(?:ell)?(?:[^a-z]|$)|(?:^|[^a-z])(?:powershell|pwsh|terminal)(?:[^a-z]|$)/i,
);

/** Finds the command lines of a call, and tells whether it may run others. */
export function findCommandLines(request: Asked): CommandLines {
  const { kind, tool, traits } = request;
  const isExactShell = tool === 'bash' || tool === 'shell';
  const runs = isExactShell || traits.requires.includes('process');
  const isShell = isExactShell || isShellName(tool);
  if (!runs && !isShell && (kind === 'read' || traits.readOnly)) return none;
  // Read by name, one after the other: most calls have none of them, and every call comes this way.
  const args = membersOf(request.arguments);
  const { command, cmd } = args;
  if (!runs && !isShell) {
    // `script` alone may as well be the text of a play.
    if (typeof command !== 'string' && typeof cmd !== 'string') return none;
    return { lines: [command, cmd].filter((value) => typeof value === 'string'), isUnseen: false };
  }
  const { script, command_line, commandLine, shell_command, shellCommand } = args;
  const others = [cmd, script, command_line, commandLine, shell_command, shellCommand];
  const lines = [command, ...others].filter((value) => typeof value === 'string');
  const isOther = others.some((value) => value !== undefined && value !== null);
  const hasCommand = typeof command === 'string';
  if (isOther || (command !== undefined && !hasCommand)) return { lines, isUnseen: true };
  if (hasCommand || !runs) return { lines, isUnseen: false };
  // Such a tool starts a program of its own; where it says what that touches, this is what is judged.
  return { lines, isUnseen: isExactShell || !(traits.readOnly || declaresResources(request)) };
}

/**
 * The one command line that a call is about, which an allowance or a grant can be for: the argument `command` of a tool
 * that starts processes, where no other argument holds one too.
 */
export function commandOf(request: Asked): string | undefined {
  const { traits, tool } = request;
  const runsProcesses = tool === 'bash' || tool === 'shell' || traits.requires.includes('process');
  // Reading the arguments freezes them, which costs more than all of this, so it comes last.
  if (!runsProcesses) return undefined;
  const { command } = membersOf(request.arguments);
  return typeof command === 'string' && !findCommandLines(request).isUnseen ? command : undefined;
}

function declaresResources({ footprint: { reads, writes } }: Asked): boolean {
  return reads.length + writes.length > 0 && ![...reads, ...writes].includes('*');
}

function membersOf(args: unknown): Readonly<Record<string, unknown>> {
  return typeof args === 'object' && args !== null ? (args as Record<string, unknown>) : {};
}
