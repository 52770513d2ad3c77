import type { JobList } from '../contract/job-data.ts';
import { refuse, respondJson } from '../http/respond.ts';
import { get, post, type Route } from '../http/route.ts';
import { describeJob, listJobs } from './describe-jobs.ts';
import type { WorkbenchJobs } from './workbench-jobs.ts';

const empty: JobList = { isConnected: false, counts: {}, jobs: [], questions: [] };
/** The name of the person who decides, in the records of the jobs. */
const by = 'workbench';

/** Creates the routes of the page Jobs. `onChanged` is called after an action. */
export function createJobRoutes(jobs: WorkbenchJobs | undefined, onChanged: () => void): readonly Route[] {
  const doing = async (answer: (open: WorkbenchJobs) => Promise<unknown>): Promise<Response> => {
    if (jobs === undefined) return refuse(404, 'the program has no jobs');
    try {
      return respondJson((await answer(jobs)) ?? {});
    } catch (cause) {
      return refuse(409, cause instanceof Error ? cause.message : String(cause));
    }
  };
  const changing = async (answer: (open: WorkbenchJobs) => Promise<unknown>): Promise<Response> => {
    const response = await doing(answer);
    onChanged();
    return response;
  };
  return [
    get('jobs', () => (jobs === undefined ? respondJson(empty) : doing(listJobs))),
    get('jobs/*', (id) => doing((open) => describeJob(open, id))),
    post('jobs/*', (id, { action }) => {
      if (action === 'cancel') return changing((open) => open.job(id).cancel('cancelled in the workbench'));
      if (action === 'retry' || action === 'done' || action === 'failed')
        return changing((open) => open.settle(id, { as: action, by }));
      return refuse(400, 'action: expected "cancel", "retry", "done" or "failed"');
    }),
    post('job-questions/*', (id, { action, reason }) => {
      if (action !== 'allow' && action !== 'deny') return refuse(400, 'action: expected "allow" or "deny"');
      const why = typeof reason === 'string' && reason !== '' ? { reason } : {};
      return changing((open) => open.answer(id, { action, by, ...why }));
    }),
  ];
}
