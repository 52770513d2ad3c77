import type { TextFormat } from '@haft/sandbox';
import type { FilePlace } from '../file-errors.ts';
import type { TextFile } from '../text-file.ts';

/** A file that is to be made, where none is. */
export interface NewFile {
  readonly kind: 'create';
  readonly place: FilePlace;
  readonly format: TextFormat;
  readonly after: string;
}

/** A file that is to hold another text, under another name perhaps. */
export interface ChangedFile {
  readonly kind: 'modify';
  readonly place: FilePlace;
  /** What it held when the change was planned: it must hold that still. */
  readonly file: TextFile;
  readonly after: string;
  /** Where it moves; nothing may be there. */
  readonly to?: FilePlace;
}

/** A file to remove. */
export interface RemovedFile {
  readonly kind: 'delete';
  readonly place: FilePlace;
  readonly file: TextFile;
}

/** The planned change of one file; planning changes nothing. */
export type PlannedChange = NewFile | ChangedFile | RemovedFile;
