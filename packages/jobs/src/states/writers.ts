import { groupCalls } from '../engine/group-calls.ts';
import { keepTrying, type Patience } from '../engine/keep-trying.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { readOutcomes, type Outcome } from '../ledger/read.ts';
import { submitJobs, type NewJob, type Submitted } from './submit.ts';
import type { Attempt } from '../ledger/job-row.ts';
import { finishJobs, recordProgress, startJobs, type Ending, type IfLost, type Start } from './transitions.ts';

/** The frequent reads and writes of a process, grouped and repeated while the database can't be reached. */
export interface Writers {
  submit(job: NewJob): Promise<Submitted>;
  start(start: Attempt & { readonly ifLost: IfLost }): Promise<Start>;
  finish(ending: Ending): Promise<boolean>;
  progress(update: Attempt & { readonly data: string }): Promise<undefined>;
  outcome(id: string): Promise<Outcome | undefined>;
}

/** Creates the writers of a process. */
export function createWriters(ledger: Ledger, patience: Patience): Writers {
  const { engine } = ledger;
  const grouped = <Item, Answer>(
    doing: string,
    run: (ledger: Ledger, items: readonly Item[]) => Promise<readonly Answer[]>,
    own: Patience = patience,
  ): ((item: Item) => Promise<Answer>) =>
    groupCalls((items) => keepTrying(engine, own, doing, () => run(ledger, items)));
  return {
    submit: grouped('submit', submitJobs),
    start: grouped('recording a start', startJobs),
    // A result is kept until the database is back.
    finish: grouped('recording a result', finishJobs, { ...patience, timeoutMs: Infinity }),
    progress: grouped('recording progress', recordProgress),
    outcome: grouped('reading a result', readOutcomes),
  };
}
