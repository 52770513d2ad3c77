import { describe, expect, it } from 'vitest';
import { checkJournalOptions } from './journal-options.ts';

const right = { workspace: { cwd: '/w', writeRoots: ['/w'] }, directory: '/journal' };

describe('createJournal rejects', () => {
  it.each<[unknown, string]>([
    [undefined, 'its argument is not valid (expected an object such as { workspace, directory }, got undefined)'],
    [
      { ...right, directory: 'journal' },
      'directory is not valid (expected the absolute path of a folder, got "journal")',
    ],
    [{ directory: '/journal' }, 'workspace is missing (expected a Workspace'],
    [{ ...right, direktory: '/journal' }, 'direktory is not an option (did you mean directory?)'],
    [{ ...right, maxCalls: 0 }, 'maxCalls is not valid (expected a number from 1, got 0)'],
    [{ ...right, amendResults: 'no' }, 'amendResults is not valid (expected true or false, got "no")'],
    [{ ...right, onEvent: {} }, 'onEvent is not valid (expected a function, got an object)'],
  ])('%j', (options, message) => {
    const check = (): void => checkJournalOptions(options as never);
    expect(check).toThrow(`createJournal: ${message}`);
    expect(check).toThrow(expect.objectContaining({ name: 'JournalError', code: 'INVALID_JOURNAL_OPTION' }));
  });
});
