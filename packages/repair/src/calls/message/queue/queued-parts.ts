import type { RejectedCall } from '../../contract/extraction.ts';
import type { CallGroup } from './call-group.ts';

/**
 * A part of a message. `made`: calls. `fence` and `bare`: calls if the rest of the message allows it. `rejected`: a call in
 * text that was added before. `quote`: the offset from which the message may be calls between quotes.
 */
export type Part =
  | { readonly kind: 'text'; text: string; readonly isQuoted: boolean }
  | MadePart
  | { readonly kind: 'rejected'; readonly rejected: RejectedCall }
  | Candidate
  | { readonly kind: 'quote'; readonly start: number };

/** Calls, or with a `reason` calls that are rejected. */
export interface MadePart {
  readonly kind: 'made';
  readonly group: CallGroup;
  readonly reason: 'reasoning' | 'quotation' | 'another_turn' | undefined;
}

/** Calls if the rest of the message allows it. */
export interface Candidate {
  readonly kind: 'fence' | 'bare';
  /** The calls, and the text between them. */
  readonly pieces: readonly (CallGroup | string)[];
  /** Whether it opens the message. */
  readonly isHead: boolean;
  /** Whether it has lines of its own. */
  readonly hasOwnLines: boolean;
  /** Whether it is inside a print statement, so that it counts only with an explanation. */
  readonly isPrinted: boolean;
  /** The end of the text before it. */
  readonly before: string;
}

/** Returns whether a part contains calls that count. */
export function isMade(part: Part): part is MadePart {
  return part.kind === 'made' && part.reason === undefined;
}

/** Returns whether a part is a candidate. */
export function isCandidate(part: Part | undefined): part is Candidate {
  return part?.kind === 'fence' || part?.kind === 'bare';
}

/** Returns the text of a part. */
export function textOf(part: Part): string {
  if (part.kind === 'quote' || part.kind === 'rejected') return '';
  if (part.kind === 'text') return part.text;
  if (part.kind === 'made') return part.group.text;
  return part.pieces.map((piece) => (typeof piece === 'string' ? piece : piece.text)).join('');
}

/** Returns the offset of the first call of a part. */
export function startOf(part: Part): number {
  if (part.kind === 'made') return part.group.start;
  if (part.kind === 'rejected') return part.rejected.start;
  if (!isCandidate(part)) return 0;
  const [first] = part.pieces.filter((piece) => typeof piece !== 'string');
  return first?.start ?? 0;
}
