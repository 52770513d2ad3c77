import { readdirSync, readlinkSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';
import { createTemporaryFolder } from '../testing/temporary-folder.ts';

/** Processes of this program in a folder; empty if the system cannot list them. */
function processesIn(path: string): readonly string[] {
  try {
    return readdirSync('/proc').filter((id) => /^\d+$/.test(id) && linkOf(`/proc/${id}/cwd`).startsWith(path));
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

describe('the tour', () => {
  test(
    'fixes the project despite every kind of mistake, and leaves no files behind',
    { timeout: 240_000 },
    async () => {
      const folder = await createTemporaryFolder(onTestFinished);
      const { code, stdout, stderr } = await runCli([], { env: { TMPDIR: folder } });
      expect(stderr).toBe('');
      expect(stdout).toContain('3 of 5 tests fail');
      expect(stdout).toMatch(
        /✓ read README\.md .*\n {2}✓ read src\/fare\.js .*\n {2}✓ read test\/fare\.test\.js .*\n {2}⇉ at the same time: read README\.md, read src\/fare\.js, read test\/fare\.test\.js/,
      );
      expect(stdout).toMatch(/✓ todo .*\n.*items → todos/);
      expect(stdout).toMatch(
        /[✗⊘] web_fetch http:\/\/169\.254\.169\.254\/latest\/tariff .*PERMISSION_DENIED \(policy\)/,
      );
      expect(stdout).toContain("written: {command: 'node --test', timeout_ms: 30000,}");
      expect(stdout).toContain('read as meant: unquoted-key ×2, single-quotes, trailing-comma');
      expect(stdout).toMatch(/✓ grep .*\n.*written as text \(hermes\)/);
      expect(stdout).toContain('read as meant: file_path → path, old_string → old_text, new_string → new_text');
      expect(stdout).toMatch(/✗ ls whereabouts src .* INVALID_ARGS \(model\)/);
      expect(stdout).toMatch(/✗ write src\/round-up\.js .* TRUNCATED_ARGS \(model\)/);
      expect(stdout).toMatch(/── writes ──\n {2}✓ write src\/round-up\.js \(\+7 −0\)/);
      expect(stdout).toMatch(/⊘ bash git push --force origin main PERMISSION_DENIED \(policy\)/);
      expect(stdout).toContain('plugin changelog 1.0.0 loaded: changelog_entry');
      expect(stdout).toMatch(
        /plugin changelog failed \(changelog\.mjs:\d+\): .*; the\s+previous\s+version\s+still\s+serves\s+calls/,
      );
      expect(stdout.match(/^ {2}✓ changelog_entry /gm)).toHaveLength(3);
      expect(stdout).toMatch(/✗ new_tool .* INVALID_ARGS \(model\)/);
      expect(stdout).toMatch(/✓ new_tool /);
      expect(stdout.match(/^ {2}✓ round_fare /gm)).toHaveLength(2);
      const [, eventLog = ''] = stdout.split('\nevent log\n');
      const events = [
        'plugin changelog 1.0.0 loaded',
        'plugin changelog failed',
        'tool round_fare did not pass its trial',
        'tool round_fare version 1 added, written by the model',
        'plugin changelog 1.1.0 replaces the previous version',
        'restored: round_fare',
        'plugin changelog removed',
      ];
      const places = events.map((event) => eventLog.replace(/\s+/g, ' ').indexOf(event));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((one, other) => one - other));
      expect(stdout).toMatch(/connected to mcp-servers\/everything .* \(process \d+\): \d+ tools/);
      expect(stdout).toMatch(/✓ everything_get-sum .*\n.*number-parsed at \$\.b/);
      expect(stdout).toMatch(/turn +call +repaired or coerced +whose fault +time +effect\n/);
      expect(stdout.replace(/\s+/g, ' ')).toMatch(
        /who caused the failures: model = the call was wrong; world = something outside failed[^;]*; policy = not allowed/,
      );
      for (const line of stdout.split('\n'))
        // Commands to copy hold the path of the program, and can't be wrapped.
        if (!/^ {2}(?:echo|node) /.test(line)) expect(line.length).toBeLessThanOrEqual(100);
      expect(stdout).toMatch(/--keep keeps it[^]*Try next[^]* dispatch -\n[^]* chat --base-url /);
      const [, payments = ''] = stdout.replace(/\s+/g, ' ').split(' a worker is killed in the middle of two payments ');
      expect(payments).toContain(
        'the worker got SIGKILL: the bank has paid order-7 and order-8, but no result is stored',
      );
      expect(payments).toContain('? pay order-7: OUTCOME_UNKNOWN: pay may or may not have had its effect');
      expect(payments).toContain('✓ charge order-8: done (recovered): its recover() asked the bank');
      expect(payments).toContain('payments at the bank: order-7 1 ×, order-8 1 ×');
      expect(stdout).toContain('✓ all 5 tests pass in the project');
      expect(code).toBe(0);
      expect(readdirSync(folder)).toEqual([]);
      expect(processesIn(folder)).toEqual([]);
    },
  );

  test('cleans up after Ctrl-C', { timeout: 240_000 }, async () => {
    const folder = await createTemporaryFolder(onTestFinished);
    let isInterrupted = false;
    const { code, stdout } = await runCli([], {
      env: { TMPDIR: folder },
      onOutput: (output, child) => {
        if (isInterrupted || !output.includes('turn 2')) return;
        isInterrupted = true;
        child.kill('SIGINT');
      },
    });
    expect(code).toBe(130);
    expect(stdout).not.toContain('what happened');
    expect(readdirSync(folder)).toEqual([]);
    expect(processesIn(folder)).toEqual([]);
  });
});
