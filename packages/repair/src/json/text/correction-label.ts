const start = String.raw`(?:^|[.!?\n])\W{0,4}`;
// Only a value: `This should be followed by a note` corrects nothing.
const correctValue = String.raw`(?: (?:[^\s.,:]{0,20}\d[^\s,:]{0,20}|"[^"\n]{0,40}"|this|the following|as follows|like this))?`;
const regret = String.raw`(?:(?:wait|sorry|oops|actually|apologies|my mistake|no|entschuldigung|pardon|désolé|perdón|抱歉|对不起)[\s,.!:，。…—-]{1,4}){1,2}`;

/** Matches the label of a value that replaces the one before it, possibly with the first line of a fence. */
export const correctionLabel: RegExp = new RegExp(
  `${start}(?:${[
    `(?:here(?:['’]s| is) )?(?:the )?(?:corrected|correction|correct|fixed|revised|updated)(?: (?:version|JSON|answer|output|value|call|one))?(?: is)?`,
    `(?:${regret})?(?:(?:it|this|that) should (?:be|have been|read)|i meant)${correctValue}`,
    String.raw`${regret}(?:(?:it|this|that|the \w{1,20}) (?:should|must) (?:be|have been)|i meant|make (?:that|it)|ich meinte|je voulais dire|quise decir)(?![^:\n]{0,40}\b(?:also|too|another|both|well|auch|aussi|también)\b)[^.,:\n]{0,40}`,
    // German, French, Spanish, Chinese.
    `korrektur|korrigiert|richtig ist|corrección|version corrigée|versión corregida|(?:${regret})?(?:更正|修正|应该是|应为)[^。，:：\\n]{0,12}`,
  ].join('|')})\\W{0,3}[:：]\\W{0,3}\\s*(?:\`\`\`\\w*\\s*)?$`,
  'i',
);
