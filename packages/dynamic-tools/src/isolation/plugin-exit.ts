/** How a plugin's process came to its end. */
export interface PluginExit {
  /** What made it end. */
  readonly cause:
    /** By itself, or killed from outside. */
    | 'exit'
    /** It answered nothing for too long: an endless loop, perhaps. */
    | 'unresponsive'
    /** It sent more than anybody could read, or what is no message. */
    | 'flood'
    /** It held more memory than it may. */
    | 'memory'
    /** It kept a processor at work although nobody called it. */
    | 'processor'
    /** It was asked to. */
    | 'closed';
  readonly exitCode: number | null;
  readonly signal: string | null;
  /** The end of what it wrote to standard error and standard output. */
  readonly output: string;
}

/** Why it ended, in a few words that follow the plugin's name. */
export function describeExit({ cause, exitCode, signal, output }: PluginExit): string {
  const last = output.trim().split('\n').at(-1)?.slice(0, 200) ?? '';
  const words = last === '' ? '' : `: ${last}`;
  switch (cause) {
    case 'unresponsive':
      return 'answered nothing for too long and was ended';
    case 'flood':
      return 'sent more than can be read and was ended';
    case 'memory':
      return 'held more memory than it may and was ended';
    case 'processor':
      return 'kept a processor at work while nobody called it and was ended';
    case 'closed':
      return 'was ended';
    default:
      return signal === null ? `ended with exit code ${exitCode ?? 0}${words}` : `was ended by ${signal}${words}`;
  }
}
