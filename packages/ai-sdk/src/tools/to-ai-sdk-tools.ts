import { jsonSchema, type ToolExecutionOptions, type ToolSet } from 'ai';
import type { JSONSchema7, JSONValue, LanguageModelV4ToolResultOutput } from '@ai-sdk/provider';
import {
  createDispatcher,
  isToolResult,
  renderForModel,
  type AnyTool,
  type BatchContext,
  type DispatcherOptions,
  type ToolRegistry,
  type ToolResult,
  type ToolSnapshot,
  type ToolSource,
} from '@haft/core';
import {
  functionKind,
  permissionEngineKind,
  arrayOf,
  stringKind,
  workspaceKind,
  checkOption,
  checkOptions,
  custom,
  isRecord,
  middlewareListKind,
  objectWith,
  oneOf,
  toolsKind,
  type OptionTable,
} from '@haft/core/options';
import { renderPart } from '@haft/core/results';
import { dialects, toDialect, type Dialect, type DialectName } from '@haft/schema';
import { toResultOutput } from '../messages/to-prompt.ts';
import { dialectKind } from '../options/dialect-kind.ts';
import { createCallGate } from './call-gate.ts';
import type { ConvertedTools, HaftToolSet } from './converted-tools.ts';
import { printWarning, warnOfHostFault } from './host-warning.ts';
import { readFiles } from './read-result-files.ts';

/** Options of {@link toAiSdkTools}. */
export interface ToAiSdkToolsOptions extends Pick<
  DispatcherOptions,
  'permission' | 'workspace' | 'errors' | 'locale' | 'observer' | 'middleware'
> {
  /**
   * The tools to convert. Default: the source's current snapshot. `await source.visibleTo(model)` excludes unavailable
   * tools.
   */
  readonly snapshot?: ToolSnapshot;
  /** The vendor's dialect of JSON Schema, such as `openai-strict`. Default: schemas are sent unchanged. */
  readonly dialect?: DialectName | Dialect;
  /**
   * Media types of result resources, such as `text/*`, that are sent to the model as files of up to 10 MiB. Default
   * `['application/pdf']`. Other resources are named in the text. Use `[]` for vendors that accept no files in results.
   */
  readonly fileTypes?: readonly string[];
  /**
   * Called with a message for the developer when a call fails because of the program: no permission engine, one that
   * fails, an error that a tool throws, a missing context. The model and the output get less. Default: prints it with
   * `console.warn`, unless there is an `observer`.
   */
  readonly onWarning?: (message: string, cause: unknown) => void;
  /** Context for every call: session, ids, mode, `onDenied`, time limit. */
  readonly context?: Omit<BatchContext, 'snapshot' | 'signal' | 'onResult'>;
}

const table: OptionTable<ToAiSdkToolsOptions> = {
  permission: permissionEngineKind,
  workspace: workspaceKind,
  errors: oneOf('message', 'redact'),
  locale: oneOf('en', 'zh'),
  observer: functionKind,
  middleware: middlewareListKind,
  snapshot: objectWith<ToolSnapshot>('a ToolSnapshot such as registry.snapshot() returns', 'get'),
  dialect: dialectKind,
  fileTypes: arrayOf(stringKind, 'a list of media types'),
  onWarning: functionKind,
  // Its members are checked in each call.
  context: custom('an object such as { sessionId }', isRecord),
};

/**
 * Converts the tools of a registry, a source or a list for `generateText`, `streamText` and agents of the AI SDK.
 *
 * Schemas are sent unchanged unless a `dialect` is given. Haft validates, authorizes, schedules and runs the calls.
 * Each call gets one result, and none throws. The output of a tool is the whole `ToolResult`; the model gets the same
 * text and media as in Haft's loop.
 *
 * `permission`, `workspace`, `errors`, `locale`, `observer` and `middleware` apply to registries and lists; a source has its own.
 */
