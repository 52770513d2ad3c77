import type { CommandApprovalRequest, ToolChange } from '@haft/mcp';
import { isPrompting, takeTurn } from '../permission/take-turn.ts';
import type { TerminalDevice } from '../permission/terminal-device.ts';
import { showable, showableLine } from '../show/showable.ts';

/** Approves servers that a file names. */
export interface ServerConsent {
  /** Whether a new command may be started. `isWanted`: the user requested it by naming the file. */
  toCommand(
    question: CommandApprovalRequest,
    signal: AbortSignal,
    origin?: { readonly isWanted: boolean },
  ): Promise<boolean>;
  /** Whether a changed tool may be used again. */
  toChange(name: string, change: ToolChange, signal: AbortSignal): Promise<boolean>;
}

/**
 * Creates the approver: the user at the terminal; without a terminal the answer is no. `--yes` approves every command
 * that the user wants, but no change. Questions come one at a time.
 */
export function createServerConsent(
  approvesAll: boolean,
  open: () => TerminalDevice | undefined,
  note: (line: string) => void,
): ServerConsent {
  const ask = (lines: (device: TerminalDevice) => readonly string[], signal: AbortSignal): Promise<boolean> => {
    const device = open();
    if (!device) return Promise.resolve(false);
    if (isPrompting(device))
      note('haft: an MCP server needs your approval: you are asked after your next line (or press Enter)');
    return takeTurn(device, async () => {
      // The server may have left the file in the meantime.
      if (signal.aborted) return false;
      device.forget();
      for (const line of lines(device)) device.write(`${line}\n`);
      device.write(`  ${device.paint('strong', 'approve?')} [y]es, from now on, or [n]o: `);
      const answer = await device.readLine(signal);
      return /^[ \t]*y(?:es)?[ \t]*$/i.test(answer ?? '');
    });
  };
  return {
    async toCommand({ connection, line, cwd, env }, signal, { isWanted } = { isWanted: true }) {
      if (approvesAll && isWanted) return true;
      return ask(
        ({ paint }) => [
          /^https?:/.test(line)
            ? `${paint('warn', '?')} send values of your environment to the MCP server ${paint('strong', connection)}:`
            : `${paint('warn', '?')} start the MCP server ${paint('strong', connection)} with your rights:`,
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
