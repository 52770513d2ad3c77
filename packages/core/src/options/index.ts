/**
 * The checker of options that all packages use: a table of kinds for each factory.
 *
 * @packageDocumentation
 */
export { checkOption, checkOptions, type FailWith } from './check-options.ts';
export { arrayOf, both, either, objectOf, recordOf } from './compound-kinds.ts';
export {
  loggerKind,
  middlewareKind,
  modelKind,
  permissionEngineKind,
  processRunnerKind,
  sessionKind,
  toolRegistryKind,
  toolSourceKind,
  workspaceKind,
  middlewareListKind,
  toolsKind,
} from './contract-kinds.ts';
export { hasMethods, isRecord } from './is-record.ts';
export { required, type OptionFault, type OptionKind, type OptionTable, type RequiredKind } from './option-kind.ts';
export {
  booleanKind,
  absolutePathKind,
  functionKind,
  abortSignalKind,
  instanceKind,
  integerKind,
  numberKind,
  anyKind,
  stringKind,
  urlKind,
  custom,
  described,
  millisecondsKind,
  nonEmptyStringKind,
  objectWith,
  oneOf,
  type NumberBounds,
} from './option-kinds.ts';
export { showValue } from './show-option-value.ts';
