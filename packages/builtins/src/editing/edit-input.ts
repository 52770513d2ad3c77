import { z } from 'zod';

/** The fields of one replacement. */
interface EditFields {
  readonly old_text: z.ZodOptional<z.ZodString>;
  readonly new_text: z.ZodOptional<z.ZodString>;
  readonly replace_all: z.ZodOptional<z.ZodBoolean>;
  readonly start_anchor: z.ZodOptional<z.ZodString>;
  readonly end_anchor: z.ZodOptional<z.ZodString>;
  readonly mode: z.ZodOptional<z.ZodEnum<{ readonly [Mode in AnchorMode]: Mode }>>;
}

/** The arguments of one replacement: the old text or anchors, and the new text. */
export const editFields: EditFields = {
  old_text: z
    .string()
    .optional()
    .describe(
      'The text to replace, exactly as in the file, without line numbers, with enough lines around it to be unique.',
    ),
  new_text: z.string().optional().describe('The replacement; empty to delete the text. With anchors: whole lines.'),
  replace_all: z.boolean().optional().describe('Replace every occurrence instead of exactly one. Default false.'),
  start_anchor: z
    .string()
    .optional()
    .describe(
      'Instead of old_text: the anchor of the first line to change, such as "12:a1b2", from read with hash_len.',
    ),
  end_anchor: z.string().optional().describe('The anchor of the last line to change. Default: the same line.'),
  mode: z
    .enum(['replace', 'delete', 'insert_before', 'insert_after'])
    .optional()
    .describe('What to do at the anchors. Default replace.'),
};

/** Names that other tool sets use for these fields. */
export const editFieldAliases: Readonly<Record<string, readonly string[]>> = {
  old_text: ['oldText', 'old_string', 'oldString', 'old_str', 'search'],
  new_text: ['newText', 'new_string', 'newString', 'new_str', 'replace', 'replacement'],
  replace_all: ['replaceAll', 'allow_multiple'],
  start_anchor: ['startAnchor', 'anchor'],
  end_anchor: ['endAnchor'],
};

/** One replacement as a model wrote it. */
export interface EditRequest {
  readonly old_text?: string | undefined;
  readonly new_text?: string | undefined;
  readonly replace_all?: boolean | undefined;
  readonly start_anchor?: string | undefined;
  readonly end_anchor?: string | undefined;
  readonly mode?: AnchorMode | undefined;
}

/** How to change the line of an anchor. */
export type AnchorMode = 'replace' | 'delete' | 'insert_before' | 'insert_after';

/** A problem with the arguments that the schema cannot express. */
export interface EditIssue {
  readonly path: string;
  readonly code: 'required' | 'custom';
  readonly expected: string;
  readonly received: string;
  readonly message: string;
  readonly example?: string;
}

/** Checks a replacement before the file is read. `path` is the path of its argument: `$`, `$.edits[2]`. */
export function checkEdit(edit: EditRequest, path: string): readonly EditIssue[] {
  const { start_anchor: start, end_anchor: end, mode } = edit;
  if (start === undefined) {
    if (end !== undefined || mode !== undefined) return [missing(path, 'start_anchor', '"12:a1b2"')];
    const issues = edit.old_text === undefined ? [missing(path, 'old_text', '"a line of the file"')] : [];
    return edit.new_text === undefined ? [...issues, missing(path, 'new_text', '"what to put there"')] : issues;
  }
  if (edit.old_text !== undefined)
    return [superfluous(path, 'old_text', 'either old_text or start_anchor, not both', 'both')];
  if (edit.replace_all === true) return [superfluous(path, 'replace_all', 'no replace_all with anchors', 'true')];
  if (mode === 'delete')
    return (edit.new_text ?? '') === ''
      ? []
      : [superfluous(path, 'new_text', 'no new_text with mode "delete"', 'a text')];
  if (edit.new_text === undefined) return [missing(path, 'new_text', '"what to put there"')];
  const inserts = mode === 'insert_before' || mode === 'insert_after';
  return inserts && end !== undefined
    ? [superfluous(path, 'end_anchor', `no end_anchor with mode "${mode}"`, 'an anchor')]
    : [];
}

function missing(path: string, name: string, example: string): EditIssue {
  const message = `${path}.${name} is missing; give it, for example ${example}.`;
  return { path: `${path}.${name}`, code: 'required', expected: 'string', received: 'nothing', message, example };
}

function superfluous(path: string, name: string, expected: string, received: string): EditIssue {
  return {
    path: `${path}.${name}`,
    code: 'custom',
    expected,
    received,
    message: `${path}.${name}: expected ${expected}.`,
  };
}
