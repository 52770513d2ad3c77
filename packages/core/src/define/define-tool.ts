import { compileSchema, type InferOutput, type SchemaInput } from '@haft/schema';
import type { AnyTool, Tool } from '../contracts/tools/tool.ts';
import type { ToolKind, ToolTraits } from '../contracts/permission/traits.ts';
import { checkDefinition, checkForeignMembers } from './check-definition.ts';
import { compileInput, type NoInput } from './compile-input.ts';
import { wordsOf } from './tool-description.ts';
import { HaftError } from '../haft-error.ts';
import { isWireName } from '../names/name-codec.ts';
import { isRecord } from '../options/is-record.ts';
import { showValue } from '../options/show-option-value.ts';
import type { RenderedOutput, ToolDefinition } from './tool-definition.ts';

const authoredName = /^[a-z][a-z0-9_]{0,63}$/;

/**
 * Creates a tool from its definition. The input schema determines the type of the body's arguments.
 *
 * @throws HaftError `INVALID_TOOL` if the name, the description or the schema is invalid, or if two members contradict
 * each other, such as `kind: 'delete'` and `traits: { readOnly: true }`.
 * @example
 * import { defineTool } from '@haft/core';
 * const add = defineTool({
 *   name: 'add',
 *   description: 'Adds two integers.',
 *   kind: 'read',
 *   input: { type: 'object', properties: { a: { type: 'integer' }, b: { type: 'integer' } }, required: ['a', 'b'] },
 *   execute: ({ a, b }) => String(a + b),
 * });
 * add.name; // => 'add'
 */
export function defineTool<const Input extends SchemaInput = NoInput, const Output extends SchemaInput = SchemaInput>(
  definition: ToolDefinition<Input, Output>,
): Tool<InferOutput<Input>> {
  if (!isRecord(definition)) {
    const remedy = typeof definition === 'function' ? '; pass it as execute' : '';
    throw new HaftError(
      'INVALID_TOOL',
      `defineTool takes one object with name, description, input and execute (got ${showValue(definition)}${remedy})`,
    );
  }
  const { name } = definition;
  if (typeof name !== 'string')
    throw new HaftError(
      'INVALID_TOOL',
      `name: a tool needs one (expected a name such as "read_file", got ${showValue(name)})`,
    );
  const isRight = definition.naming === 'wire' ? isWireName(name) : authoredName.test(name);
  if (!isRight) {
    const expected =
      definition.naming === 'wire'
        ? 'be 1 to 64 letters, digits, _ and -'
        : `match ${authoredName.source}, such as "${suggestName(name)}"`;
    throw new HaftError('INVALID_TOOL', `the tool name ${JSON.stringify(name)} must ${expected}`);
  }
  checkForeignMembers(definition);
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
    ...(definition.searchText === undefined ? {} : { searchText: definition.searchText }),
    input: compileInput(definition),
    output: definition.output === undefined ? undefined : compileSchema(definition.output),
    kind: definition.kind ?? (traits.readOnly ? 'read' : 'other'),
    traits,
    parallelizable: definition.parallelizable ?? traits.readOnly,
    ...(definition.parallelizable === false ? { runsAlone: true } : {}),
    timeoutMs: definition.timeoutMs ?? 120_000,
    supportedModels: definition.supportedModels,
    supportsInputStreaming: definition.supportsInputStreaming ?? definition.onInput !== undefined,
    preference: definition.preference ?? {},
    aliases: definition.aliases ?? {},
    type: definition.type ?? 'native',
    ...(definition.errors === undefined ? {} : { errors: definition.errors }),
    ...(definition.availabilityTtlMs === undefined ? {} : { availabilityTtlMs: definition.availabilityTtlMs }),
    ...(definition.outputModes === true ? { outputModes: true } : {}),
    ...(definition.provider === undefined ? {} : { provider: definition.provider }),
    ...bindOptional(definition),
    execute: definition.execute.bind(definition),
  };
}

/** Erases the argument type of a tool, so that tools with different types fit in one list. Returns the same object. */
export function eraseTool<Arguments>(tool: Tool<Arguments>): AnyTool {
  return tool;
}

/**
 * Returns the kind of a tool. Default: `other`.
 *
 * @example
 * import { kindOf } from '@haft/core/define';
 * kindOf({}); // => 'other'
 */
export function kindOf(tool: { readonly kind?: ToolKind }): ToolKind {
  return tool.kind ?? 'other';
}

/** Returns a valid name that is similar to the invalid one. */
function suggestName(name: string): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
  const suggested = words
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[_0-9]+|_+$/g, '')
    .slice(0, 64);
  return authoredName.test(suggested) ? suggested : 'read_file';
}

/** Fills in undeclared traits: from the kind where it implies them, otherwise with the most restrictive value. */
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
    ...(declared.needsApproval === true ? { needsApproval: true } : {}),
  };
}

type OptionalMethod =
  | 'describe'
  | 'available'
  | 'footprint'
  | 'check'
  | 'recover'
  | 'initialTitle'
  | 'onFailure'
  | 'onInput'
  | 'renderModel';

/** Copies the optional methods that exist, bound to the original definition. */
function bindOptional<Input extends SchemaInput, Output extends SchemaInput>(
  definition: ToolDefinition<Input, Output>,
): Pick<Tool<InferOutput<Input>>, OptionalMethod> {
  const methods: Pick<Tool<InferOutput<Input>>, OptionalMethod> = {};
  const { description } = definition;
  if (typeof description === 'function') methods.describe = (context) => description(context);
  if (definition.available) methods.available = () => definition.available!();
  if (definition.footprint) methods.footprint = (args, context) => definition.footprint!(args, context);
  if (definition.check) methods.check = (args, context) => definition.check!(args, context);
  if (definition.recover) methods.recover = (args, context) => definition.recover!(args, context);
  if (definition.initialTitle) methods.initialTitle = (args) => definition.initialTitle!(args);
  if (definition.onFailure) methods.onFailure = (result, args) => definition.onFailure!(result, args);
  if (definition.onInput) methods.onInput = (input) => definition.onInput!(input);
  if (definition.renderModel)
    methods.renderModel = (output, args) => definition.renderModel!(output as RenderedOutput<Output>, args);
  return methods;
}
