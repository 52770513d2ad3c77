import type { Command } from '../program/command.ts';
import { UsageError } from '../program/usage-error.ts';
import { openInBrowser } from '../repair-page/open-in-browser.ts';
import type { RepairPage } from '../repair-page/serve-repair-page.ts';

/** A page that shows how a text is read, while the user types. */
export const repair: Command = {
  name: 'repair',
  summary: "serve a page that shows, while you type, how a model's text is read",
  maximumOperands: 0,
  options: {
    port: { type: 'string', value: 'N', description: 'serve on this port (default: any free port)' },
    'no-open': { type: 'boolean', description: 'print the URL and do not open a browser' },
  },
  notes: [
    'The package runs in the browser; your text stays in the page. The page is served to this machine only. Ctrl-C ends it.',
    'The URL of the page contains the text, so a link shows it again as long as the port is the same.',
  ],
  async run(invocation) {
    const page = await start(portNumber(invocation.value('port')));
    try {
      invocation.terminal.line(`The repair page is at ${page.address} (Ctrl-C ends it)`);
      if (invocation.terminal.isInteractive && !invocation.flag('no-open')) openInBrowser(page.address);
      await aborted(invocation.signal);
    } finally {
      await page.close();
    }
    return 0;
  },
};

function portNumber(given: string | undefined): number {
  if (given === undefined) return 0;
  const port = /^\d{1,5}$/.test(given) ? Number(given) : NaN;
  if (!(port <= 65_535)) throw new UsageError(`--port ${given}: expected a number from 0 to 65535`);
  return port;
}

async function start(port: number): Promise<RepairPage> {
  const { serveRepairPage } = await import('../repair-page/serve-repair-page.ts');
  try {
    return await serveRepairPage({ port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') throw new UsageError(`--port ${port}: the port is in use`);
    if (code === 'EACCES') throw new UsageError(`--port ${port}: this user has no permission for the port`);
    throw error;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
