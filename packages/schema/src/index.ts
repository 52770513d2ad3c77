export { coercionCodes, type Coercion, type CoercionCode } from './coerce/coercion.ts';
export { compileSchema, schemaFor } from './compile/compile-schema.ts';
export type { KeyAliases } from './keys/alias-tree.ts';
export type {
  CompiledSchema,
  CompileOptions,
  InferOutput,
  SchemaInput,
  ValidationFailure,
  ValidationResult,
  ValidationSuccess,
} from './compile/compiled-schema.ts';
export { createSubsetDialect } from './dialects/subset/create-subset-dialect.ts';
export { createTranslationDialect } from './dialects/translation/create-translation-dialect.ts';
export type { Dialect, DialectSchema, LostRule } from './dialects/definition/dialect.ts';
export { dialects, type DialectName } from './dialects/index.ts';
export type { SubsetRules } from './dialects/subset/facets/subset-rules.ts';
export type { TranslationRules } from './dialects/translation/translation-rules.ts';
export { describeIssues, type DescribeIssuesOptions, type IssueLocale } from './issues/describe-issues.ts';
export { findInexpressible, type InexpressiblePart } from './libraries/find-inexpressible.ts';
export { issueCodes, type Issue, type IssueCode } from './issue.ts';
export type { JsonSchema, JsonSchemaMap, JsonSchemaObject, JsonType } from './json-schema.ts';
export { SchemaError, schemaErrorCodes, type SchemaErrorCode } from './schema-error.ts';
export type {
  StandardIssue,
  StandardJsonSchemaOptions,
  StandardResult,
  StandardSchema,
} from './libraries/standard-schema.ts';
export { toDialect } from './dialects/to-dialect.ts';
export { validateArgs } from './compile/validate-args.ts';
