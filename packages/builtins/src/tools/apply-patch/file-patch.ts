/** A hunk of a patch. Lines are stored without line breaks. */
export interface PatchHunk {
  /** Lines above the hunk, outermost first, such as a class and then a function in it. */
  readonly headers: readonly string[];
  /** The old lines: unchanged and removed lines. */
  readonly oldLines: readonly string[];
  /** The new lines: unchanged and added lines. */
  readonly newLines: readonly string[];
  /** Whether the hunk is at the end of the file. */
  readonly isAtEnd: boolean;
  /** The number of the first line in the current file, starting at 1, if the patch contains it. */
  readonly oldStart?: number;
  /** Whether the file ends with a line break before and after the patch. Undefined if the patch does not say. */
  readonly finalBreak?: { readonly before: boolean; readonly after: boolean };
  /** The line of the patch at which the hunk begins, starting at 1. */
  readonly patchLine: number;
}

/** A file to create. */
export interface AddedFile {
  readonly kind: 'add';
  readonly path: string;
  readonly content: string;
}

/** A file to remove. If hunks are present, the file must contain exactly these lines. */
export interface DeletedFile {
  readonly kind: 'delete';
  readonly path: string;
  readonly hunks: readonly PatchHunk[];
}

/** A file to change, move, or both. */
export interface UpdatedFile {
  readonly kind: 'update';
  readonly path: string;
  readonly moveTo?: string;
  readonly hunks: readonly PatchHunk[];
}

/** The changes to one file. */
export type FilePatch = AddedFile | DeletedFile | UpdatedFile;

/** A parsed patch, or its first syntax error. */
export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | {
      readonly ok: false;
      /** Line of the patch, starting at 1. */
      readonly line: number;
      readonly problem: string;
      readonly hint: string;
    };

/** Thrown in a patch parser to stop parsing. */
export class PatchProblem extends Error {
  readonly line: number;
  readonly hint: string;

  constructor(line: number, problem: string, hint: string) {
    super(problem);
    this.line = line;
    this.hint = hint;
  }
}
