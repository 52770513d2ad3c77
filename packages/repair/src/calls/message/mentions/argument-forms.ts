/** A form of arguments after the name of a tool. */
export interface ArgumentForm {
  /** Looks back from the name. Sticky. */
  readonly before?: RegExp;
  /** Matches the text after the name. Sticky. */
  readonly after: RegExp;
  /** Whether the name must be spelled as declared, because the form occurs in prose. */
  readonly isExact?: true;
  /** The end of the mention: of the match, of the bracket that the match ends with, of the line, or of the lines. */
  readonly end: 'match' | 'code' | 'object' | 'line' | 'block';
}

const mark = '["\'`*]{0,3}';
const lineStart = '(?:^|\\n)[ \\t]{0,16}';
const prompt = `(?:[$>#%!] ?|/|[-+*] |\\d{1,2}[.)] )?(?:(?:call|run|use|invoke|execute) )?${mark}`;
const nameTag = '(?:tool|function|action|(?:tool_|function_)?name)>';

/** The labels and keys that name a tool. */
export const labels: string =
  '(?:[Tt]ool|TOOL|[Ff]unction|[Ff]unc|[Aa]ction|[Aa]pi)(?:[_ ]?(?:[Nn]ame|[Cc]all)| \\d{1,2})?|(?:[Rr]ecipient_)?[Nn]ame|[Cc]all|[Cc]ommand|[Mm]ethod|✿FUNCTION✿';

const lookback = (pattern: string): RegExp => new RegExp(`(?<=${pattern})`, 'y');

const lineLabel = lookback(`${lineStart}(?:[-*] )?${mark}(?:${labels})${mark}\\s?[:=]${mark}[ \\t]{0,9}${mark}`);

// A word that prose does not have: an option, an assignment, a quotation, a path, a number, or an arrow.
const argument =
  '[\\s,](?:--?[A-Za-z]|["\'\\u201c]|\\w{1,64}[=:][^\\s=:]|[\\w-]{0,64}[\\w-][./\\\\@_][\\w-]|[./~]/|\\d|[-=]>|<<)';

