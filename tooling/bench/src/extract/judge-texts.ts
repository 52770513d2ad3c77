import { askGuarded } from '@haft-tooling/measure';
import type { TextVerdict } from './extractor-process.ts';
import type { TextCase } from '@haft-tooling/corpora/tool-call-texts';

/** A text, and the outcome of an extractor. */
export interface JudgedText {
  readonly one: TextCase;
  readonly verdict: TextVerdict;
}

/** Runs an extractor on every text, in a separate process. A text that exceeds the time limit counts as failed. */
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
