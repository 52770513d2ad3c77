export { checkPermissionAnswer } from './asking/check-permission-answer.ts';
export type { Grant } from './asking/grant.ts';
export type { GrantStore } from './asking/grant-store.ts';
export { oneAtATime } from './asking/one-at-a-time.ts';
export type { AllowingAnswer, AskUser, PermissionAnswer, PermissionQuestion } from './asking/permission-question.ts';
export { createPermissionEngine } from './engine/create-permission-engine.ts';
export {
  type DecisionRecord,
  type PermissionDefaults,
  type PermissionEngineOptions,
  type PermissionMode,
  type RuleEngine,
} from './options/permission-options.ts';
export { defaultProtectedGlobs, defaultWriteProtectedGlobs } from './paths/protected-paths.ts';
export { PermissionError, permissionErrorCodes, type PermissionErrorCode } from './permission-error.ts';
export type { LayeredRules, PermissionRule, RuleAction } from './rules/permission-rule.ts';
export {
  destructiveRules,
  findDestructive,
  type DestructiveFinding,
  type DestructiveRule,
  type Sign,
} from './shell/dangers/destructive-commands.ts';
export { parseShell, type ParsedShell } from './shell/expand/parse-evaluated-shell.ts';
export type {
  Parameter,
  Redirection,
  ShellCommand,
  ShellConstruct,
  ShellWord,
  WordPart,
} from './shell/syntax/shell-word.ts';
