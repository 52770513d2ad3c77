import { compileSchema, type InferOutput, type Issue, type SchemaInput } from '@haft/schema';
import type { ToolContext } from './contracts/context.ts';
import type { Footprint } from './contracts/footprint.ts';
import type { ToolFailure } from './contracts/result.ts';
import type {
  AnyTool,
  Availability,
  Tool,
  StreamedInput,
  ToolContent,
  ToolPreference,
  ToolReturn,
} from './contracts/tool.ts';
import type { ToolKind, ToolTraits } from './contracts/traits.ts';
import { checkDefinition } from './check-definition.ts';
import { compileInput, type NoInput } from './compile-input.ts';
import { wordsOf, type ToolDescription } from './describe-to.ts';
import { HaftError } from './haft-error.ts';
import { isWireName } from './registry/name-codec.ts';

/** What {@link defineTool} takes. Only name, description, input and body are needed. */
export interface ToolDefinition<Input extends SchemaInput = NoInput, Output extends SchemaInput = SchemaInput> {
  /** Lower case letters, digits and underscores, beginning with a letter, verb first; at most 64 characters. */
  readonly name: string;
  /** `wire` for a name that was encoded from elsewhere (letters, digits, `_`, `-`). Default `authored`. */
  readonly naming?: 'authored' | 'wire';
  /** For people; default: the name with spaces. */
  readonly title?: string;
  /**
   * One or two sentences for the model; or a function that finds them at each listing, for the model that is to read them
   * and beside the tools that are there. It is asked once without either, for those whom nobody in particular is shown.
   */
  readonly description: ToolDescription;
  /** A zod schema, any Standard Schema, or a JSON Schema whose root is an object; default: the tool takes nothing. */
  readonly input?: Input;
  /** What `structured` results look like; checked on every success that has one. */
  readonly output?: Output;
  /**
   * Gives the model an argument `output`, by which it chooses how to read the answer: `labeled`, what `renderModel` makes of
   * it, is the default, `json` is the structured answer itself. Needs `renderModel`.
   */
  readonly outputModes?: boolean;
  /** Default `other`; `read` makes the tool read-only unless `traits` says otherwise. */
  readonly kind?: ToolKind;
  readonly traits?: Partial<ToolTraits>;
  /** Default: true for read-only tools. */
  readonly parallelizable?: boolean;
  /** Default 120,000. */
  readonly timeoutMs?: number;
  readonly supportedModels?: readonly string[];
  /** Default: whether there is `onInput`. */
  readonly supportsInputStreaming?: boolean;
  readonly preference?: ToolPreference;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly type?: 'native' | 'cli';
  /** The provider it is registered under when none is named; default `local`. */
  readonly provider?: string;
  /** Milliseconds that an answer of `available` holds; default: what the registry says, which asks anew at each listing. */
  readonly availabilityTtlMs?: number;
  available?(): Availability | Promise<Availability>;
  footprint?(args: InferOutput<Input>, context: { readonly cwd: string }): Footprint;
  check?(args: InferOutput<Input>, context: ToolContext): readonly Issue[] | Promise<readonly Issue[]>;
  initialTitle?(args: InferOutput<Input>): string;
  onFailure?(result: ToolFailure, args: InferOutput<Input>): void;
  /**
   * Hears the arguments grow while a model writes them, for showing them as they come. They are neither whole nor validated,
   * nobody was asked, and the call may never come: do nothing on account of them.
   */
  onInput?(input: StreamedInput): void;
  /**
   * Puts an answer into words for the model, where the body gave back a plain value or a result with `structured` and no
   * content. One line an item with a header reads better than a dump; programs have `structured`. It is the output as
   * it was returned, and fits the output schema where there is one.
   */
  renderModel?(output: RenderedOutput<Output>, args: InferOutput<Input>): ToolContent;
  execute(args: InferOutput<Input>, context: ToolContext): ToolReturn;
}

/** What `renderModel` is given: typed by the output schema, where there is one. */
export type RenderedOutput<Output> = SchemaInput extends Output ? unknown : InferOutput<Output>;

const authoredName = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Makes a tool of its description and its body; the body's arguments are typed by the input schema.
 *
 * @throws HaftError `INVALID_TOOL` when the name, the description or the schema can't be used.
 */
