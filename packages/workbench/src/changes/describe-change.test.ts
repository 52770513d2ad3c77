import { expect, it } from 'vitest';
import { describeChange } from './describe-change.ts';
import type { JournaledCall, WorkbenchJournal } from './workbench-journal.ts';

it('names both files of a rename that an undo would make', async () => {
  const call: JournaledCall = {
    id: 'j1',
    callId: 'call_1',
    tool: 'bash',
    provider: '',
    sessionId: '',
    runId: '',
    turn: 0,
    startedAt: 0,
    endedAt: 1,
    ok: true,
    changes: [{ op: 'rename', path: '/project/copy.md', from: '/project/report.md', isInferred: true }],
    mismatches: [],
  };
  const journal: WorkbenchJournal = {
    cwd: '/project',
    calls: () => [call],
    diff: () => [],
    previewUndo: async () => ({
      changes: [{ op: 'rename', path: '/project/report.md', from: '/project/copy.md', isInferred: true }],
      conflicts: [],
    }),
    undo: async () => ({ ok: false, message: '' }),
  };
  const details = await describeChange(journal, 'j1');
  expect(details?.undoCall.changes).toEqual([
    { op: 'create', path: 'report.md', isInferred: true },
    { op: 'delete', path: 'copy.md', isInferred: true },
  ]);
});
