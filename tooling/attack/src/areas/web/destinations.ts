import { connect, createServer, type AddressInfo } from 'node:net';

import { createNetworkGuard, guardedFetch } from '@haft/sandbox';

import type { Attack } from '../../attack.ts';
import { startHostileServer } from './hostile-server.ts';

const inner: readonly string[] = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://0/',
  'http://0.0.0.0:22/',
  'http://%31%32%37.0.0.1/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://①②⑦.0.0.1/',
  'http://127.0.0.1./',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:0:7f00:1]/',
  'http://[::7f00:1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b:1::7f00:1]/',
  'http://[2002:7f00:1::]/',
  'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/',
  'http://[fec0::1]/',
  'http://[fd00:ec2::254]/',
  'http://[ff02::1]/',
  'http://[100::1]/',
  'http://[5f00::1]/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:a9fe:a9fe]/',
  'http://168.63.129.16/',
  'http://100.100.100.200/',
  'http://192.0.0.192/',
  'http://localhost/',
  'http://LOCALHOST./',
  'http://a.localhost/',
  'http://ｌｏｃａｌｈｏｓｔ/',
  'http://loc%61lhost/',
  'http://metadata.google.internal/',
  'http://printer.local/',
  'http://user@hostile.example/',
  'http://hostile.example:80@127.0.0.1/',
  'http://:@hostile.example/',
  'http:\\\\127.0.0.1\\',
  'http:/\t/127.0.0.1/',
  'ftp://hostile.example/',
  'file:///etc/passwd',
  'data:text/plain,x',
  'ws://127.0.0.1/',
  'gopher://127.0.0.1/',
];
/** Public addresses. */
const [four, six] = ['93.184.215.14', '2606:4700::1111'];
const answers: Readonly<Record<string, readonly unknown[]>> = {
  'an inner address': ['10.0.0.1'],
  'a public and an inner address': [four, '127.0.0.1'],
  'an inner and a public address': ['::1', six],
  'an address with a zone': [`${six}%lo`],
  'an address with a port': [`${four}:22`],
  'an address in brackets': ['[::1]'],
  'an octal address': ['0177.0.0.1'],
  'a short address': ['127.1'],
  'a name': ['localhost'],
  'a mapped address in capitals': ['::FFFF:127.0.0.1'],
  'an address with a line break': [`${four}\n127.0.0.1`],
  'an empty address': [''],
};

/** Fetches, and returns each address that was dialled. */
async function dialledBy(
  url: string,
  resolve: () => Promise<readonly string[]>,
  port = 9,
): Promise<{ readonly dialled: readonly string[]; readonly isOk: boolean; readonly body: string }> {
  const dialled: string[] = [];
  const dial = (address: string): ReturnType<typeof connect> => {
    dialled.push(address);
    return connect({ host: '127.0.0.1', port });
  };
  const result = await guardedFetch(url, { guard: createNetworkGuard({ resolve }), dial, timeoutMs: 2_000 });
  return { dialled, isOk: result.ok, body: result.ok ? Buffer.from(result.body).toString() : '' };
}

const direct: readonly Attack[] = inner.map((url) => ({
  name: `A model reaches this machine or its network by ${JSON.stringify(url)}`,
  async run() {
    const { dialled } = await dialledBy(url, () => Promise.resolve(['127.0.0.1']));
    return dialled.length === 0 ? undefined : `${dialled.join(', ')} was dialled`;
  },
}));

const resolved: readonly Attack[] = Object.entries(answers).map(([what, addresses]) => ({
  name: `A name leads into the private network by ${what}`,
  async run() {
    const { dialled } = await dialledBy('http://hostile.example/', () =>
      Promise.resolve(addresses as readonly string[]),
    );
    return dialled.length === 0 ? undefined : `${dialled.join(', ')} was dialled`;
  },
}));

const redirected: readonly Attack[] = [...inner.slice(0, 37), '//127.0.0.1/', '\\\\127.0.0.1\\', 'javascript:1'].map(
  (location) => ({
    name: `A server redirects a fetch into the private network by ${JSON.stringify(location)}`,
    async run(ground) {
      const server = await startHostileServer(ground, (socket, request) => {
        const isFirst = request.startsWith('GET /first ');
        const head = isFirst ? `302 X\r\nlocation: ${Buffer.from(location).toString('latin1')}` : '200 X';
        socket.end(`HTTP/1.1 ${head}\r\ncontent-length: 6\r\n\r\nsecret`);
      });
      const result = await server.fetch({}, 'http://hostile.example/first');
      return result.ok && !result.url.startsWith('http://hostile.example/') ? `${result.url} was fetched` : undefined;
    },
  }),
);

/** Attacks on `guardedFetch` by the target of a URL, a name or a redirect. */
export const destinationAttacks: readonly Attack[] = [
  ...direct,
  ...resolved,
  ...redirected,
  {
    name: 'A name has a public address when it is checked, and a private one when it is connected to',
    async run(ground) {
      const server = createServer((socket) => void socket.end('HTTP/1.1 302 X\r\nlocation: /again\r\n\r\n'));
      ground.onEnd(() => void server.close());
      await new Promise<void>((started) => server.listen(0, '127.0.0.1', started));
      let asked = 0;
      const { dialled } = await dialledBy(
        'http://hostile.example/',
        () => Promise.resolve([(asked += 1) === 1 ? four : '127.0.0.1']),
        (server.address() as AddressInfo).port,
      );
      return dialled.every((address) => address === four) ? undefined : `${dialled.join(', ')} were dialled`;
    },
  },
];
