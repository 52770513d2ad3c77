import type { Finding } from '../doctor/findings.ts';
import type { Command, Invocation } from '../program/command.ts';

/** Reports what this machine supports, and how to install what is missing. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'list what this machine supports, and how to install the rest',
  maximumOperands: 0,
  options: {
    json: { type: 'boolean', description: 'print one JSON array' },
    mcp: {
      type: 'string',
      value: 'FILE',
      description: 'also check the MCP servers of this file, without starting them',
    },
  },
  notes: ['Exit code 1 if something is missing. Nothing is installed or changed.'],
  async run(invocation) {
    const { terminal } = invocation;
    const findings = await listFindings(invocation);
    if (invocation.flag('json')) terminal.line(JSON.stringify(findings, undefined, 2));
    else for (const line of findings.flatMap((finding) => describe(finding, invocation))) terminal.line(line);
    return findings.every(({ state }) => state === 'ok') ? 0 : 1;
  },
};

async function listFindings(invocation: Invocation): Promise<readonly Finding[]> {
  const { findDatabase, findJail, findServers, findTerminal, findTool } = await import('../doctor/findings.ts');
  const { terminal, cwd, signal } = invocation;
  const given = invocation.value('mcp');
  const { readGivenServers } = await import('../assembly/read-server-file.ts');
  const servers = given === undefined ? undefined : await readGivenServers(given, cwd);
  const node: Finding = {
    what: 'node',
    state: 'ok',
    found: `${process.version} on ${process.platform} ${process.arch}`,
  };
  return [
    node,
    await findJail(),
    findTool('git', 'plugins and models cannot use version control', 'install git'),
    await findDatabase(),
    findTerminal(terminal.isInteractive, terminal.columns, invocation.device() !== undefined),
    ...(servers?.kind === 'file' ? await findServers(servers.configuration, { signal }) : []),
  ];
}

function describe({ what, state, found, remedy }: Finding, { terminal }: Invocation): readonly string[] {
  const mark = state === 'ok' ? terminal.paint('good', 'ok     ') : terminal.paint('warn', 'missing');
  return [`${mark}  ${what}: ${found}`, ...(remedy === undefined ? [] : [`         → ${remedy}`])];
}
