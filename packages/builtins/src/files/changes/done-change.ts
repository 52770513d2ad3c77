import type { PlannedChange } from './planned-change.ts';

/** A change that was carried out. */
export interface DoneChange {
  readonly change: PlannedChange;
  /** The file's real absolute path; of a removed file the one it had. */
  readonly path: string;
  /** What the file holds now; 0 and `''` when it is gone. */
  readonly bytes: number;
  readonly hash: string;
}
