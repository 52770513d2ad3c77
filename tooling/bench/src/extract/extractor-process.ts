/**
 * The process of one extractor. The first argument is its name; `show` as the second argument returns the calls that it
 * found.
 */
import { isSameValue } from '@haft-tooling/corpora/same-value';
import { serveQuestions } from '@haft-tooling/measure';
import { extractors, type Found } from '@haft-tooling/peers/tool-call-texts/extractors';
import type { TextCase } from '@haft-tooling/corpora/tool-call-texts';

/** The outcome of an extractor for one text. */
export interface TextVerdict {
  /**
   * `invented`: calls or arguments that the text does not contain. `missed`: calls are missing, and no call is wrong.
   */
  readonly outcome: 'exact' | 'missed' | 'invented' | 'failed';
  /** Whether the calls are right, but the remaining text differs from the text around them. */
  readonly spoiledText: boolean;
  readonly shown?: string;
}

const [name, show] = process.argv.slice(2);
const extractor = extractors.find((candidate) => candidate.name === name);
if (extractor === undefined) throw new Error(`unknown extractor "${name}"`);
const extract = await extractor.load();

serveQuestions(async (one: TextCase): Promise<TextVerdict> => {
  try {
    const found = await extract(one);
    const shown = `${JSON.stringify(found.calls)}\nleft:  ${JSON.stringify(found.left)}`;
    return { ...judge(found, one), ...(show === 'show' && { shown }) };
  } catch (error) {
    return { outcome: 'failed', spoiledText: false, shown: String(error) };
  }
});

function judge({ calls, left }: Found, one: TextCase): TextVerdict {
  if (isSameValue(calls, one.expected)) {
    const spoiledText = one.left !== undefined && squeeze(left) !== squeeze(one.left);
    return { outcome: 'exact', spoiledText };
  }
  const wanted = [...one.expected];
  for (const call of calls) {
    const place = wanted.findIndex((expected) => isSameValue(call, expected));
    if (place < 0) return { outcome: 'invented', spoiledText: false };
    wanted.splice(place, 1);
  }
  return { outcome: 'missed', spoiledText: false };
}

function squeeze(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ');
}
