import { askGuarded } from '@haft-tooling/measure';
import type { TextVerdict } from './extractor-process.ts';
import type { TextCase } from '@haft-tooling/corpora/tool-call-texts';

/** A text with what an extractor made of it. */
export interface JudgedText {
  readonly one: TextCase;
  readonly verdict: TextVerdict;
}

/** Has an extractor read every text, in a process of its own; one that takes longer than that fails. */
export async function judgeTexts(
  extractor: string,
  texts: readonly TextCase[],
  { textMs, show = false }: { readonly textMs: number; readonly show?: boolean },
): Promise<readonly JudgedText[]> {
  const answers = await askGuarded<TextVerdict>(texts, {
    module: new URL('extractor-process.ts', import.meta.url),
    args: [extractor, show ? 'show' : 'hide'],
    questionMs: textMs,
  });
  const late: TextVerdict = { outcome: 'failed', spoiledText: false, shown: 'did not come back in time' };
  return texts.map((one, index) => ({ one, verdict: answers[index] ?? late }));
}
