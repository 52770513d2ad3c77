import { simpleEscape, matchEnd, fromHex } from './characters.ts';
import { isEnclosed } from './reasoning.ts';

/** An encoding of a whole document. */
interface Layer {
  readonly code: string;
  /**
   * Returns whether the document whose root opens at an offset has this encoding. `lead` is the beginning of its first
   * token that is neither an opener nor white space; empty without a root.
   */
  readonly covers: (text: string, rootAt: number, lead: string) => boolean;
  readonly decode: (text: string) => string;
}

// White space, also escaped, openers, commas and comments with either line end: everything that can precede a
// document's first quote.
const leadPattern = /(?:[{[,｛［，\s]|\\{1,2}[nrt]|(?:#|\/\/)[^\n]*?(?:\n|\\n)|\/\*[^*]*\*\/)*/y;

/** Returns the possible encodings of a document whose root opens at an offset, or of a text without a root (-1). */
export function layersOf(text: string, rootAt: number): readonly Layer[] {
  const end = rootAt === -1 ? text.length : matchEnd(leadPattern, text, rootAt);
  const lead = text.slice(end, end + 8);
  return layers.filter((layer) => layer.covers(text, rootAt, lead));
}

const escapedPattern = /\\(?:u([0-9a-fA-F]{4})|([\s\S]))/g;

// A whole string of JSON that holds a document. Text may follow its last quote.
const quotedDocumentPattern = /(?<!\\)"(\s{0,20}[{[](?:[^"\\]|\\[\s\S])*)"/;

/** `{\"a\": \"b\"}`: the content of a JSON string without the quotes around it. */
const escapedDocument: Layer = {
  code: 'escaped-document',
  // A single quote with a needless backslash is another kind of damage. Here every opening quote has one.
  covers: (text, rootAt, lead) =>
    /^\\{1,4}"/.test(lead) &&
    !isEnclosed(text, rootAt) &&
    !/[{[,:｛［，：]\s*"/.test(text.slice(rootAt, text.lastIndexOf('}'))),
  decode: (text) =>
    text
      .replace(quotedDocumentPattern, '$1')
      .replace(escapedPattern, (_whole, digits: string | undefined, letter: string) =>
        digits === undefined ? (simpleEscape(letter.charCodeAt(0)) ?? letter) : fromHex(digits),
      ),
};

const entitiesPattern = /&(?:quot|apos|lt|gt|amp|#(\d{1,6})|#x([0-9a-fA-F]{1,6}));/g;
const namedEntities: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&apos;': "'",
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
};

/** Decodes the entities that HTML and XML have in common. */
export function decodeEntities(text: string): string {
  return text.replace(entitiesPattern, (whole, decimal: string | undefined, hexadecimal: string | undefined) => {
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '0', 16) : Number(decimal);
    return namedEntities[whole] ?? String.fromCodePoint(Math.min(code, 0x10ffff));
  });
}

/** `{&quot;a&quot;: 1}`: a document escaped for HTML. */
const htmlDocument: Layer = {
  code: 'html-entities',
  covers: (_text, _rootAt, lead) => /^&(?:quot|apos|#34|#39|#x22|#x27);/.test(lead),
  decode: decodeEntities,
};

/** `{{"a": {{"b": 1}}}}`: a document in a template, where braces are doubled. */
const templateDocument: Layer = {
  code: 'doubled-braces',
  covers: (text, rootAt) =>
    text[rootAt - 1] === '{' &&
    /[:[,]\s*\{\{/.test(text) &&
    (text.match(/\{+|\}+/g) ?? []).every((run) => run.length % 2 === 0),
  decode: (text) => text.replaceAll('{{', '{').replaceAll('}}', '}'),
};

/** `%7B%22a%22%3A1%7D`: a document in a URL. */
const urlDocument: Layer = {
  code: 'url-encoded',
  covers: (text, rootAt) => rootAt === -1 && /^\s*%(?:7B|5B)/i.test(text),
  decode: (text) => {
    try {
      return decodeURIComponent(text);
    } catch {
      return '';
    }
  },
};

// The sign of a quotation, of a diff, or the number of a line.
const linePrefixes = [/^> ?/, /^\+/, /^ {0,4}\d{1,4}(?: ?[|:]| {2}|\t)/];
const prefixOf = (text: string): RegExp | undefined => {
  const lines = text.trim().split('\n');
  return lines.length > 1 ? linePrefixes.find((prefix) => lines.every((line) => prefix.test(line))) : undefined;
};

/** `> {⏎> "a": 1⏎> }`: a document with a sign or a number before each line. */
const prefixedDocument: Layer = {
  code: 'line-prefixes',
  // Without a quotation, objects in numbered lines are items.
  covers: (text, rootAt) => (rootAt === -1 || /^\s*> ?[{[]/.test(text)) && prefixOf(text) !== undefined,
  decode: (text) => {
    const prefix = prefixOf(text) as RegExp;
    const lines = text.trim().split('\n');
    return lines.map((line) => line.replace(prefix, '')).join('\n');
  },
};

// A mark outside of strings, where only white space can be.
const markPattern = /[{[,:](?:\s*[▁ĠĊ])+\s*["{[\]}\d-]/;

const stringPattern = /"(?:[^"\\]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g;

/** `{Ċ▁▁"a":Ġ1}`: a document in the vocabulary of a tokenizer, which marks spaces and line breaks. */
const tokenizedDocument: Layer = {
  code: 'tokenizer-marks',
  covers: (text) => {
    const head = text.slice(0, 1_000);
    // Few texts have such a mark, and strings are removed slowly.
    return /[▁ĠĊ]/.test(head) && markPattern.test(head.replaceAll(stringPattern, '""'));
  },
  decode: (text) => text.replaceAll(/[▁Ġ]/g, ' ').replaceAll('Ċ', '\n'),
};

/** All recognized encodings. */
const layers: readonly Layer[] = [
  tokenizedDocument,
  prefixedDocument,
  urlDocument,
  escapedDocument,
  htmlDocument,
  templateDocument,
];
