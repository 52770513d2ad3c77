import { isRecord } from '@haft/core/options';

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

const keyword = 'x-mcp-header';
/** A header name: the `token` of RFC 9110. */
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,128}$/;
const allowedTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);
/** Keywords whose members are names. */
const nameKeywords: ReadonlySet<string> = new Set(['patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose values are data, not schemas. */
const dataKeywords: ReadonlySet<string> = new Set(['const', 'enum', 'default', 'examples', 'example']);

/**
 * Finds the parameters to send as headers, which have `x-mcp-header` in the tool's input schema. Only strings, integers
 * and booleans that are reached through `properties` alone may have one, each with its own name. The caller has bounded
 * the schema's depth.
 */
export function findMirrored(inputSchema: unknown): MirroredParameters {
  const parameters: MirroredParameter[] = [];
  const names = new Set<string>();
  const visit = (schema: unknown, path: readonly string[] | undefined): string | undefined => {
    if (Array.isArray(schema)) return findFirst(schema, (property) => visit(property, undefined));
    if (!isRecord(schema)) return undefined;
    if (Object.hasOwn(schema, keyword)) {
      const { [keyword]: header, type } = schema;
      if (path === undefined || path.length === 0) return `${keyword} is only allowed on a parameter`;
      const where = `${keyword} of ${path.join('.')}`;
      if (typeof header !== 'string' || !headerName.test(header)) return `${where} is not a valid header name`;
      if (!allowedTypes.has(type)) return `${where} requires a string, an integer or a boolean`;
      if (names.has(header.toLowerCase())) return `${where} is used twice`;
      names.add(header.toLowerCase());
      parameters.push({ path, header });
    }
    return findFirst(Object.entries(schema), ([name, member]) => {
      if (dataKeywords.has(name)) return undefined;
      if (name === 'properties' && isRecord(member))
        return findFirst(Object.entries(member), ([key, property]) => visit(property, path && [...path, key]));
      if (nameKeywords.has(name) && isRecord(member))
        return findFirst(Object.values(member), (property) => visit(property, undefined));
      return visit(member, undefined);
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
  return findFirst(parameters, ({ path, header }) => {
    const name = `Mcp-Param-${header}`;
    const expected = mirrorArguments([{ path, header }], args)?.[name];
    const received = headers.get(name);
    if (expected === undefined) return undefined;
    if (received === null) return `the header ${name} is missing; send the argument ${path.join('.')} in it as well`;
    const isSame =
      received === expected || decode(received) === decode(expected) || sameNumber(decode(received), decode(expected));
    return isSame ? undefined : `the header ${name} does not match the argument ${path.join('.')}`;
  });
}

/** Decodes a header value. Returns undefined if it is not valid base64. */
function decode(received: string): string | undefined {
  const coded = /^=\?base64\?(.*)\?=$/.exec(received)?.[1];
  if (coded === undefined) return received;
  const bytes = Buffer.from(coded, 'base64');
  // Node ignores invalid characters and missing padding, so compare the encoded bytes.
  return bytes.toString('base64') === coded ? bytes.toString('utf8') : undefined;
}

function sameNumber(received: string | undefined, expected: string | undefined): boolean {
  return (
    received !== undefined &&
    /^-?\d+(?:\.0+)?$/.test(received) &&
    /^-?\d+$/.test(expected ?? '') &&
    Number(received) === Number(expected)
  );
}

/** Encodes text that a header can't hold unchanged, or that looks encoded. */
function encode(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\t\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`;
}

function findFirst<Item>(items: readonly Item[], look: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = look(item);
    if (found !== undefined) return found;
  }
  return undefined;
}