/** The forms of arguments after a name, in the order in which they are tried. */
export const argumentForms: readonly ArgumentForm[] = [
  // `weather_at(city="Bled")`
  { after: /["'`>]?[(（](?!\s{0,9}\))/y, end: 'code' },
  // `weather_at: {"city": "Bled"}`
  {
    after:
      /(?:\n[\p{L}_ *]{1,24}[:：]\s?|["'`>:=\]\s]|,\s?(?=arg)|:\d{1,6}|arguments|args|parameters|params|input|with|code|json|```\w{0,12}|<[^<>\n]{1,40}>|\[ARGS\]){0,12}\{(?=\s{0,99}["'“‘\w\\-])/iuy,
    end: 'object',
  },
  // `=weather_at><parameter=city>Bled</parameter>`, `[weather_at]⏎<parameter name="city">Bled</parameter>`
  { after: /["'”]?[>\])]\s{0,9}<(?:[|｜]{1,2}DSML[|｜]{1,2})?(?:param|arg|invoke)\w{0,9}[\s=>]/y, end: 'block' },
  // `<｜DSML｜weather_at><｜DSML｜city>Bled…`, `&lt;weather_at&gt;&lt;city&gt;Bled…`
  { before: /(?<=DSML[|｜]{1,2}|&lt;)/y, after: /(?:>|&gt;)\s{0,9}(?:<|&lt;)[A-Za-z|｜]/y, end: 'block' },
  // `<weather_at⏎<city>Bled`
  { before: lookback('<(?:function=)?'), after: /[ \t]{0,9}\r?\n\s{0,9}<[A-Za-z]/y, end: 'block' },
  // `<weather_at city="Bled"/>`, `<tool_call>weather_at Bled</tool_call>`, `<function=weather_at>⏎Bled</parameter>`, `<tool>weather_at</tool>`
  {
    before: lookback(
      `<(?:function\\s{0,4}[=/]\\s{0,4}|tool_call>\\s{0,9}|[^\\s<>"'=]{1,40} (?:name|tool|function)=|${nameTag}\\s{0,9})?["']?`,
    ),
    after: new RegExp(
      `["']?(?:\\s{0,9}<arg_key|:?[ \\t][^<]{1,400}</tool_call>|>\\r?\\n\\s{0,9}</\\w{1,64}>[^<]{1,400}</|\\s{0,9}/?>\\s{0,9}(?:<[A-Za-z]|[\\w-]{1,64}:\\s|\\{|[^<]{1,400}</(?:parameter|param|arg_value|function|invoke|tool_call)>)|\\s{1,9}[\\w-]{1,64}=|\\s{0,9}</${nameTag})`,
      'y',
    ),
    end: 'match',
  },
  // `to=functions.weather_at … json⏎{"city": "Bled"}`
  { before: /(?<=to=)/y, after: /(?=[ \t]{0,9}[^\n{]{0,99}\s{0,9}(?:\{|<\|message\|>))/y, end: 'block' },
  // `<weather_at>Bled</weather_at>`
  {
    before: lookback(`${lineStart}<`),
    after: />\s{0,9}[^\s<][^<]{0,400}<\/[\w.-]{1,64}>[ \t]*(?=\r?\n|$)/y,
    isExact: true,
    end: 'match',
  },
  // `{"name": "weather_at"}`, `{"weather_at": ["Bled"]}`
  {
    before: lookback(`\\{\\s{0,9}["'](?:(?:${labels})["']\\s?:\\s?["'])?`),
    after: /["'](?::\s?(?:"[^"\n]{0,200}"|\[[^\]\n]{0,200}\]))?\s{0,9}\}/y,
    isExact: true,
    end: 'match',
  },
  // `(weather_at "Bled")`
  { before: /(?<=\()/y, after: /\s{1,9}["':]/y, isExact: true, end: 'line' },
  // `Action: weather_at[Bled]`, `#E1 = weather_at[Bled]`, `weather_at[]` on its own line
  {
    before: lookback(
      `${lineStart}(?:#E\\d{1,2} = |(?:[-*] )?${mark}(?:${labels})${mark}\\s?[:=]${mark}[ \\t]{0,9}${mark}|${prompt})`,
    ),
    after: /["'`*]{0,3}[ \t]{0,9}\[(?!\d{1,9}\])(?:[^\]\n]{1,300}\]?|\])/y,
    isExact: true,
    end: 'match',
  },
  // `weather_at[CALL_ID]a1[ARGS]…`, `weather_at:0<|tool_call_argument_begin|>…`
  {
    after:
      /(?::\d{1,6})?(?:\[CALL_ID\]\w{1,64})?\s{0,9}(?:\[ARGS\]|<[^<>\n{}]{0,32}(?:argument_begin\||tool[▁_ ]sep[|｜]?|arg_key)>)\s{0,99}["'\w\\[<]/y,
    end: 'line',
  },
  // `Tool: weather_at⏎Input: Bled`
  {
    before: lineLabel,
    after: new RegExp(
      `${mark}:?[ \\t]{0,9}(?:\\r?\\n){1,2}[ \\t]{0,16}(?:[-*] )?(?:[{[<]|✿ARGS✿:\\s{0,9}|BEGIN_|\`{3}|${mark}[A-Za-z_][\\w -]{0,63}${mark}\\s?[:=])`,
      'y',
    ),
    end: 'block',
  },
  // `$ weather_at Bled --days 2`
  {
    before: lookback(lineStart + prompt),
    after: new RegExp(
      `${mark}(?:(?=[^\\n]{0,400}${argument})(?:[ \\t]+\\S+){1,8}[ \\t]*(?=\\r?\\n|$)|[ \\t]+-|:(?=${argument})[ \\t]+\\S+[ \\t]*(?=\\r?\\n|$))`,
      'y',
    ),
    isExact: true,
    end: 'line',
  },
  // `weather_at</arg_value><arg_key>city</arg_key>…`: the beginning is missing.
  { before: /(?<!`)/y, after: /<\/arg_value>\s{0,9}<arg_key>/y, end: 'line' },
  // `<|tool_call_begin|>functions.weather_at!2<|tool_call_end|>`, `<tool_call>weather_at` at the end
  {
    before: lookback('(?<!`)<(?:[|｜]tool[_▁]call[_▁]begin[|｜]|tool_call)>\\s{0,9}(?:functions\\.)?'),
    after: /[^<\n]{0,40}<(?:[|｜]|\/arg_value)|\s{0,9}$/y,
    end: 'match',
  },
];
