// What says that a call is shown and not made. All of these can only keep a call from being one.

const EXAMPLE =
  /\b(?:examples?|format|syntax|for instance|e\.g\.|looks? like|such as|template|placeholder|sample|signature|usage)\b|\b(?:ejemplo|beispiel|beispielsweise|exemple|esempio|exemplo|formato)\b|пример|例えば|例如|比如/i;
const HYPOTHETICAL =
  /\b(?:would (?:look|call|use|write|need|have)|could|might|if (?:you|there|we|i|it)|you (?:can|may|would|should|might)|how (?:to|it|you|one)|were to|instead of|alternativ\w*|either|option|variant)\b/i;
const REPORTED =
  /\b(?:said|says|wrote|writes|found|finds|contain(?:s|ed)?|logs?|logged|reads|returned|printed|history|earlier|previous(?:ly)?|before|used to|docs?|documentation|manual|readme|page|e-?mail|message|quot\w+|trace(?:back)?|shown|written|wrong|incorrect\w*|fail\w*|broken|deprecated|don't|do not|never|avoid|not)\b/i;
const OFFERED =
  /\bif you(?:'d| would) like\b|\bwould you like me to\b|\bfor your reference\b|\bshould i\b|\bshall i\b/i;
const LABELLED = /\bexamples?\b[^\n]{0,40}:\s*$/i;

const UNSUITED =
  /\b(?:no|none|neither|nor|not|isn't|aren't|doesn't|don't|lacks?|missing|if there were)\b[^.\n]{0,60}\b(?:tools?|functions?)\b|\b(?:tools?|functions?)\b[^.\n]{0,60}\b(?:cannot|can't|not|none|unable|unsuitable|insufficient)\b|\b(?:cannot|can't|unable to) (?:help|answer|do|be answered|assist)\b/i;
const ASKED =
  /\?\s*$|\b(?:tell|let) me (?:know )?(?:if|whether|which)\b|\b(?:should|shall) i\b|\b(?:do you|would you) (?:want|like|prefer)\b|\bwhich (?:one|of)\b/i;
const OWN_VALUES = /\b(?:replace|substitute|fill in)\b|\byour own\b|\bboth (?:forms|are)\b/i;
const OTHER_TEXT =
  /^\s{0,9}(?:#{2,4}\s|def\s|class\s|import\s|from\s+\w+\s+import|assert\b|Traceback|>>>|(?:User|Human|Q|Question)\s{0,2}:)|"""|'''/m;

/** Whether the text right before calls says that they are an example, a thought or a quotation. */
export function isShown(before: string): boolean {
  const line = lastLine(before);
  return EXAMPLE.test(line) || HYPOTHETICAL.test(line) || REPORTED.test(line);
}

/** Whether it says so that even calls which end the message are none. */
export function isOffered(before: string): boolean {
  const line = lastLine(before);
  return OFFERED.test(line) || LABELLED.test(line);
}

/** Whether the text of a message, without the calls in it, speaks against them: no tool suits, or the reader is asked. */
export function speaksAgainstCalls(text: string, after: string): boolean {
  const end = text.trimEnd();
  return UNSUITED.test(text) || ASKED.test(end.slice(-400)) || OWN_VALUES.test(after) || OTHER_TEXT.test(after);
}

function lastLine(before: string): string {
  const end = before.trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1).slice(-300);
}
