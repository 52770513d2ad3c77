const start = String.raw`(?:^|[.!?\n])\W{0,4}`;
// Only a value: `This should be followed by a note` corrects nothing.
const correctValue = String.raw`(?: (?:[^\s.,:]{0,20}\d[^\s,:]{0,20}|"[^"\n]{0,40}"|this|the following|as follows|like this))?`;
const regret = String.raw`(?:(?:wait|sorry|oops|actually|apologies|my mistake|no|entschuldigung|pardon|désolé|perdón|抱歉|对不起)[\s,.!:，。…—-]{1,4}){1,2}`;

const followed = '\\W{0,3}[:：]\\W{0,3}\\s*(?:```\\w*\\s*)?$';

const takenBack = [
  'correction|korrektur|corrección|更正|修正',
  `${regret}(?:(?:it|this|that) should (?:be|have been|read)|i meant)${correctValue}`,
  String.raw`${regret}(?:(?:it|this|that|the \w{1,20}) (?:should|must) (?:be|have been)|i meant|make (?:that|it)|ich meinte|je voulais dire|quise decir|应该是|应为)(?![^:\n]{0,40}\b(?:also|too|another|both|well|auch|aussi|también)\b)[^.,:：\n]{0,40}`,
].join('|');

/** Matches words that take back the call before them. `Updated:` may also label a second call. */
export const takenBackLabel: RegExp = new RegExp(`${start}(?:${takenBack})${followed}`, 'i');

/** Matches the label of a value that replaces the one before it, possibly with the first line of a fence. */
export const correctionLabel: RegExp = new RegExp(
  `${start}(?:${[
    `(?:here(?:['’]s| is) )?(?:the )?(?:corrected|correction|correct|fixed|revised|updated)(?: (?:version|JSON|answer|output|value|call|one))?(?: is)?`,
    `(?:(?:it|this|that) should (?:be|have been|read)|i meant)${correctValue}`,
    takenBack,
    // German, French, Spanish, Chinese.
    `korrigiert|richtig ist|version corrigée|versión corregida|(?:${regret})?(?:更正|修正|应该是|应为)[^。，:：\\n]{0,12}`,
  ].join('|')})${followed}`,
  'i',
);
