import { skipSpace, type TextSpan } from './text-span.ts';

// What templates leave behind around an answer, and a speaker's label. Each is short, and one is tried at a time.
const BEFORE =
  /<\/?s>|<\|[^|<>\n]{1,40}\|>|<\/?(?:tool_calls?|function_calls?|tools?|response|answer|assistant)>|(?:assistant|Assistant|ASSISTANT)(?=[:\n<])|:(?=\s)|\*\*(?=[[{\w])/y;
const AFTER =
  /(?:<\/?s>|<\|[^|<>\n]{1,40}\|>|<end_of_turn>|<\/?(?:tool_calls?|function_calls?|tools?|response|answer|assistant)>|Observation:|```|\*\*|[\s;.])+$/;
const REACH = 400;

/** Where the message begins, after finished reasoning and the tokens of a template. */
export function messageStart(text: string, reasoning: readonly TextSpan[]): number {
  let at = skipSpace(text, 0);
  for (const span of reasoning) if (span.start <= at && span.end > at) at = skipSpace(text, span.end);
  let isColonDue = false;
  for (let passed = 0; passed < 16; passed += 1) {
    BEFORE.lastIndex = at;
    const noise = BEFORE.exec(text)?.[0];
    if (noise === undefined || (noise === ':' && !isColonDue)) return at;
    isColonDue = noise.toLowerCase() === 'assistant';
    at = skipSpace(text, at + noise.length);
  }
  return at;
}

/** Where the message ends, before the tokens of a template and closing punctuation. */
export function messageEnd(text: string): number {
  const noise = AFTER.exec(text.slice(-REACH));
  return text.length - (noise?.[0].length ?? 0);
}
