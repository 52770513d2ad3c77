import { toolError, type ToolError } from '@haft/core';

/** Whether letter case is ignored, according to the two arguments for it. */
export type LetterCase =
  | { readonly ok: true; readonly ignoreCase: boolean }
  | { readonly ok: false; readonly error: ToolError };

/** Reads `ignore_case` and its opposite, `case_sensitive`. `INVALID_ARGS` if they contradict each other. */
export function readLetterCase(args: {
  readonly ignore_case?: boolean | undefined;
  readonly case_sensitive?: boolean | undefined;
}): LetterCase {
  const { ignore_case: ignoreCase, case_sensitive: caseSensitive } = args;
  if (ignoreCase === undefined || ignoreCase !== caseSensitive)
    return { ok: true, ignoreCase: ignoreCase ?? caseSensitive === false };
  const message = `ignore_case and case_sensitive are opposites, and both are ${String(ignoreCase)}`;
  const hint = 'Give only one of them, for example ignore_case: true.';
  return { ok: false, error: toolError('INVALID_ARGS', message, { hint }) };
}
