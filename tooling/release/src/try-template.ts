import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

import { runCommand } from '@haft-tooling/checks/run-command';

import type { Installer } from './installers.ts';
import type { LocalRegistry } from './local-registry.ts';

/** The templates of `create-haft`, with a script to run and a text in its output that shows success. */
export const templateTrials: readonly TemplateTrial[] = [
  { template: 'agent', script: 'start', output: 'You need flour, milk and eggs' },
  { template: 'mcp-server', script: 'try', output: 'pancakes.md: Flour, milk, eggs.' },
  { template: 'plugin', script: 'try', output: 'dice 0.1.0 live' },
  { template: 'ai-sdk', script: 'start', output: 'Oslo: -3 °C; Rome: 14 °C' },
  { template: 'next-chat', script: 'build', output: '/api/chat' },
];

/** One template. */
export interface TemplateTrial {
  readonly template: string;
  readonly script: string;
  readonly output: string;
}

/** Programs of projects use the Node that runs this, whatever the search path contains. */
const environment: Readonly<Record<string, string>> = {
  PATH: [dirname(process.execPath), process.env['PATH'] ?? ''].join(delimiter),
  npm_config_user_agent: '',
  NEXT_TELEMETRY_DISABLED: '1',
};

/**
 * Creates a project with `npm create haft` from a registry, installs it with a package manager, checks its types, runs its tests
 * and the program itself. Rejects with the output of the step that fails.
 */
export async function tryTemplate(
  { template, script, output }: TemplateTrial,
  installer: Installer,
  registry: LocalRegistry,
  directory: string,
): Promise<void> {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, '.npmrc'), registry.settings);
  const name = `my-${template}`;
  const options = ['--template', template, '--package-manager', installer.name, '--no-install'];
  const create = ['create', '--yes', 'haft', name, '--', ...options];
  await runCommand('npm', create, { cwd: directory, environment: withRegistry(registry) });
  const cwd = join(directory, name);
  writeFileSync(join(cwd, '.npmrc'), registry.settings);
  for (const [file, text] of Object.entries(installer.settings?.(registry.url) ?? {})) {
    writeFileSync(join(cwd, file), text);
  }
  const [program, ...install] = installer.install;
  await runCommand(program, install, { cwd, environment: withRegistry(registry) });
  await runScript(installer, cwd, 'check');
  await runScript(installer, cwd, 'test');
  const written = await runScript(installer, cwd, script);
  if (!written.includes(output)) throw new Error(`${script} of ${template} printed no "${output}":\n${written}`);
  if (template === 'next-chat') await tryPage(cwd);
}

function withRegistry(registry: LocalRegistry): Readonly<Record<string, string>> {
  return { ...environment, npm_config_registry: registry.url };
}

async function runScript({ install: [program, ...args] }: Installer, cwd: string, script: string): Promise<string> {
  // `npx --yes pnpm@… install …` becomes `npx --yes pnpm@… run …`.
  const manager = args.slice(0, args.indexOf('install'));
  const { stdout, stderr } = await runCommand(program, [...manager, 'run', script], {
    cwd,
    environment,
  });
  return `${stdout}${stderr}`;
}

/** Starts the built page, loads it, and asks the route as the page does. */
async function tryPage(cwd: string): Promise<void> {
  const next = join(cwd, 'node_modules', 'next', 'dist', 'bin', 'next');
  const server = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd,
    env: { ...process.env, ...environment, NODE_OPTIONS: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => server.once('close', () => resolve()));
  try {
    const address = await new Promise<string>((resolve, reject) => {
      let written = '';
      const read = (text: string): void => {
        written += text;
        const [address] = /http:\/\/127\.0\.0\.1:\d+/.exec(written) ?? [];
        if (address !== undefined && written.includes('Ready')) resolve(address);
      };
      server.stdout.setEncoding('utf8').on('data', read);
      server.stderr.setEncoding('utf8').on('data', read);
      server.once('error', reject);
      server.once('close', () => reject(new Error(`next start ended: ${written}`)));
    });
    const page = await (await fetch(address)).text();
    if (!page.includes('Ask something')) throw new Error(`the page has an unexpected text:\n${page.slice(0, 2_000)}`);
    const message = { id: '1', role: 'user', parts: [{ type: 'text', text: 'How warm is it?' }] };
    const body = JSON.stringify({ id: 'chat', messages: [message], trigger: 'submit-message' });
    const headers = { 'content-type': 'application/json' };
    const answer = await (await fetch(`${address}/api/chat`, { method: 'POST', headers, body })).text();
    const words = [...answer.matchAll(/"type":"text-delta","id":"[^"]*","delta":"([^"]*)"/g)].map(([, word]) => word);
    if (!words.join('').includes('Oslo: -3 °C; Rome: 14 °C')) throw new Error(`the route answered:\n${answer}`);
  } finally {
    server.kill();
    await ended;
  }
}
