/** A parameter that is sent as a header as well, so that what stands between can route by it without reading the body. */
export interface MirroredParameter {
  /** Names of members that lead to it. */
  readonly path: readonly string[];
  readonly header: string;
}

/** The parameters of a schema that are mirrored, or why it can't be used. */
export type MirroredParameters =
  | { readonly ok: true; readonly parameters: readonly MirroredParameter[] }
  | { readonly ok: false; readonly reason: string };

type JsonRecord = Readonly<Record<string, unknown>>;

const keyword = 'x-mcp-header';
/** A token of RFC 9110. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const primitive: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose members are names. */
const named: ReadonlySet<string> = new Set(['patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose values are no schemas. */
const data: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/**
 * Finds the parameters that a tool wants in headers, by `x-mcp-header` in its input schema: strings, integers and booleans at the
 * end of `properties` alone, each under a name of its own. The schema must be of bounded depth.
 */
export function findMirrored(inputSchema: unknown): MirroredParameters {
  const parameters: MirroredParameter[] = [];
  const names = new Set<string>();
  const visit = (schema: unknown, path: readonly string[] | undefined): string | undefined => {
    if (Array.isArray(schema)) return first(schema, (one) => visit(one, undefined));
    if (!isRecord(schema)) return undefined;
    if (Object.hasOwn(schema, keyword)) {
      const { [keyword]: header, type } = schema;
      if (path === undefined || path.length === 0) return `${keyword} stands where no parameter is`;
      const where = `${keyword} of ${path.join('.')}`;
      if (typeof header !== 'string' || !token.test(header)) return `${where} is no name of a header`;
      if (!primitive.has(type)) return `${where} is at what is no string, integer or boolean`;
      if (names.has(header.toLowerCase())) return `${where} is there twice`;
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

/** The headers of one call, where it has any: none for what is missing, `null`, or of another type than it should be. */
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

/**
 * Says where the headers of a call are other than its arguments; whoever stands between client and server has gone by them.
 */
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
    if (given === null)
      return `the header ${name} is missing, which the argument ${path.join('.')} has to be sent in as well`;
    const isSame = given === sent || decode(given) === decode(sent) || sameNumber(decode(given), decode(sent));
    return isSame ? undefined : `the header ${name} is not what the argument ${path.join('.')} is`;
  });
}

/** What a header stands for; nothing for one that is written wrongly. */
function decode(given: string): string | undefined {
  const coded = /^=\?base64\?(.*)\?=$/.exec(given)?.[1];
  if (coded === undefined) return given;
  const bytes = Buffer.from(coded, 'base64');
  // Node reads over what does not belong there, padding that is missing included.
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

/** Texts that no header can hold as they are, or that look like what stands for one. */
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
