/** A parameter that is also sent as a header, so that proxies can route by it without reading the body. */
export interface MirroredParameter {
  /** Member names that lead to the parameter. */
  readonly path: readonly string[];
  readonly header: string;
}

/** The mirrored parameters of a schema, or the reason why the schema is invalid. */
export type MirroredParameters =
  | { readonly ok: true; readonly parameters: readonly MirroredParameter[] }
  | { readonly ok: false; readonly reason: string };

type JsonRecord = Readonly<Record<string, unknown>>;

const keyword = 'x-mcp-header';
/** A header name: the `token` of RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const primitive: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose members are names. */
const named: ReadonlySet<string> = new Set(['patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose values are data, not schemas. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/**
 * Finds the parameters that a tool wants in headers, by `x-mcp-header` in its input schema. Only strings, integers and
 * booleans that are reached through `properties` alone may have one, each with its own name. The caller has bounded the
 * schema's depth.
 */
export function findMirrored(inputSchema: unknown): MirroredParameters {
  const parameters: MirroredParameter[] = [];
  const names = new Set<string>();
  const visit = (schema: unknown, path: readonly string[] | undefined): string | undefined => {
    if (Array.isArray(schema)) return first(schema, (one) => visit(one, undefined));
    if (!isRecord(schema)) return undefined;
    if (Object.hasOwn(schema, keyword)) {
      const { [keyword]: header, type } = schema;
      if (path === undefined || path.length === 0) return `${keyword} is only allowed on a parameter`;
      const where = `${keyword} of ${path.join('.')}`;
      if (typeof header !== 'string' || !token.test(header)) return `${where} is not a valid header name`;
      if (!primitive.has(type)) return `${where} requires a string, an integer or a boolean`;
      if (names.has(header.toLowerCase())) return `${where} is used twice`;
      names.add(header.toLowerCase());
      parameters.push({ path, header });
    }
    return first(Object.entries(schema), ([name, below]) => {
      if (data.has(name)) return undefined;
      if (name === 'properties' && isRecord(below))
        return first(Object.entries(below), ([key, one]) => visit(one, path && [...path, key]));
      if (named.has(name) && isRecord(below)) return first(Object.values(below), (one) => visit(one, undefined));
      return visit(below, undefined);
    });
  };
  const reason = visit(inputSchema, []);
  return reason === undefined ? { ok: true, parameters } : { ok: false, reason };
}

/** Returns the headers of a call. Skips arguments that are missing, `null` or of another type. */
export function mirrorArguments(
  parameters: readonly MirroredParameter[],
  args: unknown,
): Readonly<Record<string, string>> | undefined {
  if (parameters.length === 0) return undefined;
  return Object.fromEntries(
    parameters.flatMap(({ path, header }) => {
      const value = path.reduce<unknown>(
        (node, key) => (isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined),
        args,
      );
      const isWritable = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
      return isWritable ? [[`Mcp-Param-${header}`, encode(String(value))] as const] : [];
    }),
  );
}

/** Describes the first header that differs from its argument. Proxies may already have routed by the header. */
export function findHeaderMismatch(
  parameters: readonly MirroredParameter[],
  args: unknown,
  headers: Headers,
): string | undefined {
  return first(parameters, ({ path, header }) => {
    const name = `Mcp-Param-${header}`;
    const sent = mirrorArguments([{ path, header }], args)?.[name];
    const given = headers.get(name);
    if (sent === undefined) return undefined;
    if (given === null) return `the header ${name} is missing; send the argument ${path.join('.')} in it as well`;
    const isSame = given === sent || decode(given) === decode(sent) || sameNumber(decode(given), decode(sent));
    return isSame ? undefined : `the header ${name} does not match the argument ${path.join('.')}`;
  });
}

/** Decodes a header value. Returns undefined if it is not valid base64. */
function decode(given: string): string | undefined {
  const coded = /^=\?base64\?(.*)\?=$/.exec(given)?.[1];
  if (coded === undefined) return given;
  const bytes = Buffer.from(coded, 'base64');
  // Node ignores invalid characters and missing padding, so compare the encoded bytes.
  return bytes.toString('base64') === coded ? bytes.toString('utf8') : undefined;
}

function sameNumber(given: string | undefined, sent: string | undefined): boolean {
  return (
    given !== undefined &&
    /^-?\d+(?:\.0+)?$/.test(given) &&
    /^-?\d+$/.test(sent ?? '') &&
    Number(given) === Number(sent)
  );
}

/** Encodes text that a header can't hold unchanged, or that looks encoded. */
function encode(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function first<Item>(items: readonly Item[], look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