export function toAiSdkTools<Tools extends ToolSet = ToolSet>(
  tools: ToolSource | ToolRegistry | ConvertedTools<Tools>,
  options: ToAiSdkToolsOptions = {},
): HaftToolSet<Tools> {
  checkOption('toAiSdkTools', 'its first argument', tools, toolsKind);
  checkOptions('toAiSdkTools', options, table, '{ permission: allowAll }');
  const { snapshot: given, context, dialect, fileTypes = ['application/pdf'], onWarning, ...dispatcher } = options;
  const warn = onWarning ?? (options.observer === undefined ? printWarning : undefined);
  const observer = options.observer ?? ignore; // `warn` reports faults, so the dispatcher need not
  const source = 'dispatchBatch' in tools ? tools : createDispatcher({ ...dispatcher, observer, registry: tools });
  const snapshot = given ?? source.snapshot();
  const gate = createCallGate(source, { ...context, snapshot });
  const isStrict = (typeof dialect === 'string' ? dialects[dialect] : dialect)?.isStrict === true;
  const toAiSdkTool = ({ name, title, description, input }: AnyTool): ToolSet[string] => {
    const lowered = dialect === undefined ? undefined : toDialect(input.jsonSchema, dialect);
    return {
      title,
      description,
      inputSchema: jsonSchema((lowered?.schema ?? input.jsonSchema) as unknown as JSONSchema7),
      ...(isStrict && { strict: true }),
      execute: async (answer: unknown, { toolCallId, abortSignal, ...given }: ToolExecutionOptions<unknown>) => {
        const args = lowered === undefined ? answer : lowered.raise(answer);
        const result = await gate.run({ id: toolCallId, name, arguments: args }, abortSignal, given);
        if (warn !== undefined) warnOfHostFault(result, warn);
        return withoutInternals(result);
      },
      toModelOutput: ({ output }: { output: unknown }) => toModelOutput(output, fileTypes),
    };
  };
  return Object.fromEntries(snapshot.tools.map((tool) => [tool.name, toAiSdkTool(tool)])) as HaftToolSet<Tools>;
}

function ignore(): void {}

/** Removes internal details of a failure. Outputs may be sent to user interfaces. */
function withoutInternals(result: ToolResult): ToolResult {
  if (result.ok) return result;
  const { code, fault, retryable, modelMessage, hint } = result.error;
  if (fault === 'host') {
    const message = modelMessage ?? `${result.name} failed with an internal error`;
    const forModel = modelMessage === undefined ? {} : { modelMessage, ...(hint === undefined ? {} : { hint }) };
    return { ...result, error: { code, fault, retryable, message, ...forModel } };
  }
  const { cause: _, ...error } = result.error;
  return { ...result, error };
}

/** Returns the output for the model: a single JSON value, or text followed by media and files. */
async function toModelOutput(output: unknown, types: readonly string[]): Promise<LanguageModelV4ToolResultOutput> {
  if (!isToolResult(output))
    return { type: 'text', value: typeof output === 'string' ? output : (JSON.stringify(output) ?? '') };
  const { ok, content, advisories } = output;
  const [only] = content;
  if (ok && only?.type === 'json' && content.length === 1 && advisories.length === 0) {
    const value = jsonOf(renderPart(only));
    if (value !== undefined) return { type: 'json', value };
  }
  const media = content.filter((part) => part.type === 'image' || part.type === 'audio');
  const text = { type: 'text', text: renderForModel(output) || '(no output)' } as const;
  const rendered = toResultOutput([text, ...media], !ok, true);
  const files = await readFiles(content, types);
  if (files.length === 0) return rendered;
  return { type: 'content', value: [...(rendered.type === 'content' ? rendered.value : [text]), ...files] };
}

/** Parses JSON. Returns undefined if it is invalid. */
function jsonOf(text: string): JSONValue | undefined {
  try {
    return JSON.parse(text) as JSONValue;
  } catch {
    return undefined;
  }
}
