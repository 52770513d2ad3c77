import { reasoningEnd } from './reasoning.ts';
import { matchEnd } from './match-end.ts';

const blank = /(?:\s|\ufeff|\\[ntr])*/.source;
const name = /[\w$\u00c0-\u1fff\u3040-\ud7ff][\w$.\u00c0-\u1fff\u3040-\ud7ff-]*/.source;
const quote = /["'`\u00b4\u201c\u201d\u201e\u2018\u2019\u00ab\uff02]|&quot;|&#3[49];|<escape>|<\|"\|>/.source;
/** A value and the text after one: in `{name "x", …}` the colon is missing. */
const value = /(?:"[^"\n]{0,200}"|-?\d[\d.]{0,20}|true|false|null|True|False|None)\s{0,20}[,}]|[[{]\s{0,20}["{[\d-]/
  .source;
const word = /(?:true|false|null|True|False|None|NaN|undefined)\b/.source;

const behindBrace = new RegExp(
  `${blank}(?!\`\`\`)(?:$|${quote}|[}\uff5d\\\\/#,]|:(?:"|\\w{1,64}\\s{0,9}=>)|${name}["\\\\]?${blank}(?:$|[:=\uff1a])|(?!case |return )${name}(?: ${name}){1,3}:(?=\\s?["[{\\d-])|(?!return)${name}["\\\\]?${blank}(?<=\\s)(?:${value}))`,
  'y',
);
const behindBracket = new RegExp(
  `${blank}(?!\`\`\`)(?:$|${quote}|[{[\\]\uff3b\uff3d\uff5b\\\\/(]|[\\d-]|${word})`,
  'y',
);
/** `see [1]` and `[1](address)` in prose. */
const reference = /\[\s*\d+\](?:\(|(?<=[^\n]\[\s*\d+\]))/y;

/** Returns the offset of the next object or list, or -1. Skips braces in prose, and closed reasoning. */
export function findContainer(text: string, from: number): number {
  const unending = new Set<string>();
  for (let at = from; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x3c || code === 0x5b) {
      const end = reasoningEnd(text, at, unending);
      if (end !== -1) {
        at = end - 1;
        continue;
      }
    }
    if ((code === 0x7b || code === 0xff5b) && matchEnd(behindBrace, text, at + 1) !== -1) return at;
    if (
      (code === 0x5b || code === 0xff3b) &&
      matchEnd(behindBracket, text, at + 1) !== -1 &&
      matchEnd(reference, text, at) === -1
    )
      return at;
  }
  return -1;
}
