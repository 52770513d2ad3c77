import type { Call, OfferedTool } from './call.ts';

/** The treatment of a text: unchanged, with prose or tokens around it, cut, or without its closer. */
export type TextKind = 'clean' | 'prose' | 'noise' | 'cut' | 'unclosed' | 'no call' | 'fixture' | 'probe';

/** A message, and the calls in it. */
export interface TextCase {
  readonly id: string;
  /** The envelope; for messages without a call, their content. */
  readonly envelope: string;
  readonly form: string;
  readonly kind: TextKind;
  readonly text: string;
  readonly expected: readonly Call[];
  readonly tools: readonly OfferedTool[];
  /** The reason why the message ended, if known. */
  readonly stopped?: 'stop' | 'length';
  /** The expected remaining text without the calls, trimmed. */
  readonly left?: string;
}
