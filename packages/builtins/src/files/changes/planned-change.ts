import type { TextFormat } from '@haft/sandbox';
import type { FilePlace } from '../file-errors.ts';
import type { TextFile } from '../text-file.ts';

/** A file to create. No file may exist at the path. */
export interface NewFile {
  readonly kind: 'create';
  readonly place: FilePlace;
  readonly format: TextFormat;
  readonly after: string;
}

/** A file to change and, optionally, to move. */
export interface ChangedFile {
  readonly kind: 'modify';
  readonly place: FilePlace;
  /** The content when the change was planned. The file must still have this content. */
  readonly file: TextFile;
  readonly after: string;
  /** The new path. No file may exist there. */
  readonly to?: FilePlace;
}

/** A file to remove. */
export interface RemovedFile {
  readonly kind: 'delete';
  readonly place: FilePlace;
  readonly file: TextFile;
}

/** The planned change of one file. Planning changes nothing on disk. */
export type PlannedChange = NewFile | ChangedFile | RemovedFile;
