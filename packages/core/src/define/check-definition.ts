import type { SchemaInput } from '@haft/schema';
import type { ToolDefinition } from './tool-definition.ts';
import { findContradiction } from './contradictions.ts';
import { definitionKinds, isTraitName } from './definition-kinds.ts';
import { HaftError } from '../haft-error.ts';
import { findNearestNames } from '../names/nearest-names.ts';

const kinds = Object.entries(definitionKinds);
const known = Object.keys(definitionKinds);

/**
 * Names that other frameworks use for members of a definition. Without this check, they would be silently treated as
 * custom state.
 */
const foreign: ReadonlyMap<string, string> = new Map([
  ['parameters', 'input'],
  ['inputSchema', 'input'],
  ['input_schema', 'input'],
  ['schema', 'input'],
  ['outputSchema', 'output'],
  ['output_schema', 'output'],
  ['renderTitle', 'initialTitle'],
  ['args', 'input'],
  ['annotations', 'traits'],
  ...['run', 'handler', 'func', 'fn', 'invoke', 'callback'].map((key): [string, string] => [key, 'execute']),
]);

/** Names with which other frameworks ask for permission. If ignored, the author would expect a question. */
const ofPermission: readonly string[] = ['requireApproval', 'requiresApproval', 'permission'];

/** JSON Schema types, as authors write them in place of schemas: `{ city: 'string' }`. */
const typeNames: readonly unknown[] = ['string', 'number', 'integer', 'boolean', 'array', 'object'];

/**
 * Rejects members with the names that other frameworks use.
 * @throws HaftError `INVALID_TOOL`.
 */
export function checkForeignMembers(definition: { readonly name: string }): void {
  for (const key of Object.keys(definition)) {
    const name = foreign.get(key);
    if (name !== undefined && !(name in definition)) refuse(definition.name, `${key} is not a member; use ${name}`);
    if (ofPermission.includes(key))
      refuse(
        definition.name,
        `${key} is not a member; pass permission to createDispatcher, which is asked about calls`,
      );
  }
}

function refuse(name: string, reason: string): never {
  throw new HaftError('INVALID_TOOL', `the tool ${name}: ${reason}`);
}

/**
 * Rejects definitions that would silently produce an unintended tool.
 * @throws HaftError `INVALID_TOOL`.
 */
export function checkDefinition(definition: ToolDefinition<SchemaInput>): void {
  const { name } = definition;
  for (const [member, { findFault }] of kinds) {
    const value: unknown = definition[member as keyof ToolDefinition];
    const fault = value === undefined ? undefined : findFault(value, member);
    if (fault !== undefined) refuse(name, `${fault.path} ${fault.problem}`);
  }
  const contradiction = findContradiction(definition);
  if (contradiction !== undefined) refuse(name, contradiction);
  if (definition.outputModes === true && typeof definition.renderModel !== 'function')
    refuse(name, 'outputModes needs renderModel, which creates the labeled output');
  const input: unknown = definition.input;
  if (input === undefined && 'input' in definition)
    refuse(name, 'input is undefined: omit it if the tool takes no arguments');
  if (isRawShape(input)) refuse(name, 'input is an object of schemas: wrap it, as in z.object({ … })');
  if (definition.naming !== 'wire' && isRawProperties(input))
    refuse(name, "input contains only properties: wrap them, as in { type: 'object', properties: { … } }");
  if (isTypeNames(input))
    refuse(
      name,
      "input contains names of types instead of schemas: write { type: 'object', properties: { city: { type: 'string' } } }",
    );
  for (const key of Object.keys(definition)) {
    // If ignored, the tool would get the opposite trait.
    if (isTraitName(key)) refuse(name, `${key} is a trait: write traits: { ${key}: … }`);
    // Only reports near misses, because a definition may have custom members.
    const nearest = known.includes(key) ? undefined : findNearestNames(key, known, 1)[0];
    if (nearest !== undefined && isSlip(key, nearest)) refuse(name, `${key} is not a member; did you mean ${nearest}?`);
  }
}

/** Checks for an unwrapped object of schemas, as other frameworks accept. */
function isRawShape(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || '~standard' in input) return false;
  const members = Object.values(input);
  return (
    members.length > 0 &&
    members.every((member) => typeof member === 'object' && member !== null && '~standard' in member)
  );
}

/** Keywords whose value is a schema. */
const ofSchemas = [
  'additionalProperties',
  'propertyNames',
  'unevaluatedProperties',
  'items',
  'not',
  'if',
  'then',
  'else',
];

/**
 * Checks for the properties of a JSON Schema without the enclosing schema. Such an object would accept every value and
 * pass nothing to the body.
 */
function isRawProperties(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || '~standard' in input) return false;
  const members = Object.entries(input);
  return (
    members.length > 0 &&
    members.every(([key, member]) => {
      const { type } = Object(member) as { readonly type?: unknown };
      return typeof member === 'object' && typeof type === 'string' && !ofSchemas.includes(key);
    })
  );
}

/** Checks for names of types in place of the properties of a JSON Schema, which would accept every value. */
function isTypeNames(input: unknown): boolean {
  if (typeof input !== 'object' || input === null || '~standard' in input || 'type' in input) return false;
  const members = Object.values(input);
  return members.length > 0 && members.every((member) => typeNames.includes(member));
}

/** Checks whether two names differ by one inserted, deleted or replaced character. */
function isSlip(key: string, name: string): boolean {
  return (
    Math.abs(key.length - name.length) <= 2 && key.slice(0, 2).toLowerCase() === name.slice(0, 2) && key.length > 3
  );
}
