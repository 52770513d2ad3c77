/** How far a call has come. */
export interface ProgressUpdate {
  readonly message?: string;
  readonly done?: number;
  readonly total?: number;
  /** A piece of output as it arrives. */
  readonly output?: string;
}
