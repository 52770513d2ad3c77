import { ready, repairJson, type Repair } from '@haft/repair/json';
import { compileSchema, type Coercion, type JsonSchema, type SchemaInput, type ValidationResult } from '@haft/schema';
import type { ToolError } from '../../contracts/results/error.ts';
import type { ArgumentReport } from '../../contracts/results/result.ts';
import type { ToolCall } from '../../contracts/calls/call.ts';
import type { AnyTool } from '../../contracts/tools/tool.ts';
import { toolError } from '../../results/tool-error.ts';
import type { CallRun } from '../call/call-run.ts';
import type { GivenCall } from '../call/read-call.ts';
import { endEarly, EarlyEnd, type Step } from '../call/early-end.ts';

/** Arguments decoded from text. */
export interface DecodedArguments {
  readonly ok: true;
  readonly value: unknown;
  readonly risk: ArgumentReport['risk'];
  /** False if the text ended before the closing bracket of the arguments. */
  readonly complete: boolean;
  readonly repairs: readonly Repair[];
}

const none: readonly never[] = Object.freeze([]);
const nothingWritten: DecodedArguments = {
  ok: true,
  value: Object.freeze({}),
  risk: 'none',
  complete: true,
  repairs: none,
};

/** Parses the arguments, rejects truncated ones, and stores the value on the run. */
export function decode(run: CallRun): Step {
  try {
    return decodeReady(run);
  } catch (cause) {
    // The repairer is loaded on first use and may still be loading.
    const waiting = ready();
    if (waiting === undefined) throw cause;
    return decodeLater(run, waiting);
  }
}

function decodeReady(run: CallRun): EarlyEnd | undefined {
  return take(run, parseArgs(run.tool!.input.jsonSchema, run.call));
}

async function decodeLater(run: CallRun, waiting: Promise<void>): Promise<EarlyEnd | undefined> {
  await waiting;
  return decodeReady(run);
}

function take(run: CallRun, decoded: ReturnType<typeof parseArgs>): EarlyEnd | undefined {
  const { call } = run;
  const tool = run.tool!;
  if (!decoded.ok) return new EarlyEnd(decoded.error);
  const { value, risk, repairs } = decoded;
  run.args = value;
  if (risk === 'none' && decoded.complete) return undefined;
  run.reading = { risk, repairs, coercions: none };
  if (!decoded.complete && !mayRunOpen(decoded, tool, call)) return truncated(tool);
  // The output was truncated and its interpretation is ambiguous. A value that looks complete may be part of a longer
  // string.
  if (risk === 'lossy' && call.stopped === 'length' && !tool.traits.readOnly) return truncated(tool);
  if (risk === 'lossy') {
    run.advise(
      'the arguments were not valid JSON and could be read in more than one way; check that this did what you meant',
    );
  }
  return undefined;
}

/** Arguments that fit a schema. */
export interface ValidArguments extends DecodedArguments {
  /** The changes that made the value fit. */
  readonly coercions: readonly Coercion[];
}

/**
 * Decodes and validates arguments outside of dispatch: like {@link parseArgs}, and then against the schema, with the
 * same coercions and defaults as in a call. The caller decides whether to use truncated arguments (`complete`). Fails
 * with `INVALID_JSON`, or with `INVALID_ARGS` and its issues.
 *
 * @throws SchemaError if the schema is invalid.
 * @example
 * import { decodeArgs } from '@haft/core';
 * const schema = { type: 'object', properties: { count: { type: 'integer' } }, required: ['count'] } as const;
 * const decoded = decodeArgs(schema, { arguments: '{count: "3"}' });
 * decoded.ok && decoded.value; // => { count: 3 }
 */
export function decodeArgs(
  schema: JsonSchema,
  call: Pick<ToolCall, 'arguments' | 'stopped' | 'reading'>,
): ValidArguments | { readonly ok: false; readonly error: ToolError } {
  const decoded = parseArgs(schema, call);
  if (!decoded.ok) return decoded;
  // Zod hides its own validator in the JSON Schemas that it makes. It also transforms values, so it is not copied.
  const plain = typeof schema === 'object' && '~standard' in schema ? { ...schema } : schema;
  // The validator of a JSON Schema is synchronous.
  const checked = compileSchema(plain as SchemaInput).validate(decoded.value) as ValidationResult;
  const { issues, coercions } = checked;
  if (!checked.ok) {
    return { ok: false, error: toolError('INVALID_ARGS', "the arguments don't fit the schema", { issues }) };
  }
  return { ...decoded, value: checked.value, coercions };
}

/**
 * Parses arguments without validating them. Repairs text, treats blank text as `{}` and returns other values unchanged.
 * The schema only resolves ambiguous repairs. The caller decides whether to use truncated arguments. Fails with
 * `INVALID_JSON`.
 *
 * @example
 * import { parseArgs } from '@haft/core';
 * const parsed = parseArgs({ type: 'object' }, { arguments: "{city: 'Bern',}" });
 * parsed.ok && parsed.value; // => { city: 'Bern' }
 */
export function parseArgs(
  schema: JsonSchema,
  call: Pick<ToolCall, 'arguments' | 'stopped' | 'reading'> | GivenCall,
): DecodedArguments | { readonly ok: false; readonly error: ToolError } {
  const { arguments: raw, stopped, reading } = call;
  if (raw === undefined || raw === null) return nothingWritten;
  if (typeof raw !== 'string') {
    return {
      ok: true,
      value: raw,
      risk: reading?.risk ?? 'none',
      complete: reading?.complete ?? true,
      repairs: reading?.repairs ?? none,
    };
  }
  const result = repairJson(
    raw,
    stopped === undefined ? { schema, root: 'object' } : { schema, root: 'object', stopped },
  );
  if (result.ok) return result;
  const { message, hint, position, code } = result;
  // The hint gives the position and the problem. The model reads both.
  const said = code === 'INVALID_JSON' ? 'the arguments are not readable as JSON' : message;
  return { ok: false, error: toolError('INVALID_JSON', said, { hint, details: { position, reason: code } }) };
}

/**
 * Checks whether unclosed arguments are safe to run: only closing brackets are missing, the model stopped by itself,
 * and the tool can do no harm.
 */
function mayRunOpen(decoded: DecodedArguments, tool: AnyTool, call: GivenCall): boolean {
  return decoded.risk !== 'truncated' && call.stopped === 'stop' && tool.traits.readOnly;
}

function truncated(tool: AnyTool): EarlyEnd {
  return endEarly('TRUNCATED_ARGS', `the arguments of ${tool.name} are cut off, so it did not run`, {
    hint: `Nothing was done. Send the complete call again; split a long one into several calls of ${tool.name}.`,
  });
}
