/** The parts of a repair that its explanation depends on. */
interface ExplainedRepair {
  readonly code: string;
  readonly assumed: string;
}

/** What the text holds, what was read instead, and why, for each code of a repair. */
const repairSentences: Readonly<Record<string, string>> = {
  amount: 'The number has a currency sign or a unit. A number is declared here, so only the number was read.',
  'argument-name':
    'The name of an argument is spelled differently from the declared one. Only one declared argument is similar.',
  'backtick-quotes': 'The string is in backticks, as in JavaScript. JSON has double quotes only.',
  'big-integer': 'The letter n after an integer is JavaScript. Only the number was read.',
  'block-comment':
    'JSON has no comments, so the comment was left out. If it stands for values, such as “… and so on”, they are missing.',
  'broken-unicode-escape':
    'The escape \\u has fewer than four hexadecimal digits. Its character is unknown, so � was read.',
  calculation: 'This is a calculation, and a number is declared here, so its result was read.',
  'code-fence': 'The value is in a code fence of Markdown. Only the content of the fence was read.',
  'colon-in-key': 'The colon is inside the quotes of the key. It was read after them.',
  'cut-number': 'The text ends inside a number, so digits may be missing.',
  'cut-string': 'The text ends inside a string. Only its beginning is known.',
  'cut-word': 'The text ends inside a word. JSON has only one word with this beginning.',
  'declared-string': 'A string is declared here, so this was read as a string, exactly as it is written.',
  'digit-separators':
    'Signs or spaces between the digits of a number were left out, or a decimal comma was written as a point.',
  'double-encoded': 'The value is a string with JSON inside. The inner JSON was read.',
  'doubled-braces': 'Braces are doubled, as in a template. Each pair was read as one brace.',
  'doubled-quotes': 'The string begins and ends with two quotes, as in a table. Each pair was read as one quote.',
  'ambiguous-closer':
    'The last closing bracket may belong to a string that was cut, so the end of the value is not certain.',
  'duplicate-key': 'The object has this key twice. The last value was read, as every JSON parser does.',
  ellipsis: 'The dots stand for items that the model left out. These items are unknown.',
  'entity-quotes': 'The quotes are written for HTML, such as &quot;. They were read as quotes.',
  envelope: 'A call with a name surrounds the value. The schema describes its arguments, so only these were read.',
  'escaped-document': 'Every quote has a backslash, so this is JSON inside a string. It was decoded first.',
  'escaped-quotes': 'The quotes of the string have backslashes. JSON allows these only inside a string.',
  'extra-closer': 'No bracket is open that this one could close, so it was left out.',
  'extra-colon': 'One colon is enough here. The other one was left out.',
  'extra-comma': 'No value is between this comma and the next sign, so the comma was left out.',
  'extra-tag': 'No tag is open that this one could close, so it was left out.',
  'full-width': 'The sign is a full-width character of Chinese or Japanese text. The usual sign was read.',
  'hash-comment':
    'JSON has no comments, so the comment was left out. If it stands for values, such as “… and so on”, they are missing.',
  'hex-escape': 'The escape \\x or \\u{…} belongs to Python or JavaScript. Its character was read.',
  'html-entities': 'The text, or every text of the call, is escaped for HTML. It was decoded.',
  'inner-quote':
    'The quote has no backslash, but nothing after it continues the JSON. It was read as part of the string.',
  'inner-tag':
    'The value contains its own closing tag. It was read as text, but the opening tag of another argument may be missing before it.',
  'joined-strings': 'The strings are joined, as in a program. They were read as one string.',
  'last-resort': 'No rule reads this text. The fallback parser of the program did, so the value is a guess.',
  'leading-dot': 'JSON needs a digit before the decimal point. 0 was read there.',
  'leading-plus': 'JSON allows no plus sign before a number, so it was left out.',
  'leading-zeros':
    'JSON allows no zeros before a number. They were left out, although some languages read them as octal.',
  'late-argument': 'A value without a name follows an argument with a name, so it may be part of that argument.',
  'line-comment':
    'JSON has no comments, so the comment was left out. If it stands for values, such as “… and so on”, they are missing.',
  'tokenizer-marks': 'The text had the marks of a tokenizer instead of spaces and line breaks.',
  'line-prefixes':
    'Each line begins with a quotation sign, a diff sign or its number. These prefixes were removed first.',
  'lone-backslash':
    'The backslash begins no escape of JSON, as in a regular expression, a Windows path or LaTeX. It was kept as a character.',
  'markdown-escape': 'The backslashes only protect characters from Markdown, so they were left out.',
  'mismatched-quotes':
    'The string begins with one kind of quote and ends with another. The other one was taken for its end.',
  'missing-close-quote':
    'The closing quote is missing. The string was ended where the next key or the end of the value begins.',
  'missing-closer': 'What follows belongs further out, so a closing bracket is missing here. It was added.',
  'missing-colon': 'The colon between the key and its value is missing. It was added.',
  'missing-comma': 'The comma between two members or items is missing. It was added.',
  'missing-list-closer': 'A key follows, and lists have no keys, so the list ended before it.',
  'missing-open-quote': 'The string has a closing quote only. The opening quote was added.',
  'missing-opener': 'An opening bracket is missing before the value. It was added.',
  'missing-tag': 'The closing tag is missing. It was added where the content ends.',
  'missing-value': 'The value is missing or a question mark, so an empty one was read.',
  'mixed-escapes':
    'Some backslashes of this string begin no escape, so the others may be meant as characters, too. They were read as escapes.',
  'needless-escape': 'The character needs no backslash in JSON. Only the character was read.',
  'odd-space': 'JSON does not allow this kind of space between values, so it was left out.',
  'other-digits': 'JSON knows only the digits 0 to 9. The digits of another script were read as the same number.',
  'other-number': 'The number is written as in another language. Its value was read.',
  'other-quotes': 'The string has quotes that JSON does not allow. They were read as double quotes.',
  'other-radix': 'The number is hexadecimal, octal or binary, as in a program. Its value was read.',
  'other-value': 'The text holds more than one value. The best one was read, and this one was left out.',
  'other-word':
    'The word belongs to Python, JavaScript or another language, or means yes or no. The value of JSON that fits it was read, or null without one.',
  'outer-quote': 'The whole value is in quotes. They were left out.',
  'positional-argument': 'The argument has no name. The parameter at its position was taken.',
  'prose-after': 'Text follows the value. It is not part of the value, so it was left out.',
  'prose-before': 'Text precedes the value. It is not part of the value, so it was left out.',
  'raw-control':
    'JSON needs an escape for a line break, a tab or a control character in a string. The character was kept.',
  reasoning: 'This is the reasoning of the model, not its answer, so it was left out.',
  'repeated-tag': 'The argument is given twice, but it is no list. Two calls may have merged, so the call was refused.',
  'several-values': 'Several values follow each other, one per line. They were read as a list.',
  'single-quotes': 'The string is in single quotes, as in Python and JavaScript. JSON has double quotes only.',
  'smart-quotes': 'The string is in typographic quotes. JSON has straight double quotes only.',
  statement: 'The value is part of a statement of a program. Only the value was read.',
  'stray-quote': 'The quote neither begins nor ends a string, so it was left out.',
  remark: 'A remark in parentheses follows the value. It was left out, and the document counts as incomplete.',
  'stray-word': 'A word or a repeated key stands where nothing is expected, so it was left out.',
  'string-prefix': 'The letter before the string gives its kind in Python. Only the string was read.',
  tag: 'A tag surrounds the value. Only its content was read.',
  'token-quotes': 'The string is in special tokens of a chat template. They were read as quotes.',
  'too-large': 'The number is too large for a program, so null was read.',
  'tool-name': 'The name is spelled differently from the declared tool. Only one tool has a similar name.',
  'trailing-comma': 'JSON allows no comma before a closing bracket, so it was left out.',
  'trailing-dot': 'JSON needs a digit after the decimal point. The number without it was read.',
  'transposed-closers': 'The closing brackets are in the wrong order. They were read in the right order.',
  'triple-quotes': 'The string is in triple quotes, as in Python. JSON has double quotes only.',
  tuple: 'The list is in parentheses, as in Python. JSON has square brackets only.',
  'typed-value': 'A type of another language surrounds the value. Only the value was read.',
  unclosed: 'The text ends before every bracket is closed. The missing brackets were added.',
  'unquoted-key': 'The key has no quotes, as in JavaScript. They were added.',
  'unquoted-string': 'The text has no quotes. It was read as a string up to the next key or the end of the value.',
  'unsafe-integer': 'The integer has too many digits for a program, so its last digits were rounded.',
  'url-encoded': 'The whole text is encoded for a URL. It was decoded first.',
  'wrapped-arguments': 'An object that is not declared surrounds the arguments. They were taken out of it.',
  'written-whitespace':
    'The characters \\n or \\t between values, or a backslash at the end of the text, belong to no value. They were left out.',
  'wrong-brackets': 'These brackets do not fit their content: keys need braces, items need square brackets.',
  'wrong-closer': 'The closing bracket does not fit the open one. The fitting bracket was read.',
  'wrong-colon': 'Another sign is in the place of the colon. It was read as a colon.',
  'wrong-comma': 'Another sign is in the place of the comma. It was read as a comma.',
};

