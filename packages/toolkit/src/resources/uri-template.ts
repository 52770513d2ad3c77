import { ToolkitError } from '../toolkit-error.ts';

/**
 * A URI template (RFC 6570) with `{name}`, `{+path}`, `{#part}`, `{.ext}`, `{/segment}`, `{;a}`, `{?q,lang}` and
 * `{&more}`.
 */
export interface UriTemplate {
  readonly template: string;
  /** Names of the variables, in order. */
  readonly variables: readonly string[];
  /** Expands the template with values. Variables without a value are omitted. */
  expand(values: Readonly<Record<string, string | number | undefined>>): string;
  /**
   * Returns the variables of a matching URI, or undefined if it does not match. Runs in time linear in the length of
   * the URI.
   */
  match(uri: string): Readonly<Record<string, string>> | undefined;
}

interface Expression {
  readonly operator: string;
  readonly names: readonly string[];
}
type Part = string | Expression;

/** For each operator: the prefix, the separator, and whether it writes names and keeps reserved characters. */
const operators: Readonly<
  Record<string, { readonly first: string; readonly between: string; readonly named: boolean; readonly open: boolean }>
> = {
  '': { first: '', between: ',', named: false, open: false },
  '+': { first: '', between: ',', named: false, open: true },
  '#': { first: '#', between: ',', named: false, open: true },
  '.': { first: '.', between: '.', named: false, open: false },
  '/': { first: '/', between: '/', named: false, open: false },
  ';': { first: ';', between: ';', named: true, open: false },
  '?': { first: '?', between: '&', named: true, open: false },
  '&': { first: '&', between: '&', named: true, open: false },
};

const longest = 8_192;

/**
 * Parses a URI template. List values and the modifiers `*` and `:n` are not supported.
 *
 * @throws ToolkitError `BAD_PARAMETER` if the template is invalid, with the position.
 * @example
 * import { parseUriTemplate } from '@haft/toolkit';
 * parseUriTemplate('notes:/{day}').variables; // => ['day']
 * parseUriTemplate('notes:/{day}').expand({ day: 'monday' }); // => 'notes:/monday'
 */
export function parseUriTemplate(template: string): UriTemplate {
  const shown = typeof template === 'string' ? JSON.stringify(template.slice(0, 200)) : typeof template;
  const refuse = (why: string): never => {
    throw new ToolkitError('BAD_PARAMETER', `the URI template ${shown} ${why}`);
  };
  if (typeof template !== 'string' || template.length > longest)
    refuse(`must be a string of at most ${longest} characters`);
  const parts: Part[] = [];
  for (const piece of template.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (!piece.startsWith('{')) {
      if (/[{}]/.test(piece)) refuse('has an unmatched brace');
      parts.push(piece);
      continue;
    }
    const read = /^\{([+#./;?&]?)([A-Za-z_]\w*(?:,[A-Za-z_]\w*)*)\}$/.exec(piece);
    if (read === null) return refuse(`has the expression ${piece}; expected one such as {name}, {+path} or {?q,lang}`);
    parts.push({ operator: read[1] ?? '', names: (read[2] ?? '').split(',') });
  }
  if (!/^[A-Za-z][A-Za-z0-9+.-]*:/.test(typeof parts[0] === 'string' ? parts[0] : ''))
    refuse('must begin with a scheme, such as "file:///{+path}"');
  const variables = parts.flatMap((part) => (typeof part === 'string' ? [] : part.names));
  if (new Set(variables).size < variables.length) refuse('uses a variable twice');
  return {
    template,
    variables,
    expand: (values) => parts.map((part) => (typeof part === 'string' ? part : expand(part, values))).join(''),
    match: (uri) => (uri.length <= longest ? match(parts, uri) : undefined),
  };
}

function expand(
  { operator, names }: Expression,
  values: Readonly<Record<string, string | number | undefined>>,
): string {
  const { first, between, named, open } = operators[operator]!;
  const written = names.flatMap((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return [];
    const text = open ? encodeURI(String(value)) : encodeURIComponent(String(value)).replace(/[!'()*]/g, percent);
    return [named ? (text === '' && operator === ';' ? name : `${name}=${text}`) : text];
  });
  return written.length === 0 ? '' : first + written.join(between);
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Matches without backtracking: an expression ends at the first occurrence of the next literal. */
function match(parts: readonly Part[], uri: string): Readonly<Record<string, string>> | undefined {
  const found: Record<string, string> = Object.create(null) as Record<string, string>;
  let at = 0;
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') {
      if (!uri.startsWith(part, at)) return undefined;
      at += part.length;
      continue;
    }
    const end = endOf(parts, index, uri, at);
    if (end === undefined || !take(part, uri.slice(at, end), found)) return undefined;
    at = end;
  }
  return at === uri.length ? found : undefined;
}

/** Returns the end of an expression: the next literal, the prefix of the next expression, or the end of the URI. */
function endOf(parts: readonly Part[], index: number, uri: string, at: number): number | undefined {
  const next = parts[index + 1];
  if (next === undefined) return uri.length;
  if (typeof next === 'string') {
    const end = uri.indexOf(next, at);
    // The last literal matches at the end of the URI, even if a value contains it too.
    const isLast = index + 2 === parts.length;
    if (end < 0) return undefined;
    return isLast ? uri.lastIndexOf(next) : end;
  }
  const first = operators[next.operator]!.first;
  const end = first === '' ? -1 : uri.indexOf(first, at);
  return end < 0 ? uri.length : end;
}

function take({ operator, names }: Expression, given: string, found: Record<string, string>): boolean {
  const { first, between, named, open } = operators[operator]!;
  if (given === '') return operator !== '' && operator !== '+';
  if (!given.startsWith(first)) return false;
  const body = given.slice(first.length);
  if (!open && (operator === '' || operator === '.') && /[/?#]/.test(body)) return false;
  const pieces = names.length === 1 && !named ? [body] : body.split(between);
  if (!named && pieces.length > names.length) return false;
  for (const [index, piece] of pieces.entries()) {
    const [key, value] = named ? pair(piece) : [names[index]!, piece];
    const decoded = decode(value);
    if (!names.includes(key) || decoded === undefined) return false;
    found[key] = decoded;
  }
  return true;
}

function pair(piece: string): readonly [string, string] {
  const equals = piece.indexOf('=');
  return equals < 0 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
