import type { SchemaInput } from '@haft/schema';
import type { ToolTraits } from '../contracts/permission/traits.ts';
import type { ToolPreference } from '../contracts/tools/tool.ts';
import { isProviderPath } from '../names/provider-path.ts';
import { arrayOf, either, objectOf, recordOf } from '../options/compound-kinds.ts';
import { required, type OptionTable } from '../options/option-kind.ts';
import {
  booleanKind,
  functionKind,
  numberKind,
  anyKind,
  stringKind,
  custom,
  millisecondsKind,
  oneOf,
} from '../options/option-kinds.ts';
import type { ToolDefinition } from './tool-definition.ts';

/**
 * Permissions depend on traits. Without this check, a misspelled trait would be ignored and `'no'` would count as true.
 */
const traits: OptionTable<Partial<ToolTraits>> = {
  readOnly: booleanKind,
  destructive: booleanKind,
  idempotent: custom("true, false or 'by-key'", (value) => typeof value === 'boolean' || value === 'by-key'),
  openWorld: booleanKind,
  pure: booleanKind,
  sideEffects: oneOf('none', 'read', 'write', 'external'),
  requires: arrayOf(stringKind, "an array of strings such as ['network']"),
  needsApproval: booleanKind,
};

/** The option kind of each member of a tool definition. */
export const definitionKinds: OptionTable<ToolDefinition<SchemaInput>> = {
  name: required(stringKind),
  naming: oneOf('authored', 'wire'),
  title: stringKind,
  description: required(either(stringKind, functionKind)),
  searchText: stringKind,
  input: anyKind,
  undeclaredKeys: oneOf('strip', 'keep', 'refuse'),
  output: anyKind,
  outputModes: booleanKind,
  kind: oneOf('read', 'edit', 'delete', 'move', 'other'),
  traits: objectOf<Partial<ToolTraits>>(traits, '{ readOnly: true }'),
  parallelizable: booleanKind,
  timeoutMs: millisecondsKind,
  errors: oneOf('message', 'redact'),
  supportedModels: arrayOf(stringKind, 'a list of names'),
  supportsInputStreaming: booleanKind,
  preference: objectOf<ToolPreference>(
    { enabled: booleanKind, weight: numberKind(), overrides: recordOf(anyKind, 'an object') },
    '{ weight: 1 }',
  ),
  aliases: recordOf(arrayOf(stringKind), "an object such as { path: ['file'] }"),
  type: oneOf('native', 'cli'),
  provider: custom('a path such as "builtin"', (value) => typeof value === 'string' && isProviderPath(value)),
  availabilityTtlMs: numberKind({ min: 0 }),
  available: functionKind,
  footprint: functionKind,
  check: functionKind,
  recover: functionKind,
  initialTitle: functionKind,
  onFailure: functionKind,
  onInput: functionKind,
  renderModel: functionKind,
  execute: required(functionKind),
};

/** Checks whether a name is the name of a trait. */
export function isTraitName(name: string): boolean {
  return Object.hasOwn(traits, name);
}
