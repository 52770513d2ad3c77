export { checkOption, checkOptions, type FailWith } from './check-options.ts';
export { arrayOf, both, either, objectOf, recordOf } from './compound-kinds.ts';
export {
  aLogger,
  aMiddleware,
  aModel,
  aPermissionEngine,
  aProcessRunner,
  aSession,
  aToolRegistry,
  aToolSource,
  aWorkspace,
  middlewareList,
  someTools,
} from './contract-kinds.ts';
export { hasMethods, isRecord } from './is-record.ts';
export { required, type OptionFault, type OptionKind, type OptionTable, type RequiredKind } from './option-kind.ts';
export {
  aBoolean,
  absolutePath,
  aFunction,
  anAbortSignal,
  anInstanceOf,
  anInteger,
  aNumber,
  anyValue,
  aString,
  aUrl,
  custom,
  described,
  milliseconds,
  nonEmptyString,
  objectWith,
  oneOf,
  type NumberBounds,
} from './option-kinds.ts';
export { showValue } from './show-value.ts';
