import type { ServerCommand } from '../../../src/contract/page-data.ts';
import { CodeBlock } from '../parts/code-block.tsx';

/** A command that waits for approval, with its directory and its variables, or a URL with its headers. */
export function UnapprovedCommand({
  command: { line, cwd, env, hash },
  onApprove,
}: {
  readonly command: ServerCommand;
  readonly onApprove: (path: string, body: object) => void;
}) {
  const lines = [line, ...(cwd === undefined ? [] : [`in ${cwd}`]), ...(env.length === 0 ? [] : ['with', ...env])];
  const isUrl = /^https?:/.test(line);
  return (
    <>
      <CodeBlock title={isUrl ? 'It gets values of your environment' : 'Its command'} text={lines.join('\n')} />
      <p className="row wrap">
        <button type="button" className="main" onClick={() => onApprove('servers', { hash })}>
          {isUrl ? 'Allow and connect' : 'Approve and start its command'}
        </button>
        {!isUrl && <span className="quiet">Its command starts a program on this machine.</span>}
      </p>
    </>
  );
}
