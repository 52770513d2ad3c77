import { routeTo } from '../data/use-route.ts';
import { visible } from '../data/visible.ts';
import type { AnsweredJob } from './list-answered-jobs.ts';

/** Confirms the latest answers of this tab. */
export function AnsweredJobs({
  answered,
  shown,
}: {
  readonly answered: readonly AnsweredJob[];
  /** The job that the page shows, which needs no link. */
  readonly shown?: string;
}) {
  if (answered.length === 0) return null;
  return (
    <section className="card" aria-label="Your latest answers">
      <h2>Your latest answers</h2>
      <ul className="answered">
        {answered.map(({ job, title, isAllowed }, index) => (
          <li key={index} className="row wrap">
            <span>
              {isAllowed ? 'You allowed' : 'You denied'} <strong>{visible(title)}</strong>.
            </span>
            {job !== shown && (
              <a className="choice" href={routeTo('jobs', job)}>
                See the job
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
