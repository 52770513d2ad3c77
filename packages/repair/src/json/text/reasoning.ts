const openers = ['<think>', '<thinking>', '<reasoning>', '<thought>', '[THINK]'];
const closers = ['</think>', '</thinking>', '</reasoning>', '</thought>', '[/THINK]'];

/**
 * Where the reasoning that begins at an offset ends, its closing tag included; -1 when none begins or it never ends.
 * `unending` remembers which closing tags do not come any more, for a search that goes on through the text.
 */
export function reasoningEnd(text: string, at: number, unending: Set<string> = new Set()): number {
  const index = openers.findIndex((opener) => text.startsWith(opener, at));
  const closer = closers[index];
  if (closer === undefined || unending.has(closer)) return -1;
  const found = text.indexOf(closer, at);
  if (found === -1) unending.add(closer);
  return found === -1 ? -1 : found + closer.length;
}

/** Where an answer begins whose reasoning lost its opening tag, or 0. */
export function orphanReasoningEnd(text: string): number {
  for (const [index, closer] of closers.entries()) {
    const found = text.indexOf(closer);
    const opener = openers[index];
    if (found !== -1 && opener !== undefined && !text.slice(0, found).includes(opener)) return found + closer.length;
  }
  return 0;
}

/** Whether reasoning begins at an offset, and whether its end is there too. */
export function beginsReasoning(text: string, at: number): 'no' | 'closed' | 'unclosed' {
  if (!openers.some((opener) => text.startsWith(opener, at))) return 'no';
  return reasoningEnd(text, at) === -1 ? 'unclosed' : 'closed';
}

/** Whether an offset lies in reasoning that has not ended before it. */
export function isInReasoning(text: string, at: number): boolean {
  if (at === 0) return false;
  return openers.some((opener, index) => {
    const begin = text.lastIndexOf(opener, at - 1);
    const end = begin === -1 ? -1 : text.indexOf(closers[index] ?? '', begin);
    return begin !== -1 && (end === -1 || end >= at);
  });
}
