import type { SchemaInput } from '@haft/schema';
import type { ToolTraits } from '../contracts/permission/traits.ts';
import type { ToolPreference } from '../contracts/tools/tool.ts';
import { isProviderPath } from '../names/provider-path.ts';
import { arrayOf, either, objectOf, recordOf } from '../options/compound-kinds.ts';
import { required, type OptionTable } from '../options/option-kind.ts';
import {
  aBoolean,
  aFunction,
  aNumber,
  anyValue,
  aString,
  custom,
  milliseconds,
  oneOf,
} from '../options/option-kinds.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * Permissions depend on traits. Without this check, a misspelled trait would be ignored and `'no'` would count as true.
 */
const traits: OptionTable<Partial<ToolTraits>> = {
  readOnly: aBoolean,
  destructive: aBoolean,
  idempotent: aBoolean,
  openWorld: aBoolean,
  pure: aBoolean,
  sideEffects: oneOf('none', 'read', 'write', 'external'),
  requires: arrayOf(aString, "an array of strings such as ['network']"),
};

/** The option kind of each member of a tool definition. */
export const definitionKinds: OptionTable<ToolDefinition<SchemaInput>> = {
  name: required(aString),
  naming: oneOf('authored', 'wire'),
  title: aString,
  description: required(either(aString, aFunction)),
  input: anyValue,
  output: anyValue,
  outputModes: aBoolean,
  kind: oneOf('read', 'edit', 'delete', 'move', 'other'),
  traits: objectOf<Partial<ToolTraits>>(traits, '{ readOnly: true }'),
  parallelizable: aBoolean,
  timeoutMs: milliseconds,
  errors: oneOf('message', 'redact'),
  supportedModels: arrayOf(aString, 'a list of names'),
  supportsInputStreaming: aBoolean,
  preference: objectOf<ToolPreference>(
    { enabled: aBoolean, weight: aNumber(), overrides: recordOf(anyValue, 'an object') },
    '{ weight: 1 }',
  ),
  aliases: recordOf(arrayOf(aString), "an object such as { path: ['file'] }"),
  type: oneOf('native', 'cli'),
  provider: custom('a path such as "builtin"', (value) => typeof value === 'string' && isProviderPath(value)),
  availabilityTtlMs: aNumber({ min: 0 }),
  available: aFunction,
  footprint: aFunction,
  check: aFunction,
  initialTitle: aFunction,
  onFailure: aFunction,
  onInput: aFunction,
  renderModel: aFunction,
  execute: required(aFunction),
};

/** Checks whether a name is the name of a trait. */
export function isTraitName(name: string): boolean {
  return Object.hasOwn(traits, name);
}
