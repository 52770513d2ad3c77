import type { ProcessLimits } from './process-limits.ts';

/** Which limits are set on single processes; that of files always is. */
export interface SingleLimits {
  readonly memory: boolean;
  /** How many processes the user has. */
  readonly processes: boolean;
}

/** Shell text that sets the limits of each process. What can't be set is lower already. */
export function limitLine(limits: Required<ProcessLimits>, which: SingleLimits): string {
  const { memoryBytes, processes, fileBytes } = limits;
  const words: string[] = [];
  const kilobytes = Math.ceil(memoryBytes / 1_024);
  // Data, not address space: programs reserve many times what they use.
  if (which.memory && memoryBytes !== Infinity) words.push(`ulimit -d ${kilobytes} 2>/dev/null`);
  if (fileBytes !== Infinity) words.push(`ulimit -f ${Math.ceil(fileBytes / 512)} 2>/dev/null`);
  // Shells have different letters for it; what `-p` means to bash can't be set at all.
  if (which.processes && processes !== Infinity)
    words.push(`ulimit -p ${processes} 2>/dev/null || ulimit -u ${processes} 2>/dev/null`);
  return words.map((word) => `${word}; `).join('');
}
