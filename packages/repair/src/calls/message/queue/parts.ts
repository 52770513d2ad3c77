import type { RejectedCall } from '../../contract/extraction.ts';
import type { CallGroup } from './call-group.ts';

/**
 * Parts of a message in their order. `made`: calls for certain. `fence` and `bare`: calls if the message ends in the right
 * way. `rejected`: a call in text that was passed. `quote`: where a message begins that may be nothing but calls between quotes.
 */
export type Part =
  | { readonly kind: 'text'; text: string; readonly isQuoted: boolean }
  | MadePart
  | { readonly kind: 'rejected'; readonly rejected: RejectedCall }
  | Candidate
  | { readonly kind: 'quote'; readonly start: number };

/** Calls for certain, or, with a reason, what looks like calls and is none. */
export interface MadePart {
  readonly kind: 'made';
  readonly group: CallGroup;
  readonly isHead: boolean;
  readonly reason: 'reasoning' | 'quotation' | 'another_turn' | undefined;
}

/** Calls if the message ends in the right way. */
export interface Candidate {
  readonly kind: 'fence' | 'bare';
  /** The calls, and what stands between them. */
  readonly pieces: readonly (CallGroup | string)[];
  /** Whether it opens the message. */
  readonly isHead: boolean;
  /** Whether it goes on where calls were made, and nothing stands between. */
  readonly followsMade: boolean;
  /** Whether nothing else stands on its lines. */
  readonly hasOwnLines: boolean;
  /** Whether it is printed, so that it is a call only where it is explained. */
  readonly isPrinted: boolean;
  /** The end of the text before it. */
  readonly before: string;
}

/** Whether a part is calls for certain. */
export function isMade(part: Part): part is MadePart {
  return part.kind === 'made' && part.reason === undefined;
}

/** Whether a part is calls if the message ends in the right way. */
export function isCandidate(part: Part | undefined): part is Candidate {
  return part?.kind === 'fence' || part?.kind === 'bare';
}

/** The text that a part stands for. */
export function textOf(part: Part): string {
  if (part.kind === 'quote' || part.kind === 'rejected') return '';
  if (part.kind === 'text') return part.text;
  if (part.kind === 'made') return part.group.text;
  return part.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

/** Where the calls of a part begin. */
export function startOf(part: Part): number {
  if (part.kind === 'made') return part.group.start;
  if (part.kind === 'rejected') return part.rejected.start;
  if (!isCandidate(part)) return 0;
  const [first] = part.pieces.filter((piece) => typeof piece !== 'string');
  return first?.start ?? 0;
}
