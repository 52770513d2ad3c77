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

const lastLines = 2;
const maxCharacters = 300;
const readBytes = 8_192;

/**
 * Describes a failed server's output: the end of standard error, and text on standard output that is not a message.
 * Starts with `; ` and is empty if there is no output. Secrets are redacted before cutting.
 */
export function describeServerOutput({ process, garbage, redactor }: ServerOutput): string {
  const stderrLines = redactor
    .text(process?.stderrTail(readBytes) ?? '')
    .split('\n')
    .map((line) => cleanLine(line, maxCharacters))
    .filter((line) => line !== '')
    .slice(-lastLines);
  const stderrText = stderrLines.length === 0 ? '' : `; the end of its standard error: ${stderrLines.join(' / ')}`;
  const printed =
    garbage === undefined
      ? ''
      : `; it printed ${JSON.stringify(cleanLine(redactor.text(garbage), 120))} instead of protocol messages, so it may not be an MCP server over stdio`;
  return stderrText + printed;
}
