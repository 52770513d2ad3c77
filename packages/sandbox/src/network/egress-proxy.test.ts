import { createServer, request, type IncomingMessage, type Server } from 'node:http';
import { connect, createServer as createSocketServer, type AddressInfo, type Socket } from 'node:net';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { existsSync, readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { hasJail } from '../fixtures/has-jail.ts';
import { abortWhenSeen } from '../fixtures/run-line.ts';
import { makeRoot } from '../fixtures/temporary-directory.ts';
import { asUnprivilegedUser } from '../fixtures/unprivileged-user.ts';
import { createJail } from '../jail/create-jail.ts';
import type { Jail, JailAccess } from '../jail/contract/jail.ts';
import { runProcess } from '../processes/run-process.ts';
import { type ProcessResult } from '../processes/process-result.ts';
import { type RunProcessOptions } from '../processes/run-process-options.ts';
import { openEgress, type Egress } from './egress-proxy.ts';
import { createNetworkGuard, type NetworkGuard } from './network-guard.ts';

const isJailAvailable = await hasJail('egress-proxy.test.ts');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Starts a server on loopback that represents the public network; the guards of the tests allow its address. */
async function serve(): Promise<{ readonly port: number; readonly requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server: Server = createServer((incoming, answer) => {
    requests.push(incoming);
    answer.end(`page ${incoming.url} of ${incoming.headers.host}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => (server.closeAllConnections(), server.close()));
  return { port: (server.address() as AddressInfo).port, requests };
}

const guardFor = (answers: Readonly<Record<string, string>>): NetworkGuard =>
  createNetworkGuard({
    allow: ['127.0.0.1'],
    resolve: (name) =>
      answers[name] === undefined ? Promise.reject(new Error('none')) : Promise.resolve([answers[name]]),
  });

async function open(hosts: readonly string[], guard = guardFor({ 'a.test': '127.0.0.1' })): Promise<Egress> {
  const egress = await openEgress({ hosts, guard });
  closing.push(() => egress.close());
  return egress;
}

/** Sends a plain request through the proxy and returns the status and body. */
function get(egress: Egress, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request({
      socketPath: egress.socketPath,
      path: url,
      headers: { host: 'forged.test', 'proxy-authorization': 'x' },
    });
    sent.on('error', reject);
    sent.on('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve(`${answer.statusCode} ${text}`));
    });
    sent.end();
  });
}

/** Returns whether a response through the proxy is complete. */
function getUntilEnd(egress: Egress, url: string): Promise<'whole' | 'broke off'> {
  return new Promise((resolve) => {
    const sent = request({ socketPath: egress.socketPath, path: url });
    sent.on('error', () => resolve('broke off'));
    sent.on('response', (answer) => {
      answer.on('error', () => {}).resume();
      answer.once('close', () => resolve(answer.complete ? 'whole' : 'broke off'));
    });
    sent.end();
  });
}

/** Sends CONNECT and a request, and returns everything the proxy and the server answer. */
function tunnel(egress: Egress, target: string): Promise<string> {
  return new Promise((resolve) => {
    const socket: Socket = connect(egress.socketPath);
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (bytes) => {
      if (received === '' && bytes.toString().includes(' 200 '))
        socket.write(`GET /t HTTP/1.0\r\nhost: ${target}\r\n\r\n`);
      received += bytes.toString();
    });
    socket.on('close', () => resolve(received));
    socket.write(`CONNECT ${target} HTTP/1.1\r\nhost: ${target}\r\n\r\n`);
  });
}

describe('the egress proxy', () => {
  it('forwards requests to allowed hosts by name and removes proxy headers', async () => {
    const { port, requests } = await serve();
    const egress = await open([`a.test:${port}`]);
    expect(await get(egress, `http://a.test:${port}/x?y`)).toBe(`200 page /x?y of a.test:${port}`);
    expect(requests[0]!.headers).not.toHaveProperty('proxy-authorization');
    expect(await tunnel(egress, `a.test:${port}`)).toMatch(/^HTTP\/1\.1 200 .*page \/t of a\.test/s);
  });

  it.each([
    ['another host', 'b.test:PORT', 403],
    ['a host below', 'x.a.test:PORT', 403],
    ['another port', 'a.test:22', 403],
    ['an address for the name', '127.0.0.1:PORT', 403],
    ['an address in another spelling', '2130706433:PORT', 403],
    ['no port', 'a.test', 400],
    ['a user', 'a.test@b.test:PORT', 400],
    ['a path', 'a.test:PORT/x', 400],
    ['a dot at the end', 'a.test.:PORT', 200],
    ['capitals', 'A.TEST:PORT', 200],
  ])('returns the expected status for %s', async (_what, target, status) => {
    const { port } = await serve();
    const egress = await open([`a.test:${port}`]);
    expect(await tunnel(egress, target.replace('PORT', String(port)))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('refuses an allowed host at a private address and one without an address', async () => {
    const { port, requests } = await serve();
    const names = { 'a.test': '10.0.0.1', 'b.test': '127.0.0.1', 'c.test': '169.254.169.254' };
    const guard = createNetworkGuard({ resolve: (name) => Promise.resolve([names[name as 'a.test']].filter(Boolean)) });
    const egress = await open([`*.test:${port}`], guard);
    for (const name of Object.keys(names)) {
      expect(await tunnel(egress, `${name}:${port}`)).toMatch(/^HTTP\/1\.1 403 /);
      expect(await get(egress, `http://${name}:${port}/`)).toMatch(/^403 /);
    }
    expect(await tunnel(egress, `none.test:${port}`)).toMatch(/^HTTP\/1\.1 502 /);
    expect(requests).toEqual([]);
  });

  it.each(['CONNECT a.test:80 HTTP/1.1', 'GET http://a.test/ HTTP/1.1'])(
    'closes the outgoing connection if the client has gone before it opens: %s',
    async (line) => {
      const { port } = await serve();
      let onLookup: () => void = () => {};
      const lookupStarted = new Promise<void>((resolve) => (onLookup = resolve));
      let answer: (addresses: readonly string[]) => void = () => {};
      const resolve = (): Promise<readonly string[]> => {
        onLookup();
        return new Promise((settle) => (answer = settle));
      };
      let dialed: (socket: Socket) => void = () => {};
      const outgoing = new Promise<Socket>((settle) => (dialed = settle));
      const egress = await openEgress({
        hosts: ['a.test'],
        guard: createNetworkGuard({ allow: ['127.0.0.1'], resolve }),
        dial: () => {
          const socket = connect({ host: '127.0.0.1', port });
          dialed(socket);
          return socket;
        },
      });
      closing.push(() => egress.close());
      const client = connect(egress.socketPath);
      client.write(`${line}\r\nhost: a.test\r\n\r\n`);
      await lookupStarted;
      client.destroy();
      await once(client, 'close');
      // The proxy learns of it in a later turn of the event loop.
      await setTimeout(50);
      answer(['127.0.0.1']);
      const socket = await outgoing;
      if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(5_000) });
    },
  );

  it.each([
    ['a protocol that was not asked for', 'HTTP/1.1 101 X\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['informational answers alone', 'HTTP/1.1 103 X\r\n\r\n'],
    ['less than it announced', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhello'],
  ])('closes the connection of the client if a server answers with %s', async (_, received) => {
    const server = createSocketServer((socket) => {
      socket.on('error', () => {}).once('data', () => void socket.end(received));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => server.close());
    const { port } = server.address() as AddressInfo;
    const egress = await open([`a.test:${port}`]);
    const outcome = await getUntilEnd(egress, `http://a.test:${port}/`);
    expect(outcome).toBe('broke off');
  });

  it('interprets a host without a port as ports 80 and 443', async () => {
    const egress = await open(['a.test', '127.0.0.1:80']);
    // Nothing listens there; only the attempt matters.
    expect(await tunnel(egress, 'a.test:443')).toMatch(/^HTTP\/1\.1 502 /);
    expect(await tunnel(egress, 'a.test:8080')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await get(egress, 'https://a.test/')).toMatch(/^400 /);
    expect(await get(egress, '/relative')).toMatch(/^400 /);
  });

  it('is accessible only by its owner and removed when closed', async () => {
    const egress = await open([]);
    expect(statSync(egress.directory).mode & 0o077).toBe(0);
    expect(await tunnel(egress, 'a.test:443')).toMatch(/^HTTP\/1\.1 403 /);
    await egress.close();
    expect(existsSync(egress.directory)).toBe(false);
  });

  it.each(['', '*', '10.0.0.0/8', 'http://a.test', 'a b'])('rejects %j as a host', async (host) => {
    await expect(openEgress({ hosts: [host] })).rejects.toThrow(TypeError);
  });
});

describe.skipIf(!isJailAvailable)('a jail with allowed hosts', () => {
  async function openJail(root: string, hosts: readonly string[], loopback?: 'own'): Promise<Jail> {
    const guard = guardFor({ 'a.test': '127.0.0.1' });
    const jail = await createJail({
      policy: 'required',
      write: [root],
      read: [process.execPath],
      network: { hosts, guard, ...(loopback ? { loopback } : {}) },
    });
    if (!jail.ok) throw new Error(jail.message);
    closing.push(() => jail.close());
    return jail;
  }
  async function run(
    line: string,
    hosts: readonly string[],
    more?: JailAccess,
    options: Partial<RunProcessOptions> = {},
  ): Promise<ProcessResult> {
    const { root } = makeRoot();
    const jail = await openJail(root, hosts);
    const kept = more
      ? { ...jail, wrap: (command: Parameters<typeof jail.wrap>[0]) => jail.wrap(command, more) }
      : jail;
    return runProcess({
      command: line,
      shell: true,
      cwd: root,
      jail: kept,
      timeoutMs: 30_000,
      killGraceMs: 500,
      ...options,
    });
  }
  const fetching = (url: string): string =>
    `'${process.execPath}' -e "fetch('${url}').then(async (answer) => console.log(answer.status, await answer.text()), (error) => console.log('refused'))"`;

  /** Requests a URL from the proxy itself, without starting Node. */
  const asking = (url: string): string =>
    existsSync('/bin/bash')
      ? `bash -c 'exec 5<>/dev/tcp/127.0.0.1/3128; printf "GET ${url} HTTP/1.0\\r\\n\\r\\n" >&5; sed -n "s/^HTTP\\/1.1 \\([0-9]*\\).*/\\1/p; \\$ p" <&5 | paste -sd " "; echo'`
      : fetching(url);

  it('reaches allowed hosts through the proxy variables, and nothing else', async () => {
    const { port } = await serve();
    const hosts = [`a.test:${port}`];
    expect((await run(fetching(`http://a.test:${port}/in`), hosts)).output.text).toBe(
      `200 page /in of a.test:${port}\n`,
    );
    const other = createSocketServer((socket) => socket.destroy());
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    closing.push(() => other.close());
    const { port: closed } = other.address() as AddressInfo;
    expect((await run(fetching(`http://b.test:${port}/`), hosts)).output.text).toMatch(/^(?:403 .*|refused)\n$/);
    expect((await run(fetching(`http://127.0.0.1:${closed}/`), hosts)).output.text).toBe('refused\n');
  });

  it('preserves input, output and exit code of the command', async () => {
    const result = await run('echo out; echo err >&2; cat; echo "$HTTPS_PROXY"; exit 9', []);
    expect(result).toMatchObject({ exitCode: 9, output: { text: 'out\nerr\nhttp://127.0.0.1:3128\n' } });
    expect(await run('wait; echo no child', [])).toMatchObject({ exitCode: 0, output: { text: 'no child\n' } });
  });

  it('ends with its command, which can clean up', async () => {
    const line = "trap 'echo tidy; exit 4' TERM; echo up; while :; do sleep 0.05; done";
    const result = await run(line, [], undefined, { ...abortWhenSeen('up'), killGraceMs: 10_000 });
    expect(result).toMatchObject({ aborted: true, exitCode: 4, survivors: [] });
    expect(result.output.text).toMatch(/tidy\n$/);
  });

  it('can deny all network access to one command', async () => {
    const { port } = await serve();
    const received = await run(fetching(`http://a.test:${port}/`), [`a.test:${port}`], { network: false });
    expect(received.output.text).toBe('refused\n');
  });

  it('shares one network among its commands, but not with other jails', async () => {
    const { port } = await serve();
    const hosts = [`a.test:${port}`];
    const { root } = makeRoot();
    const [one, other, apart] = [
      await openJail(root, hosts),
      await openJail(root, hosts),
      await openJail(root, hosts, 'own'),
    ];
    const networkIn = async (jail: Jail): Promise<string> => {
      const line = `readlink /proc/self/ns/net; ${asking(`http://a.test:${port}/in`)}; ls -A '${tmpdir()}'`;
      const { output } = await runProcess({ command: line, shell: true, cwd: root, jail });
      const [network = '', page, ...left] = output.text.split('\n');
      expect(page).toBe(`200 page /in of a.test:${port}`);
      // Commands in the shared network need no access to the socket of the proxy.
      expect(left.some((name) => name.startsWith('haft-egress-'))).toBe(jail === apart);
      return network;
    };
    const seen = [];
    for (const jail of [one, one, other, apart, apart]) seen.push(await networkIn(jail));
    expect(seen[1]).toBe(seen[0]);
    // The number of a removed network may be reused.
    const [ofOne, , ofOther, ...ofNone] = seen;
    expect(ofOther).not.toBe(ofOne);
    for (const network of ofNone) expect([ofOne, ofOther]).not.toContain(network);
    expect(seen).not.toContain(readlinkSync('/proc/self/ns/net'));
    expect(one.wrap({ file: '/bin/true', args: [], cwd: root }, { network: false }).args).not.toContain('--share-net');
  });

  it('prevents commands from listening on the proxy port, and continues when the shared network is lost', async () => {
    const { port } = await serve();
    const { root } = makeRoot();
    const jail = await openJail(root, [`a.test:${port}`]);
    const runIn = async (command: string): Promise<string> =>
      (await runProcess({ command, shell: true, cwd: root, jail })).output.text;
    const code = `(async () => {
      for (const address of ['127.0.0.1', '0.0.0.0', '::'])
        await new Promise((resolve) =>
          require('net').createServer()
            .on('error', ({ code }) => resolve(console.log(code)))
            .listen(3128, address, () => process.exit(console.log('taken'))));
    })()`;
    expect(await runIn(`'${process.execPath}' -e "${code}"`)).toBe('EADDRINUSE\n'.repeat(3));
    const network = (await runIn('readlink /proc/self/ns/net')).trim();
    const holders = processesIn(network);
    expect(holders.length).toBeGreaterThan(0);
    for (const pid of holders)
      try {
        process.kill(pid, 'SIGKILL');
      } catch {
        // It ended together with the previous one.
      }
    const start = { file: '/bin/true', args: [], cwd: root };
    await expect.poll(() => jail.wrap(start).args.includes('--share-net')).toBe(false);
    expect(await runIn(`readlink /proc/self/ns/net; ${asking(`http://a.test:${port}/in`)}`)).toMatch(
      new RegExp(`^(?!net:\\[${network.slice(5, -1)}\\])net:.*\\n200 page /in`),
    );
  });

  it('leaves no process behind when it is closed or its program is killed, even without privileges', async () => {
    const { root } = makeRoot();
    const jail = await openJail(root, []);
    const { output } = await runProcess({ command: 'readlink /proc/self/ns/net', shell: true, cwd: root, jail });
    await jail.close();
    await expect.poll(() => processesIn(output.text.trim())).toEqual([]);
    const code = `
      const { createJail, runProcess } = await import(${JSON.stringify(new URL('../index.ts', import.meta.url).href)});
      const jail = await createJail({ policy: 'required', network: { hosts: [] } });
      const tell = () => runProcess({ command: '/bin/readlink', args: ['/proc/self/ns/net'], cwd: '/', jail });
      process.stdout.write((await tell()).output.text + (await tell()).output.text);
      setInterval(() => {}, 1000);`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
      cwd: '/',
      ...(await getUnprivilegedIds(root)),
    });
    const [received] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    const [network = '', again] = received.split('\n');
    expect(again).toBe(network);
    expect(processesIn(network).length).toBeGreaterThan(0);
    child.kill('SIGKILL');
    await expect.poll(() => processesIn(network)).toEqual([]);
  });
});

/** Returns ids for a process without privileges, or none if the sources are not readable for everyone. */
async function getUnprivilegedIds(root: string): Promise<{ readonly uid?: number; readonly gid?: number }> {
  let ids = {};
  await asUnprivilegedUser(root, async () => {
    try {
      readFileSync(new URL('../index.ts', import.meta.url));
      if (process.getuid?.() === 0) ids = { uid: process.geteuid?.(), gid: process.geteuid?.() };
    } catch {
      // The process runs as the superuser then.
    }
  });
  return ids;
}

/** Returns the ids of the processes in a network. */
function processesIn(network: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((id) => {
      try {
        return id > 0 && readlinkSync(`/proc/${id}/ns/net`) === network;
      } catch {
        return false;
      }
    });
}
