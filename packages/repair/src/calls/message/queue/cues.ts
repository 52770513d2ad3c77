import { isDataLabel, isShownLabel } from './shown-labels.ts';

// Cues that a call is shown and not made. A cue can only reject a call.

/** Words for a notation that is described. `Here is the call in the required format:` only says that it was kept. */
const formatCue = String.raw`(?<!\bin (?:the |a )?(?:required|requested|specified|desired|expected|correct|proper|right|appropriate) )(?:format|syntax)(?! (?:that )?you (?:requested|specified|asked|want))`;

/** Words that introduce an example. */
export const exampleCue: RegExp = new RegExp(
  String.raw`\b(?:examples?|${formatCue}|for instance|looks? (?:like|as)|such as|this shape|template|placeholder|sample|signature|usage|(?:(?<!\bfill\w{0,3} )in|of|takes?|have|has|use|follow|match|with) the form|the form (?:is|to use|for calls|of (?:a|the|each) (?:\w+ )?call))\b|\b(?:ejemplo|beispiel|beispielsweise|exemple|esempio|exemplo|formato)\b|\bs(?:ieht|ähe) so aus\b|\be\.g\.\W{0,3}$|пример|例えば|例如|比如|写成(?:以下|如下|这样)?[^。，,\n]{0,6}(?:文本|格式|形式)`,
  'i',
);

const hypotheticalCue =
  /\b(?:would (?:look|call|use|write|need|have|run|make|send)|could(?! not)|might|if (?:you|there|we|i|it)|you (?:can|may|would|should|might)|how (?:to|it|you|one)|were to|instead of|alternativ\w*|either|option|variant|sarebbe|serait|wäre|sería|seria)\b/i;

// Texts that may be quoted are also what tools work on: only an intention shows the difference.
const sourceCue =
  /\b(?:fixture|logs?|history|docs?|documentation|tutorial|excerpt|summary of|snippets?|manual|readme|page|e-?mail|message|payload|(?:request|response) body|trace(?:back)?|(?<!be )found(?! (?:the|a) (?:\w+ )?(?:tool|function))|finds|logged|earlier|previous(?:ly)?|before|used to|handbuch|anleitung|skript|protokoll|manuel|manuale?|transcript)\b/i;

const intentionCue =
  /\b(?:i(?:'ll| will| need to| need the| am going to|'m going to| (?:search|check|look|call|send|read|use|get|fetch|query|run|ask))|let me|let's|(?:call|us|check|search|look|read|send)ing|here(?:'s| is) the (?:\w+ )?call(?! (?:from|in|of|that (?:i|you|we))\b))\b/i;

