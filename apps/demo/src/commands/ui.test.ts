import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';
import { runHere } from '../testing/run-here.ts';

describe('ui', () => {
  test('serves the tools of the folder to the holder of the token, and ends on Ctrl-C', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'haft-ui-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'note.txt'), 'milk');
    let answered: Promise<unknown> | undefined;
    const result = await runCli(['ui', '--cwd', folder], {
      onOutput: (output, child) => {
        const [, address, token] = /(http:\S+)#token=(\S+)/.exec(output) ?? [];
        if (address === undefined || answered) return;
        const post = async (): Promise<unknown> => {
          const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
          const body = JSON.stringify({ name: 'read', arguments: { path: 'note.txt' } });
          for (;;) {
            const response = await fetch(`${address}api/call`, { method: 'POST', headers, body });
            const answer = (await response.json()) as { readonly isOk: boolean };
            // The tools arrive with the toolkit.
            if (answer.isOk) return answer;
          }
        };
        answered = post().finally(() => child.kill('SIGINT'));
      },
    });
    expect(result.stdout).toMatch(
      /^The workbench is at http:\/\/127\.0\.0\.1:\d+\/#token=[\w-]{32} \(Ctrl-C ends it\)\n$/,
    );
    expect(await answered).toMatchObject({ isOk: true, forModel: expect.stringContaining('milk') });
    expect(result.code).toBe(130);
  });

  test.each([
    [['--port', '70000'], 'haft: --port 70000: expected a number from 0 to 65535\n'],
    [['--editor', 'vim'], 'haft: --editor vim: expected a URL with {path}, such as vscode://file/{path}:{line}\n'],
    [['--plugins', 'missing'], 'haft: --plugins missing: no such folder\n'],
  ])('explains a wrong option and starts nothing: %j', async (args, stderr) => {
    expect(await runHere(['ui', ...args])).toEqual({ stdout: '', stderr, code: 2 });
  });
});
