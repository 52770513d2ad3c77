export { coercionCodes, type Coercion, type CoercionCode } from './coercion.ts';
export { compileSchema, schemaFor } from './compile-schema.ts';
export type { KeyAliases } from './alias-tree.ts';
export type {
  CompiledSchema,
  CompileOptions,
  InferOutput,
  SchemaInput,
  ValidationFailure,
  ValidationResult,
  ValidationSuccess,
} from './compiled-schema.ts';
export { createSubsetDialect } from './dialects/create-subset-dialect.ts';
export { createTranslationDialect } from './dialects/create-translation-dialect.ts';
export type { Dialect, DialectSchema, LostRule } from './dialects/dialect.ts';
export { dialects, type DialectName } from './dialects/index.ts';
export type { SubsetRules } from './dialects/subset/subset-rules.ts';
export type { TranslationRules } from './dialects/translation/translation-rules.ts';
export { describeIssues, type DescribeIssuesOptions, type IssueLocale } from './describe-issues.ts';
export { issueCodes, type Issue, type IssueCode } from './issue.ts';
export type { JsonSchema, JsonSchemaMap, JsonSchemaObject, JsonType } from './json-schema.ts';
export { SchemaError, schemaErrorCodes, type SchemaErrorCode } from './schema-error.ts';
export type { StandardIssue, StandardJsonSchemaOptions, StandardResult, StandardSchema } from './standard-schema.ts';
export { toDialect } from './to-dialect.ts';
export { validateArgs } from './validate-args.ts';
