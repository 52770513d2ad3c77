import type { CommandApprovalRequest, ToolChange } from '@haft/mcp';
import type { TerminalDevice } from '../permission/terminal-device.ts';
import { showable, showableLine } from '../show/showable.ts';

/** Approves servers that a file names. */
export interface ServerConsent {
  /** Whether a new command may be started. */
  toCommand(question: CommandApprovalRequest, signal: AbortSignal): Promise<boolean>;
  /** Whether a changed tool may be used again. */
  toChange(name: string, change: ToolChange, signal: AbortSignal): Promise<boolean>;
}

/**
 * Creates the approver: the user at the terminal; without a terminal the answer is no. `--yes` approves every command
 * of the file, but no change. Questions come one at a time.
 */
export function createServerConsent(approvesAll: boolean, open: () => TerminalDevice | undefined): ServerConsent {
  let before: Promise<unknown> = Promise.resolve();
  const ask = (lines: (device: TerminalDevice) => readonly string[], signal: AbortSignal): Promise<boolean> => {
    const asked = before.then(async () => {
      const device = open();
      if (!device) return false;
      device.forget();
      for (const line of lines(device)) device.write(`${line}\n`);
      device.write(`  ${device.paint('strong', 'approve?')} [y]es, for good, or [n]o: `);
      const answer = await device.readLine(signal);
      return /^\s*y(?:es)?\s*$/i.test(answer ?? '');
    });
    before = asked.catch(() => undefined);
    return asked;
  };
  return {
    async toCommand({ connection, line, cwd, env }, signal) {
      if (approvesAll) return true;
      return ask(
        ({ paint }) => [
          `${paint('warn', '?')} start the MCP server ${paint('strong', connection)} with your rights:`,
          `    ${showable(line)}`,
          ...(cwd === undefined ? [] : [`    in ${showableLine(cwd, 400)}`]),
          ...(env.length === 0 ? [] : [`    with ${showableLine(env.join(' '), 2_000)}`]),
        ],
        signal,
      );
    },
    toChange: (name, { tool, diff }, signal) =>
      ask(
        ({ paint }) => [
          `${paint('warn', '?')} the MCP server ${name} has changed ${paint('strong', tool)} since it was approved:`,
          ...showable(diff)
            .split('\n')
            .map((line) => `    ${line}`),
        ],
        signal,
      ),
  };
}
