import type { PermissionRequest } from '@haft/core';
import { onlyReads } from '@haft/core/define';
import { oncePerName } from '../once-per-name.ts';

type Asked = Pick<PermissionRequest, 'arguments' | 'argumentNames' | 'footprint' | 'kind' | 'tool' | 'traits'>;

/** The command lines that a call may run, from any of its arguments. */
export interface CommandLines {
  /** Texts that are checked as command lines for destructive, denied and asked commands. */
  readonly lines: readonly string[];
  /** True if the call runs something that command rules cannot see or see only in part. */
  readonly isUnseen: boolean;
}

const none: CommandLines = Object.freeze({ lines: Object.freeze([]), isUnseen: false });
const shellPattern =
  /(?:^|[^a-z])(?:ba|z|da|k)?sh(?:ell)?(?:[^a-z]|$)|(?:^|[^a-z])(?:powershell|pwsh|terminal)(?:[^a-z]|$)/i;
const isShellName = oncePerName((name) => shellPattern.test(name));

/** Returns whether a tool may run a command line, judging by its name and traits. */
export function mayStartProcess({ tool, traits }: Pick<Asked, 'tool' | 'traits'>): boolean {
  return isShellName(tool) || traits.requires.includes('process');
}

/** Returns whether an argument's name says that it is a command line. */
export function namesCommand(name: string): boolean {
  return name === 'command' || name === 'cmd';
}

/** Finds the command lines of a call and whether it may run others. */
export function findCommandLines(request: Asked): CommandLines {
  const { tool, traits } = request;
  const mayStart = mayStartProcess(request);
  if (!mayStart && (onlyReads(request) || !request.argumentNames.some(namesCommand))) return none;
  const args = membersOf(request.arguments);
  const { command, cmd } = args;
  if (!mayStart) {
    // An argument `script` alone may be any text, such as the script of a play.
    if (typeof command !== 'string' && typeof cmd !== 'string') return none;
    return { lines: [command, cmd].filter((value) => typeof value === 'string'), isUnseen: false };
  }
  const { script, command_line, commandLine, shell_command, shellCommand } = args;
  const others = [cmd, script, command_line, commandLine, shell_command, shellCommand];
  const lines = [command, ...others].filter((value) => typeof value === 'string');
  const isOther = others.some((value) => value !== undefined && value !== null);
  const hasCommand = typeof command === 'string';
  if (isOther || (command !== undefined && !hasCommand)) return { lines, isUnseen: true };
  const isExactShell = tool === 'bash' || tool === 'shell';
  const runs = isExactShell || traits.requires.includes('process');
  if (hasCommand || !runs) return { lines, isUnseen: false };
  // Such a tool starts a fixed program. If the tool declares the resources that it touches, these are judged instead.
  return { lines, isUnseen: isExactShell || !(onlyReads(request) || declaresResources(request)) };
}

/**
 * Returns the one command line of a call, to which an `allow` rule or a grant can apply: the argument `command` of a
 * tool that starts processes, if no other argument holds a command line.
 */
export function commandOf(request: Asked): string | undefined {
  const { traits, tool } = request;
  const runsProcesses = tool === 'bash' || tool === 'shell' || traits.requires.includes('process');
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
