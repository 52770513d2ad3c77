/** One place of a file that a patch changes, as lines without their breaks. */
export interface PatchHunk {
  /** Lines that stand above the place, outermost first: a class, then a function of it. */
  readonly headers: readonly string[];
  /** What is there: lines kept and lines removed. */
  readonly oldLines: readonly string[];
  /** What is to be there: lines kept and lines added. */
  readonly newLines: readonly string[];
  /** The place is the end of the file. */
  readonly isAtEnd: boolean;
  /** Number of its first line in the file as it is, counted from 1, where the patch says. */
  readonly oldStart?: number;
  /** Whether the file ends in a line break at this place, before and after; undefined where the patch does not say. */
  readonly finalBreak?: { readonly before: boolean; readonly after: boolean };
  /** Line of the patch that it begins in, counted from 1. */
  readonly patchLine: number;
}

/** A file to be made. */
export interface AddedFile {
  readonly kind: 'add';
  readonly path: string;
  readonly content: string;
}

/** A file to be removed; with hunks, one that holds just these lines. */
export interface DeletedFile {
  readonly kind: 'delete';
  readonly path: string;
  readonly hunks: readonly PatchHunk[];
}

/** A file to be changed, moved, or both. */
export interface UpdatedFile {
  readonly kind: 'update';
  readonly path: string;
  readonly moveTo?: string;
  readonly hunks: readonly PatchHunk[];
}

/** What a patch says of one file. */
export type FilePatch = AddedFile | DeletedFile | UpdatedFile;

/** A patch that was read, or the first thing in it that can't be. */
export type ParsedPatch =
  | { readonly ok: true; readonly files: readonly FilePatch[] }
  | {
      readonly ok: false;
      /** Line of the patch, counted from 1. */
      readonly line: number;
      readonly problem: string;
      readonly hint: string;
    };

/** Thrown inside a reader of patches, to leave it. */
export class PatchProblem extends Error {
  readonly line: number;
  readonly hint: string;

  constructor(line: number, problem: string, hint: string) {
    super(problem);
    this.line = line;
    this.hint = hint;
  }
}
