import type { PlannedChange } from './planned-change.ts';

/** A change that was made. */
export interface DoneChange {
  readonly change: PlannedChange;
  /** The real absolute path of the file or, if the file was removed, its former path. */
  readonly path: string;
  /** The current content of the file. 0 and `''` if the file was removed. */
  readonly bytes: number;
  readonly hash: string;
}