/** Sentences about a repair that has a second meaning, chosen by its replacement. */
const constructors: Readonly<Record<string, string>> = {
  '{': 'A constructor of a programming language surrounds the members. They were read as an object.',
  '[': 'A constructor of a programming language surrounds the items. They were read as a list.',
};

/** Explains a repair in one or two sentences: what the text holds, what was read instead, and why. */
export function explainRepair({ code, assumed }: ExplainedRepair): string {
  const other = code === 'other-value' ? constructors[assumed] : undefined;
  return other ?? repairSentences[code] ?? `The text was changed by the repair ${code}.`;
}

/** Explanations of coercions, by their code. */
const coercionSentences: Readonly<Record<string, string>> = {
  null_dropped: 'null for an optional argument counts as no value.',
  json_parsed: 'An object or a list was written as JSON inside a string. It was taken out of the string.',
  number_parsed: 'A number was written as a string.',
  boolean_parsed: 'true or false was written as a string.',
  null_parsed: 'null was written as a string.',
  reasoning_dropped: 'The model wrote its reasoning as a further argument. It was left out.',
  enum_case: 'The value was written in another case. Only one allowed value fits.',
  wrapped: 'A list is declared and a single value was written. It became a list with one item.',
  key_renamed: 'The name of the argument was spelled differently. Only one declared name fits.',
  alias: 'The tool declares this name as another name of the argument.',
  preference: 'A preference of the user sets this argument.',
};

/** Explains a coercion of an argument in a sentence. */
export function explainCoercion(code: string): string {
  return coercionSentences[code] ?? `The value was changed by the coercion ${code}.`;
}
