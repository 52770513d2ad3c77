import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../testing/run-cli.ts';

describe('repair', () => {
  test('prints the URL of the page, serves it, and ends on Ctrl-C', async () => {
    let served: Promise<string> | undefined;
    const result = await runCli(['repair', '--no-open'], {
      onOutput: (output, child) => {
        const address = /http:\S+/.exec(output)?.[0];
        if (address === undefined || served) return;
        served = fetch(address)
          .then((response) => response.text())
          .finally(() => child.kill('SIGINT'));
      },
    });
    expect(result.stdout).toMatch(/^The repair page is at http:\/\/127\.0\.0\.1:\d+\/ \(Ctrl-C ends it\)\n$/);
    expect(await served).toContain('<title>Haft repair');
    expect(result).toMatchObject({ stderr: '', code: 130 });
  });

  test('reports that the port is in use', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void other.close());
    const { port } = other.address() as AddressInfo;
    expect(await runCli(['repair', '--port', String(port)])).toEqual({
      stdout: '',
      stderr: `haft: --port ${port}: the port is in use\n`,
      code: 2,
    });
  });
});
