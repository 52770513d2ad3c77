import { envelopesAt, type EnvelopeIndex } from './envelope-index.ts';
import type { Source, WrittenCall } from './envelope.ts';
import { readCallLiterals } from './read-call-literals.ts';
import { skipSpace } from './text-span.ts';

/** Calls found in one envelope, and where. */
export interface PlacedCalls {
  readonly envelope: string;
  readonly tier: 1 | 2 | 3;
  readonly start: number;
  readonly end: number;
  readonly calls: readonly WrittenCall[];
}

/**
 * Reads the tagged envelope whose opener stands at an offset. One that holds data and no call is answered with no calls,
 * so that nothing inside it is looked at again.
 */
export function readTagged(source: Source, at: number, index: EnvelopeIndex): PlacedCalls | undefined {
  let data: PlacedCalls | undefined;
  for (const { envelope, opener } of envelopesAt(index, source.text, at)) {
    const found = envelope.read(source, at, at + opener.length);
    if (found === undefined) continue;
    const placed = { envelope: envelope.name, tier: envelope.tier, start: at, end: found.end, calls: found.calls };
    if (found.calls.length > 0) return placed;
    data ??= placed;
  }
  return data;
}

/**
 * Reads what stands at an offset with no envelope around it. Data that is no call is answered with no calls, so that
 * nothing inside it is looked at again.
 */
export function readUntagged(source: Source, at: number, index: EnvelopeIndex): PlacedCalls | undefined {
  let data: PlacedCalls | undefined;
  for (const envelope of index.untagged) {
    if (envelope.tier !== 3) continue;
    const found = envelope.read(source, at, at);
    if (found === undefined) continue;
    const placed = { envelope: found.shape ?? envelope.name, tier: 3, start: at, end: found.end } as const;
    if (found.calls.some((call) => isCallLike(call))) return { ...placed, calls: found.calls };
    data ??= { ...placed, calls: [] };
  }
  return data;
}

/** Without an envelope only arguments tell a call from any object that has a name. */
export function isCallLike(call: WrittenCall): boolean {
  return call.arguments !== undefined || call.ending !== 'closed';
}

/**
 * Reads everything from an offset on as calls, in whatever envelopes; the last of them says where reading stopped.
 * Where a program is expected, `print(f())` and `x = f()` mean `f()`; elsewhere they are ordinary code.
 */
export function readBody(
  source: Source,
  from: number,
  index: EnvelopeIndex,
  isProgram: boolean,
): readonly PlacedCalls[] {
  const placed: PlacedCalls[] = [];
  let at = skipSpace(source.text, from);
  while (at < source.text.length) {
    const next =
      readTagged(source, at, index) ??
      readUntagged(source, at, index) ??
      (isProgram ? readProgram(source, at) : undefined);
    if (next === undefined) return placed;
    if (next.calls.length === 0) return [];
    placed.push(next);
    at = skipSpace(source.text, next.end);
  }
  return placed;
}

/** Reads statements that each make one call. */
export function readProgram(source: Source, at: number): PlacedCalls | undefined {
  const found = readCallLiterals(source, at, { isList: true, isProgram: true });
  return found && { envelope: 'call-text', tier: 3, start: at, end: found.end, calls: found.calls };
}
