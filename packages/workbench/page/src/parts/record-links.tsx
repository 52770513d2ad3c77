import type { CallList } from '../../../src/contract/page-data.ts';
import type { RunList } from '../../../src/contract/run-data.ts';
import { useData } from '../data/use-data.ts';
import { routeTo } from '../data/use-route.ts';

/** A link to a call of the log by its ID, once the log has it. IDs of models may repeat, so the latest call is used. */
export function CallLink({ callId, tool }: { readonly callId: string; readonly tool: string }) {
  const { value } = useData<CallList>('calls', 'calls');
  const call = value?.calls.find((one) => one.callId === callId && one.name === tool);
  if (call === undefined) return null;
  return (
    <>
      <a className="choice" href={routeTo('calls', call.key)}>
        See the call
      </a>
      <RunLink runId={call.runId} />
    </>
  );
}

/** A link to the recording of a run, if there is one. */
export function RunLink({ runId }: { readonly runId: string }) {
  const { value } = useData<RunList>('runs', 'runs');
  const run = runId === '' ? undefined : value?.runs.find((one) => one.runId === runId);
  if (run === undefined) return null;
  return (
    <a className="choice" href={routeTo('runs', run.id)}>
      See its run
    </a>
  );
}
