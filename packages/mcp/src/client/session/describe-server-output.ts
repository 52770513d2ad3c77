import { cleanText } from '@haft/sandbox';
import { findFault } from './find-fault-in-output.ts';
import { cleanLine } from '../../untrusted/clean-text.ts';
import type { SecretRedactor } from '../../untrusted/redact-secrets.ts';
import type { ServerProcess } from '../../stdio/server-process.ts';

/** Output of a server that failed to connect. */
export interface ServerOutput {
  readonly process: ServerProcess | undefined;
  /** The first line on standard output that was not a message. */
  readonly garbage: string | undefined;
  readonly redactor: SecretRedactor;
}

/** Returns the line of a server's standard error that explains the failure, shortened and without line breaks. */
export function describeFault(stderr: string): string | undefined {
  const fault = findFault(cleanText(stderr));
  return fault === undefined ? undefined : cleanLine(fault, maxCharacters);
}

const lastLines = 2;
const maxCharacters = 300;
const readBytes = 8_192;

/**
 * Describes a failed server's output: the fault that standard error names, or else its last text, and text on standard
 * output that is not a message. Starts with `; ` and is empty if there is no output. Secrets are redacted before
 * cutting.
 */
export function describeServerOutput({ process, garbage, redactor }: ServerOutput): string {
  const stderr = redactor.text(process?.stderrTail(readBytes) ?? '');
  const fault = describeFault(stderr);
  const stderrLines = stderr
    .split('\n')
    .map((line) => cleanLine(line, maxCharacters))
    .filter((line) => line !== '')
    .slice(-lastLines);
  const stderrText =
    fault === undefined
      ? stderrLines.length === 0
        ? ''
        : `; the end of its standard error: ${stderrLines.join(' / ')}`
      : `; its standard error says: ${fault}`;
  const printed =
    garbage === undefined
      ? ''
      : `; it printed ${JSON.stringify(cleanLine(redactor.text(garbage), 120))} instead of protocol messages, so it may not be an MCP server over stdio`;
  return stderrText + printed;
}
