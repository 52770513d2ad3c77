/** Creates a text of the given length that is hard to read. */
export interface PathologicalShape {
  readonly name: string;
  readonly make: (length: number) => string;
}

const repeat =
  (piece: string) =>
  (length: number): string =>
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length);
const after =
  (start: string, piece: string, end = '') =>
  (length: number): string =>
    start + repeat(piece)(length) + end;
const balanced =
  (open: string, close: string, inner = '') =>
  (length: number): string => {
    const depth = Math.floor(length / (open.length + close.length));
    return open.repeat(depth) + inner + close.repeat(depth);
  };

/** Shapes that have broken readers: deep nesting, endless runs of one character, and unclosed openers. */
export const pathologicalShapes: readonly PathologicalShape[] = [
  { name: 'opening brackets', make: repeat('[') },
  { name: 'opening braces', make: repeat('{') },
  { name: 'objects in objects, never closed', make: repeat('{"a":') },
  { name: 'lists and objects in turn, never closed', make: repeat('[{"a":') },
  { name: 'lists in lists, closed', make: balanced('[', ']') },
  { name: 'objects in objects, closed', make: balanced('{"a":', '}', '1') },
  { name: 'unquoted objects in objects, closed', make: balanced('{a:', '}', '1') },
  { name: 'double quotes', make: repeat('"') },
  { name: 'single quotes', make: repeat("'") },
  { name: 'backticks', make: repeat('`') },
  { name: 'backslashes', make: repeat('\\') },
  { name: 'backslashes in a string that never ends', make: after('"', '\\') },
  { name: 'commas', make: repeat(',') },
  { name: 'commas in a list', make: after('[', ',') },
  { name: 'colons', make: repeat(':') },
  { name: 'spaces', make: repeat(' ') },
  { name: 'spaces in a list', make: after('[', ' ') },
  { name: 'line breaks', make: repeat('\n') },
  { name: 'letters', make: repeat('a') },
  { name: 'digits', make: repeat('1') },
  { name: 'digits in a list', make: after('[', '1') },
  { name: 'minus signs', make: repeat('-') },
  { name: 'dots', make: repeat('.') },
  { name: 'dots in a list', make: after('[', '...') },
  { name: 'slashes', make: repeat('/') },
  { name: 'comments that never end', make: repeat('/*') },
  { name: 'empty comments', make: repeat('/**/') },
  { name: 'one line comment', make: after('{"a": 1, //', 'x') },
  { name: 'hash signs', make: repeat('#') },
  { name: 'backtick fences', make: repeat('```') },
  { name: 'fences that open on a brace', make: repeat('```json\n{') },
  { name: 'parentheses', make: repeat('(') },
  { name: 'calls in calls', make: repeat('callback(') },
  { name: 'numbers in lists, never closed', make: repeat('[1,') },
  { name: 'unescaped quotes in one string', make: after('{"a": "', 'x " y ', '"}') },
  { name: 'unescaped quotes and commas in one string', make: after('{"a": "', 'x", ', '"}') },
  { name: 'quotes and commas', make: after('[', '",') },
  { name: 'quotes and colons', make: after('{', '":') },
  { name: 'quoted words in a row', make: after('{"a": "', '"x" ', '"}') },
  { name: 'strings that lack the closing quote', make: after('{', '"a":"b,') },
  { name: 'keys and values without quotes, never closed', make: after('{', 'k: v w x, ') },
  { name: 'Unicode escapes in a string that never ends', make: after('"', '\\u00e9') },
  { name: 'raw line breaks in a string', make: after('{"a": "', 'line\n', '"}') },
  { name: 'one object after another', make: repeat('{"a":1}') },
  { name: 'an object a line', make: repeat('{"a":1}\n') },
  { name: 'null after null', make: repeat('null') },
  { name: 'opening tags', make: repeat('<tool_call>') },
  { name: 'angle brackets', make: repeat('<') },
  { name: 'keys that never end', make: repeat('{"a') },
  { name: 'strings glued to strings', make: after('[', '"a""a"') },
  { name: 'strings joined with plus', make: after('[', '"a"+', '"a"]') },
  { name: 'closers that nothing opened', make: repeat('}]') },
  { name: 'prose with braces', make: repeat('some text { and more ') },
  { name: 'typographic quotes', make: repeat('“') },
  { name: 'halves of surrogate pairs', make: after('{"a": "', '\uD83D', '"}') },
  { name: 'prototypes in prototypes', make: repeat('{"__proto__":') },
  { name: 'assignments', make: repeat('a = ') },
  { name: 'reasoning that never ends', make: repeat('<think>') },
  { name: 'HTML entities', make: repeat('&quot;') },
  { name: 'escaped delimiters', make: after('{', '\\"a\\": \\"b\\", ') },
  { name: 'tuples in tuples', make: balanced('(1, ', ')', '2') },
  { name: 'a document encoded again and again', make: (length) => encodeAgain(length) },
];

/** Encoding doubles the backslashes, so a few rounds reach any length. */
function encodeAgain(length: number): string {
  let text = '{"a": 1}';
  while (text.length < length) text = JSON.stringify(text);
  return text;
}
