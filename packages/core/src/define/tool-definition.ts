import type { InferOutput, Issue, SchemaInput } from '@haft/schema';
import type { Footprint } from '../contracts/permission/footprint.ts';
import type { ToolFailure } from '../contracts/results/result.ts';
import type {
  Availability,
  StreamedInput,
  ToolContent,
  ToolContext,
  ToolPreference,
  ToolReturn,
} from '../contracts/tools/tool.ts';
import type { ToolKind, ToolTraits } from '../contracts/permission/traits.ts';
import type { NoInput } from './compile-input.ts';
import type { ToolDescription } from './describe-to.ts';

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