export function defineTool<const Input extends SchemaInput = NoInput, const Output extends SchemaInput = SchemaInput>(
  definition: ToolDefinition<Input, Output>,
): Tool<InferOutput<Input>> {
  const { name } = definition;
  const isRight =
    typeof name === 'string' && (definition.naming === 'wire' ? isWireName(name) : authoredName.test(name));
  if (!isRight) {
    const expected =
      definition.naming === 'wire'
        ? 'be 1 to 64 letters, digits, _ and -'
        : `match ${authoredName.source}, such as "${suggestName(name)}"`;
    throw new HaftError('INVALID_TOOL', `the tool name ${JSON.stringify(name)} must ${expected}`);
  }
  const description = wordsOf(name, definition.description);
  if (typeof definition.execute !== 'function') {
    throw new HaftError('INVALID_TOOL', `the tool ${name} needs an execute function`);
  }
  checkDefinition(definition);
  const kind = definition.kind ?? 'other';
  const traits = deriveTraits(kind, definition.traits);
  return {
    name,
    title: definition.title ?? name.replaceAll('_', ' '),
    description,
    input: compileInput(definition),
    output: definition.output === undefined ? undefined : compileSchema(definition.output),
    kind: definition.kind ?? (traits.readOnly ? 'read' : 'other'),
    traits,
    parallelizable: definition.parallelizable ?? traits.readOnly,
    timeoutMs: definition.timeoutMs ?? 120_000,
    supportedModels: definition.supportedModels,
    supportsInputStreaming: definition.supportsInputStreaming ?? definition.onInput !== undefined,
    preference: definition.preference ?? {},
    aliases: definition.aliases ?? {},
    type: definition.type ?? 'native',
    ...(definition.availabilityTtlMs === undefined ? {} : { availabilityTtlMs: definition.availabilityTtlMs }),
    ...(definition.outputModes === true ? { outputModes: true } : {}),
    ...(definition.provider === undefined ? {} : { provider: definition.provider }),
    ...bindOptional(definition),
    execute: definition.execute.bind(definition),
  };
}

/** Forgets a tool's argument type, so that differently typed tools share one list. The value is the same object. */
export function eraseTool<Arguments>(tool: Tool<Arguments>): AnyTool {
  return tool;
}

/** What kind of work a tool does; `other` when it says nothing. */
export function kindOf(tool: { readonly kind?: ToolKind }): ToolKind {
  return tool.kind ?? 'other';
}

/** A name like the one that can't be used. */
function suggestName(name: unknown): string {
  const words = String(name)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase();
  const suggested = words
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 64);
  return authoredName.test(suggested) ? suggested : 'read_file';
}

/** Fills in what was not declared: from the kind what it implies, and the worst for the rest. */
function deriveTraits(kind: ToolKind, declared: Partial<ToolTraits> = {}): ToolTraits {
  const sideEffects = declared.sideEffects ?? (declared.pure === true ? 'none' : undefined);
  const readOnly =
    declared.readOnly ??
    (sideEffects === undefined ? kind === 'read' : sideEffects === 'none' || sideEffects === 'read');
  const { requires = [] } = declared;
  return {
    readOnly,
    destructive: declared.destructive ?? (readOnly ? false : undefined),
    idempotent: declared.idempotent ?? readOnly,
    openWorld: declared.openWorld ?? (declared.sideEffects === 'external' || requires.includes('network') || undefined),
    pure: declared.pure ?? false,
    sideEffects: sideEffects ?? (readOnly ? 'read' : kind === 'other' ? 'external' : 'write'),
    requires,
  };
}

type OptionalMethod =
  | 'describe'
  | 'available'
  | 'footprint'
  | 'check'
  | 'initialTitle'
  | 'onFailure'
  | 'onInput'
  | 'renderModel';

/** Carries over the optional methods that are there, still called on the definition they were written in. */
function bindOptional<Input extends SchemaInput, Output extends SchemaInput>(
  definition: ToolDefinition<Input, Output>,
): Pick<Tool<InferOutput<Input>>, OptionalMethod> {
  const methods: Pick<Tool<InferOutput<Input>>, OptionalMethod> = {};
  const { description } = definition;
  if (typeof description === 'function') methods.describe = (context) => description(context);
  if (definition.available) methods.available = () => definition.available!();
  if (definition.footprint) methods.footprint = (args, context) => definition.footprint!(args, context);
  if (definition.check) methods.check = (args, context) => definition.check!(args, context);
  if (definition.initialTitle) methods.initialTitle = (args) => definition.initialTitle!(args);
  if (definition.onFailure) methods.onFailure = (result, args) => definition.onFailure!(result, args);
  if (definition.onInput) methods.onInput = (input) => definition.onInput!(input);
  if (definition.renderModel)
    methods.renderModel = (output, args) => definition.renderModel!(output as RenderedOutput<Output>, args);
  return methods;
}
