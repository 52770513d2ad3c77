import type { ProcessLimits } from './process-limits.ts';

/** Which limits to set on single processes. File sizes are always limited. */
export interface SingleLimits {
  readonly memory: boolean;
  /** Number of processes of the user. */
  readonly processes: boolean;
}

/** Returns shell text that sets the limits of each process. If setting fails, the limit is already lower. */
export function limitLine(limits: Required<ProcessLimits>, which: SingleLimits): string {
  const { memoryBytes, processes, fileBytes } = limits;
  const commands: string[] = [];
  const kilobytes = Math.ceil(memoryBytes / 1_024);
  // Limits data, not address space, because programs reserve many times what they use.
  if (which.memory && memoryBytes !== Infinity) commands.push(`ulimit -d ${kilobytes} 2>/dev/null`);
  if (fileBytes !== Infinity) commands.push(`ulimit -f ${Math.ceil(fileBytes / 512)} 2>/dev/null`);
  // Shells use different letters; `-p` of bash is read-only.
  if (which.processes && processes !== Infinity)
    commands.push(`ulimit -p ${processes} 2>/dev/null || ulimit -u ${processes} 2>/dev/null`);
  return commands.map((word) => `${word}; `).join('');
}
