/** One range of a file that a patch changes, as lines without their breaks. */
export interface PatchHunk {
  /** Lines above the range, outermost first: a class, then a function in it. */
  readonly headers: readonly string[];
  /** The lines before: unchanged and removed ones. */
  readonly oldLines: readonly string[];
  /** The lines after: unchanged and added ones. */
  readonly newLines: readonly string[];
  /** The range is at the end of the file. */
  readonly isAtEnd: boolean;
  /** The number of its first line in the current file, from 1, if the patch names it. */
  readonly oldStart?: number;
  /** Whether the file ends in a line break here, before and after; undefined if the patch does not say. */
  readonly finalBreak?: { readonly before: boolean; readonly after: boolean };
  /** The line of the patch where it begins, from 1. */
  readonly patchLine: number;
}

/** A file to create. */
export interface AddedFile {
  readonly kind: 'add';
  readonly path: string;
  readonly content: string;
}

/** A file to remove; with hunks, only if it holds exactly these lines. */
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

/** The changes a patch makes to one file. */
export type FilePatch = AddedFile | DeletedFile | UpdatedFile;

/** A parsed patch, or its first syntax error. */
export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | {
      readonly ok: false;
      /** Line of the patch, counted from 1. */
      readonly line: number;
      readonly problem: string;
      readonly hint: string;
    };

/** Thrown inside a patch parser to stop it. */
export class PatchProblem extends Error {
  readonly line: number;
  readonly hint: string;

  constructor(line: number, problem: string, hint: string) {
    super(problem);
    this.line = line;
    this.hint = hint;
  }
}
