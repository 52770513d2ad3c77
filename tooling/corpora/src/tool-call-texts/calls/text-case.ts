import type { Call, OfferedTool } from './call.ts';

/** What happened to a text: nothing, prose or noise around it, a cut, or what closes it left out. */
export type TextKind = 'clean' | 'prose' | 'noise' | 'cut' | 'unclosed' | 'no call' | 'fixture' | 'probe';

/** A message with the calls that it makes. */
export interface TextCase {
  readonly id: string;
  /** The envelope, or for messages without a call what they hold instead. */
  readonly envelope: string;
  readonly form: string;
  readonly kind: TextKind;
  readonly text: string;
  readonly expected: readonly Call[];
  readonly tools: readonly OfferedTool[];
  /** Why the message ended, where that is known. */
  readonly stopped?: 'stop' | 'length';
  /** What ought to be left of the message without its calls, white space at the ends aside. */
  readonly left?: string;
}
