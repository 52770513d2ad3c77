/** A change that a call made to one file. */
export interface FileEffect {
  readonly kind: 'file';
  /** Path of the file in the workspace. */
  readonly path: string;
  readonly op: 'read' | 'create' | 'modify' | 'append' | 'delete' | 'rename';
  /** Size of the file after the change, in bytes. */
  readonly bytesAfter?: number;
  /** The previous path of a renamed file. */
  readonly from?: string;
}

/** A process that a call started. */
export interface ProcessEffect {
  readonly kind: 'process';
  readonly command: string;
  readonly pid?: number;
  readonly background: boolean;
  readonly exitCode?: number;
  readonly timedOut?: boolean;
}

/** A side effect of a call. A result may have none. */
export type Effect = FileEffect | ProcessEffect;

/** A human-readable diff of one file. */
export interface FileDiff {
  readonly path: string;
  /** Unified diff with three context lines. */
  readonly patch: string;
  readonly existedBefore: boolean;
  readonly additions: number;
  readonly deletions: number;
}
