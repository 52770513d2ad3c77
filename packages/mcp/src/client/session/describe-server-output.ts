import { cleanLine } from '../../untrusted/clean-text.ts';
import type { SecretRedactor } from '../../untrusted/redact-secrets.ts';
import type { ServerProcess } from '../../stdio/server-process.ts';

/** What is known of a server that could not be used. */
export interface ServerOutput {
  readonly process: ServerProcess | undefined;
  /** The first line on its standard output that was no message. */
  readonly garbage: string | undefined;
  readonly redactor: SecretRedactor;
}

const lastLines = 2;
const maxCharacters = 300;
const readBytes = 8_192;

/**
 * What a server itself gave away of why it could not be used: the end of its standard error, and text on its standard
 * output where messages belong. Begins with `; ` and is empty when there is nothing; secrets are hidden before anything is cut.
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
      : `; it printed ${JSON.stringify(cleanLine(redactor.text(garbage), 120))} where messages of the protocol belong, so it may be no MCP server over standard input and output`;
  return stderrText + printed;
}