const reportedCue =
  /\b(?:(?<!\bas (?:you|we) )said|says|to (?:say|write|repeat)|(?:input|output|result|response|answer|log|call|payload|request) (?:was|were)|(?:output|results?|tests?) (?:of|for)|wrote|writes|contain(?:s|ed)?|holds|shows|ran|(?:you|he|she|they|user) types?|(?:copy|paste|type|put|insert) (?:this|it|the following)|look at this|forbidden|expects|expected|reads|returned|printed|quot(?:ed|ing|ation)|(?:quote|cite|mention|repeat|copy|paste|document) (?:the|this|a|what) (?:\w+ )?(?:call|logs?|message|line|text|example|user|request)|shown|written|wrong|incorrect\w*|fail\w*|broken|deprecated|won't|don't|can't|cannot|do not|never|avoid|not(?! (?:mentioned|given|specified|provided|stated|needed|required))|whether)\b/i;

// What a call is for may contain any word. Verbs that show something stay.
const purposePattern =
  /(?:^(?:in order )?to|\b(?:i|we)(?:'ll| will| need to| can| should|'m going to| am going to)|\blet(?: me|'s)|\bcall to) (?!(?:not|discuss|show|illustrate|demonstrate|explain|describe|document|see|give|quote|cite|paste|copy|repeat|mention|report|write|test|call|use|run|say|imagine|assume|know|ask|clarify|confirm|decide)\b)[a-z]+(?: [^,.:;]*?)?(?=[,.:;]|$| (?:but|and|which|that|because|when|where|while|if|so|or|after|before|until|unless|though|although|you|with (?:this|the following))\b)/gi;

const clauseStart =
  /[.!?] |[,;] (?=(?:so|therefore|thus|hence|but|then|this|here|let|i|daher|deshalb|also|donc|alors|je|así|entonces|uso|quindi|allora|então)\b)/i;

/** Words for a call that waits for the user. */
export const consentCue: RegExp = new RegExp(
  [
    String.raw`\bif you (?:say|confirm|agree|approve|allow)\b`,
    String.raw`\b(?:after|once|pending) (?:your (?:ok|okay|consent|approval|confirmation|permission)|you(?: have|['’]ve)? (?:confirm|agree|approve)(?:e?d)?)\b`,
    // German, French, Spanish, Italian, Portuguese.
    String.raw`\b(?:sobald|wenn|falls) (?:du|sie|ihr) (?:zustimm|bestätig)|\b(?:dès que|quand|une fois que) (?:vous|tu) (?:confirme|approuve|accepte)`,
    String.raw`\b(?:(?:cuando|en cuanto|una vez que) (?:me |lo )?|si me )(?:confirm[ae]s?|aprueb[ae]s?)\b`,
    String.raw`\b(?:(?:quando|(?:non )?appena) (?:mi |lo )?|se mi )(?:conferm[ai]|approv[ai])\b|\b(?:quando|assim que|se) você (?:confirmar|aprovar)\b`,
  ].join('|'),
  'i',
);

const offerCue = new RegExp(
  String.raw`\bif you(?:'d| would) like\b|\bwould you like me to\b|\bfor your reference\b|\bshould i\b|\bshall i\b|\byourself\b|\bpaste (?:this|it|the following)\b|\bbefore i (?:make|run|send|call)\b|\bmodel would\b|\bcalls (?:so far|made)\b|\bwhich (?:calls?|ones?|options?)\b[^?\n]{0,99}\?\s*$|\b(?:in)?valid (?:request|call|one)\b|${consentCue.source}`,
  'i',
);

const speaker = (labels: string): string => String.raw`(?:^|\n)[\s>*_#[-]{0,8}(?:${labels})[\]*_ ]{0,6}[:：]`;

const askerPattern = speaker(
  'user|human|interviewer|moderator|student|customer|client|q|nutzer|benutzer|utilisateur|usuario|utente|用户',
);
const answererPattern = speaker(
  String.raw`(?:[\w-]{1,20} )?(?:assistant|ai|bot|agent)|a|model|assistent|asistente|assistente|助手`,
);

/** The end of the text before calls in a transcript: the turn of a user, and then the label of the one who answers. */
export const transcriptCue: RegExp = new RegExp(String.raw`${askerPattern}[^]*${answererPattern}[\s*_\`]*$`, 'i');

/** An answer of an agent that thinks aloud, and a line of its text: the agent calls nothing more. */
const finalAnswer = /(?:^|\n)Final Answer:[ \t]*[^\s{[<`][^]*\n/;

/** Words for a tool that is missing or does not fit. */
const noToolCue = new RegExp(
  [
    String.raw`\b(?:no|none|neither|nor|isn't|aren't|not (?:an?|any|one|possible|covered|supported|available)|(?:do|does|did)(?:n't| not) (?:have|see|offer|provide|include)|lacks?|missing|if there were)\b[^.,;:\n]{0,60}\b(?:tools?|functions?)\b`,
    String.raw`\b(?:tools?|functions?)\b[^.,;:\n]{0,60}\b(?:cannot|can't|(?:is|are) not|isn't|aren't|none|unable|unsuitable|insufficient|do(?:es)?(?:n't| not) (?:cover|support|suit|fit|apply|match|answer|help|exist))\b`,
    // French, German, Spanish, Italian, Portuguese.
    String.raw`\b(?:outil|fonction|werkzeug|funktion|herramienta|función|strumento|funzione|ferramenta|função)\b[^.,;:\n]{0,60}\b(?:(?:n['’]est|ne sont) pas disponible|nicht verfügbar|n(?:o|ão) est(?:á|án|ão) dispon|non (?:è|sono) disponibil)`,
    String.raw`\b(?:cannot|can't|unable to) (?:help|answer|do|be answered|assist)\b`,
  ].join('|'),
  'i',
);

/** A question to the user. A question for anything else does not concern the call. */
const questionCue =
  /(?<!\b(?:else|further|help|assist)\b[^?\n]{0,60})\?\s*$|\b(?:tell|let) me (?:know )?(?:if|whether|which)\b(?! you(?:'d| would)? (?:need|want|have|like) (?:any|more|further|other|help|to know))|\b(?:should|shall) i\b|\b(?:do you|would you) (?:want|like|prefer)\b(?![^?\n]{0,40}\belse\b)|\bwhich (?:one|of)\b|\bplease (?:confirm|approve)\b/i;

/** Words that ask the reader to fill in values. */
const placeholderCue =
  /\b(?:replace|substitute|fill in|ersetzen?|remplacez?|reemplaz[ae]|sostitu\w+)\b|\byour own\b|\bboth (?:forms|are)\b/i;

/** The beginnings of other texts: another exercise, a program, a session. */
const otherTextPattern =
  /^\s{0,9}(?:#{2,4}\s(?:[Ii]nstructions?|[Rr]esponse|[Ii]nput|[Qq]uestion|[Uu]ser|[Hh]uman|[Ss]ystem|[Aa]ssistant|[Tt]asks?|[Ee]xamples?|[Tt]ests?|[Oo]utput|[Pp]roblem|[Uu]sage)\b|def\s|class\s|import\s|from\s+\w+\s+import|assert\b|Traceback|>>>|(?:User|Human|Q|Question)\s{0,2}:)|"""|'''/m;

/** The lines of a program that uses the results. */
const programCue =
  /^[ \t]*(?:import \w|from [\w.]{1,60} import\b|(?:async )?def \w|class \w+[:(]|function \w{1,60}\()/m;

/** A diff or a listing in LaTeX that goes on to the end of the text. */
const listingCue =
  /(?:^|\n)(?:diff --git |@@ -\d|\\begin\{(?:verbatim|lstlisting|minted)\})(?:(?!\n\s*\n|```|\\end\{)[^]){0,2000}$/;

/** The verbs of a sentence with a call as its subject. */
export const subjectVerbs = 'is|was|are|were|means?|would|has|had|can|does|takes?|returns?|looks?|shows?';

/** The rest of a sentence with a call as its subject, after the call. */
export const subjectPattern: RegExp = new RegExp(`^\\s*(?:${subjectVerbs})\\b`);

/** The rest of a sentence with a call in it, after the call. */
export const continuedSentence: RegExp = new RegExp(
  `^\\s*(?:${subjectVerbs}|and|or|but|until|which|as|because|when|while|where|in|at|for|to|twice)\\b`,
);

// The beginning of a line in a log or in YAML, and the end of a phrase or an assignment that a call completes.
const lineCue =
  /^\W{0,2}(?:\d{4}[-/]\d{2}[-/]\d{2}|\d{1,2}:\d{2}|(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) {1,2}\d|(?:DEBUG|INFO|WARN|ERROR|TRACE)\b)|^\s{1,16}[\w-]+:\s|(?:\b(?:from|into|than|of|to|[Cc]ompare|[)\]] with)|[\w\])] ?=)\s*$/;

/** Returns whether the line before calls introduces an example, a possibility or a quotation. */
function introducesExample(line: string, mayBePossible: boolean): boolean {
  if (lineCue.test(line)) return true;
  if (mayBePossible && /\b(?:let me|let's|i(?:'ll| will| need| am going to|'m going to))\b/i.test(line)) return false;
  const withoutPurpose = line.replaceAll(purposePattern, '');
  const clause = lastClause(withoutPurpose);
  if (exampleCue.test(withoutPurpose) || reportedCue.test(clause)) return true;
  if (!mayBePossible && hypotheticalCue.test(withoutPurpose)) return true;
  return sourceCue.test(clause) && !intentionCue.test(lastClause(line));
}

const lastClause = (line: string): string => line.split(clauseStart).at(-1) ?? '';

/** Returns whether the text before calls shows them instead of making them. `mayBePossible`: whether a possible call counts. */
export function isShown(before: string, mayBePossible: boolean): boolean {
  const line = lastLine(before).slice(-maxLine);
  const clause = lastClause(line);
  return (
    introducesExample(line, mayBePossible) ||
    // Offers, reports and labels count even at the end of a message.
    offerCue.test(line) ||
    noToolCue.test(clause) ||
    isShownLabel(line) ||
    isDataLabel(line) ||
    transcriptCue.test(before) ||
    (finalAnswer.test(before) && !intentionCue.test(clause)) ||
    programCue.test(before) ||
    listingCue.test(before)
  );
}

/** Returns whether the text around calls speaks against them: no tool fits, or the user is asked. */
export function speaksAgainstCalls(before: string, after: string): boolean {
  const text = before + after;
  return (
    noToolCue.test(text) ||
    questionCue.test(text.trimEnd().slice(-400)) ||
    placeholderCue.test(after) ||
    otherTextPattern.test(after)
  );
}

/** Words that announce a call: an intention, an answer, or a label. */
export const announcement: RegExp = new RegExp(
  [
    String.raw`\bi(?:'ll| will| am| would|'d|'m| need| should| must| have to| can| (?:search|check|look|call|send|read|use|get|fetch|query|run|ask))\b`,
    String.raw`\b(?:let|we(?:'ll| will| need| should| can)?|sure|okay|ok|certainly|of course|alright|no problem|got it|understood|great|happy|therefore|thus|using|calling|invoking|executing|running|calls?|so i|requested|all required|required parameters)\b`,
    String.raw`\bmy (?:answer|response|output|solution)\b|\bhere (?:is|are|you go)\b|\bhere's\b|\banswer is\b|\bfunction (?:is|can|should|would|to)\b`,
    String.raw`\b(?:use|following|needed|required|correct|appropriate|right|need) (?:\S+ ){0,4}(?:functions?|tools?|answer|solution|command|action)\b`,
    String.raw`\b(?:ich|je|io|wir|nous|voici|ecco|appel|llamada|chiamata|chamada)\b|aufruf|我|调用|呼び出|了解|好的|\bawait\s*$`,
    String.raw`^\W*(?:the )?(?:first|second|third|next|then|now|finally|done|both|and|also|so|(?:final )?answer|output|result|response|solution|action|tool|function|(?:next )?step(?: \d{1,2})?|assistant|bot|agent|ai|(?:(?:tool|function)[ _])?calls?|(?:tool_|python )?code)\W*$`,
    String.raw`^\W*(?:to (?!be\b|do\b)|for (?!the record)|aqu[ií]\b|\w:|(?:#|\/\/) .*\.$)`,
  ].join('|'),
  'i',
);

const maxLine = 300;

/** Returns the last line of a text that is not blank. */
export function lastLine(text: string): string {
  const end = text.trimEnd();
  return end.slice(end.lastIndexOf('\n') + 1);
}
