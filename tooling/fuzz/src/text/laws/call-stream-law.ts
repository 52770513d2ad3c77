import type { ExtractOptions, Extraction } from '@haft/repair';

import { isJsonOf, isSameValue } from '@haft-tooling/corpora/same-value';
import { followCalls } from '@haft-tooling/corpora/tool-call-texts';
import type { Broken } from '../inputs/input.ts';
import { isSpellable } from './plain-data.ts';
import { show } from './show.ts';
import { cutsOf } from './stream-laws.ts';

/** The calls, the text and the rejections of a message do not depend on its chunks. */
export function breaksCallStream(
  text: string,
  salt: number,
  options: ExtractOptions,
  whole: Extraction,
): Broken | undefined {
  const pieces: string[] = [];
  let from = 0;
  for (const to of salt % 4 === 0 ? text.split('').keys() : cutsOf(text.length, salt)) {
    pieces.push(text.slice(from, to));
    from = to;
  }
  pieces.push(text.slice(from));
  const { deltas, ...streamed } = followCalls(pieces, options);
  const law = 'a message in pieces is what the whole message is';
  if (!isSameValue(streamed, whole)) return { law, detail: show(streamed) };
  for (const [index, { arguments: values }] of streamed.calls.entries()) {
    // JSON cannot express infinity.
    if (isSpellable(values) && !isJsonOf(deltas[index] ?? '', values))
      return { law: 'the deltas of a call are its arguments', detail: deltas[index] ?? '' };
  }
  return undefined;
}
