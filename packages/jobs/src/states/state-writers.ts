import { groupCalls } from '../engine/group-calls.ts';
import { keepTrying, type Patience } from '../engine/keep-trying.ts';
import { Backlogs } from '../holds/backlogs.ts';
import { endSignal, jobSignal, type Ledger } from '../ledger/ledger.ts';
import { readOutcomes, type Outcome } from '../ledger/read-jobs.ts';
import type { Signals } from '../ledger/signals.ts';
import { submitJobs, type NewJob, type Submitted } from './submit-jobs.ts';
import type { Attempt, IfLost } from '../ledger/job-row.ts';
import { announceJobs, finishJobs, recordProgress, startJobs, type Ending, type Start } from './job-transitions.ts';

/** The frequent reads and writes of a process, grouped and repeated while the database can't be reached. */
export interface Writers {
  submit(job: NewJob): Promise<Submitted>;
  start(start: Attempt & { readonly ifLost: IfLost }): Promise<Start>;
  finish(ending: Ending): Promise<boolean>;
  progress(update: Attempt & { readonly data: string }): Promise<undefined>;
  /** Announces that a body runs. */
  announce(id: string): Promise<undefined>;
  outcome(id: string): Promise<Outcome | undefined>;
}

/** Creates the writers of a process. */
export function createWriters(ledger: Ledger, patience: Patience, signals: Signals): Writers {
  const { engine } = ledger;
  const backlogs = new Backlogs();
  const grouped = <Item, Answer>(
    doing: string,
    run: (ledger: Ledger, items: readonly Item[]) => Promise<readonly Answer[]>,
    own: Patience = patience,
  ): ((item: Item) => Promise<Answer>) =>
    groupCalls((items) => keepTrying(engine, own, doing, () => run(ledger, items)));
  const start = grouped('recording a start', startJobs);
  // Keeps a result until the database can be reached again.
  const finish = grouped('recording a result', finishJobs, { ...patience, timeoutMs: Infinity });
  return {
    submit: grouped('submit', (given, jobs: readonly NewJob[]) => submitJobs(given, jobs, backlogs)),
    async start(given) {
      const answer = await start(given);
      if (answer === 'started') signals.emit(`${jobSignal}${given.id}`);
      return answer;
    },
    async finish(ending) {
      const isHeld = await finish(ending);
      const { id, state, result } = ending;
      // Callers in this process receive the result without reading the database.
      if (isHeld) signals.emit(`${endSignal}${id}`, { state, result });
      return isHeld;
    },
    announce: grouped('announcing a start', announceJobs),
    progress: grouped('recording progress', recordProgress),
    outcome: grouped('reading a result', readOutcomes),
  };
}
