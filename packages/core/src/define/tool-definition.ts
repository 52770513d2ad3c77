import type { InferOutput, Issue, SchemaInput, UndeclaredKeys } from '@haft/schema';
import type { Footprint } from '../contracts/permission/footprint.ts';
import type { ToolFailure } from '../contracts/results/result.ts';
import type {
  Availability,
  Recovery,
  StreamedInput,
  ThrownErrors,
  ToolContent,
  ToolContext,
  ToolPreference,
  ToolReturn,
} from '../contracts/tools/tool.ts';
import type { ToolKind, ToolTraits } from '../contracts/permission/traits.ts';
import type { NoInput } from './compile-input.ts';
import type { ToolDescription } from './tool-description.ts';

/** Options of {@link defineTool}. Only the name, description, input and body are required. */
export interface ToolDefinition<Input extends SchemaInput = NoInput, Output extends SchemaInput = SchemaInput> {
  /**
   * Lowercase letters, digits and underscores, at most 64 characters. Begins with a letter. Start the name with a verb.
   */
  readonly name: string;
  /**
   * `wire` for an external tool: its name was encoded (letters, digits, `_`, `-`), and its schema may have keywords that
   * resemble those of JSON Schema. Default: `authored`.
   */
  readonly naming?: 'authored' | 'wire';
  /** A title for people. Default: the name with spaces instead of underscores. */
  readonly title?: string;
  /**
   * One or two sentences for the model, or a function that returns them each time the tool is listed. The function
   * receives the model and the other listed tools. It is also called once without either to get the default
   * description.
   */
  readonly description: ToolDescription;
  /** Additional text that `search_tools` searches. Models do not see it. Default: none. */
  readonly searchText?: string;
  /**
   * A zod schema, any Standard Schema, or a JSON Schema with an object at its root. Default: the tool takes no
   * arguments.
   */
  readonly input?: Input;
  /**
   * How to handle arguments that the input schema neither declares nor mentions. `strip` (the default) removes them,
   * `keep` passes them on, and `refuse` reports them to the model. A schema that says so itself takes precedence
   * (`z.strictObject`, `z.looseObject`, `additionalProperties`).
   */
  readonly undeclaredKeys?: UndeclaredKeys;
  /** The schema of `structured` results. Every success with a `structured` value is validated against it. */
  readonly output?: Output;
  /**
   * Adds an argument `output`, with which the model chooses the format of the result: `labeled` (the default) is the
   * output of `renderModel`, `json` is the structured value. Requires `renderModel`.
   */
  readonly outputModes?: boolean;
  /**
   * What the tool does: `read`, `edit`, `delete`, `move` or `other` (the default), for permission rules. `read` makes the
   * tool read-only unless `traits` overrides it; tools of all other kinds need permission. A kind and
   * traits that contradict each other, such as `delete` and `readOnly: true`, are an error.
   */
  readonly kind?: ToolKind;
  readonly traits?: Partial<ToolTraits>;
  /**
   * Whether calls may overlap with other calls. `false`: every call runs alone, even if the tool has a footprint.
   * Default: true for read-only tools; calls of other tools run alone unless a footprint says which calls they conflict
   * with.
   */
  readonly parallelizable?: boolean;
  /** Timeout in milliseconds. Default: 120,000. */
  readonly timeoutMs?: number;
  /**
   * Whether the model sees the text of errors that the body throws. `redact` hides it, whatever the dispatcher says.
   * Default: the setting of the dispatcher. A thrown `toolError` or `validation` is always shown as it is.
   */
  readonly errors?: ThrownErrors;
  /** Globs that match `vendor/model`, the model or the vendor, such as `anthropic`. Default: every model. */
  readonly supportedModels?: readonly string[];
  /** Default: true if `onInput` is defined. */
  readonly supportsInputStreaming?: boolean;
  readonly preference?: ToolPreference;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  readonly type?: 'native' | 'cli';
  /** The default provider to register the tool under. Default: `local`. */
  readonly provider?: string;
  /**
   * How long a result of `available` is cached, in milliseconds. Default: the setting of the registry, which checks
   * again for each listing.
   */
  readonly availabilityTtlMs?: number;
  available?(): Availability | Promise<Availability>;
  footprint?(args: InferOutput<Input>, context: { readonly cwd: string }): Footprint;
  check?(args: InferOutput<Input>, context: ToolContext): readonly Issue[] | Promise<readonly Issue[]>;
  /**
   * Finds out whether an interrupted call had its effect, for programs that repeat calls after a crash. `key` is the
   * `idempotencyKey` of the call.
   */
  recover?(
    args: InferOutput<Input>,
    context: { readonly key: string; readonly signal: AbortSignal },
  ): Recovery | Promise<Recovery>;
  initialTitle?(args: InferOutput<Input>): string;
  onFailure?(result: ToolFailure, args: InferOutput<Input>): void;
  /**
   * Called while a model writes the arguments, for display only. The arguments are incomplete and not validated,
   * permission has not been checked, and the call may never follow. Do not cause side effects here.
   */
  onInput?(input: StreamedInput): void;
  /**
   * Renders the output for the model. Called if the body returns a plain value, or a result with `structured` and no
   * content. Prefer a header and one line per item over a raw dump, since programs can use `structured`. `output` is
   * the value that the body returned, and matches the output schema if there is one.
   */
  renderModel?(output: RenderedOutput<Output>, args: InferOutput<Input>): ToolContent;
  execute(args: InferOutput<Input>, context: ToolContext): ToolReturn;
}

/** The value passed to `renderModel`, typed by the output schema if there is one. */
export type RenderedOutput<Output> = SchemaInput extends Output ? unknown : InferOutput<Output>;
