import { syncBuiltinESMExports } from 'node:module';
import os, { networkInterfaces } from 'node:os';
import { describe, expect, it, vi } from 'vitest';
import { findNonPublicReason } from './addresses.ts';
import { createNetworkGuard, type NetworkGuardOptions } from './network-guard.ts';

const publicAddress = '93.184.215.14';
const names: Readonly<Record<string, readonly string[]>> = {
  'public.example': [publicAddress, '2606:2800:21f:cb07:6820:80da:af6b:8b2c'],
  'inside.example': ['10.0.0.5'],
  'mixed.example': [publicAddress, '127.0.0.1'],
  'six.example': ['::1'],
  'mapped.example': ['::ffff:169.254.169.254'],
  'zone.example': ['fe80::1%eth0'],
  'nonsense.example': ['not an address'],
  'empty.example': [],
  localhost: [publicAddress],
};

const check = async (url: string, options: NetworkGuardOptions = {}): Promise<string> => {
  const guard = createNetworkGuard({
    resolve: async (hostname) => {
      const found = names[hostname];
      if (!found) throw Object.assign(new Error('no'), { code: 'ENOTFOUND' });
      return found;
    },
    ...options,
  });
  const target = await guard.check(url);
  return target.ok ? 'open' : target.code;
};

describe('createNetworkGuard', () => {
  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://127.255.255.254:8080/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0x7f.1/',
    'http://0177.0.0.1/',
    'http://017700000001/',
    'http://①②⑦.⓪.⓪.①/',
    'http:\\\\127.0.0.1\\',
    'http://127.0.0.1./',
    'http://127%2e0.0.1/',
    'http://0/',
    'http://0.0.0.0/',
    'http://10.1.2.3/',
    'http://100.64.0.1/',
    'http://100.100.100.200/latest/meta-data/',
    'http://168.63.129.16/',
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://192.0.0.192/',
    'http://192.0.2.1/',
    'http://192.88.99.1/',
    'http://192.168.1.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:7f00:1]/',
    'http://[::ffff:a00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[64:ff9b::169.254.169.254]/',
    'http://[64:ff9b:1::a00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[2001:0:7f00:1::]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[fe80::1]/',
    'http://[fec0::1]/',
    'http://[fc00::1]/',
    'http://[fd00:ec2::254]/',
    'http://[ff02::1]/',
    'http://[100::1]/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://metadata.google.internal/',
    'http://printer.local/',
    'http://inside.example/',
    'http://mixed.example/',
    'http://six.example/',
    'http://mapped.example/',
    'http://zone.example/',
    'http://nonsense.example/',
    'http://public.example@127.0.0.1/',
    'http://user:secret@public.example/',
    'http://127.0.0.1#@public.example/',
    'http://127.0.0.1\\@public.example/',
    'file:///etc/passwd',
    'gopher://public.example/',
    'ftp://public.example/',
    'data:text/plain,x',
    'javascript:1',
    'http://',
    'http://public.example\u0000.inside.example/',
    '//public.example/',
    '',
  ])('refuses %j', async (url) => {
    expect(await check(url)).toBe('URL_REFUSED');
  });

  it.each([
    'http://public.example/',
    'https://public.example:8443/a?b#c',
    'http://PUBLIC.example./',
    'http://8.8.8.8/',
    'http://[2606:4700:4700::1111]/',
    'http://[64:ff9b::808:808]/',
  ])('allows %s', async (url) => {
    expect(await check(url)).toBe('open');
  });

  it('refuses addresses of this machine, even public ones', async () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    for (const { address, family } of own)
      expect(await check(family === 'IPv6' ? `http://[${address.split('%')[0]}]/` : `http://${address}/`)).toBe(
        'URL_REFUSED',
      );
    expect(own.length).toBeGreaterThan(0);
  });

  it('resolves a name once, returns the checked addresses, and does not resolve internal names', async () => {
    const asked: string[] = [];
    const answers = [[publicAddress], ['127.0.0.1']];
    const guard = createNetworkGuard({
      resolve: async (hostname) => {
        asked.push(hostname);
        return answers.shift()!;
      },
    });
    // A name that changes between check and use has no effect, because the address is returned.
    expect(await guard.check('http://rebinding.example/')).toMatchObject({ ok: true, addresses: [publicAddress] });
    expect((await guard.check('http://rebinding.example/')).ok).toBe(false);
    expect((await guard.check('http://db.internal/')).ok).toBe(false);
    expect(asked).toEqual(['rebinding.example', 'rebinding.example']);
  });

  it('returns HOST_NOT_FOUND for a name without an address', async () => {
    expect(await check('http://unknown.example/')).toBe('HOST_NOT_FOUND');
    expect(await check('http://empty.example/')).toBe('HOST_NOT_FOUND');
  });

  it('allows listed hosts, ports, addresses and ranges', async () => {
    expect(await check('http://inside.example/', { allow: ['inside.example'] })).toBe('open');
    expect(await check('http://inside.example:81/', { allow: ['inside.example:80'] })).toBe('URL_REFUSED');
    expect(await check('http://inside.example/', { allow: ['*.example'] })).toBe('open');
    expect(await check('http://inside.example/', { allow: ['*.inside.example'] })).toBe('URL_REFUSED');
    expect(await check('http://inside.example/', { allow: ['10.0.0.0/8'] })).toBe('open');
    expect(await check('http://inside.example/', { allow: ['10.0.0.6'] })).toBe('URL_REFUSED');
    expect(await check('http://[::ffff:7f00:1]/', { allow: ['127.0.0.1'] })).toBe('open');
    expect(await check('http://localhost/', { allow: ['localhost'] })).toBe('open');
    expect(await check('http://notinside.example/', { allow: ['inside.example'] })).toBe('HOST_NOT_FOUND');
  });

  it('refuses denied hosts even if they are allowed', async () => {
    expect(await check('http://public.example./', { deny: ['public.example'] })).toBe('URL_REFUSED');
    expect(await check('http://public.example/', { deny: ['2606::/16'], allow: ['public.example'] })).toBe(
      'URL_REFUSED',
    );
    expect(await check('http://inside.example/', { deny: ['*.example'], allow: ['inside.example'] })).toBe(
      'URL_REFUSED',
    );
  });

  it.each(['', 'http://a.example', 'a b', '*', 'a.*', '10.0.0.0/33', '10.0.0.0/8/8', 'user@a.example', 'a.example/x'])(
    'rejects %j as a host',
    (entry) => {
      expect(() => createNetworkGuard({ allow: [entry] })).toThrow(TypeError);
    },
  );

  it('recognizes public addresses of this machine in every spelling', async () => {
    const own = ['93.184.215.77', '2606:2800:21f:cb07::77%eth0'].map((address) => ({ address }));
    const listing = vi.spyOn(os, 'networkInterfaces').mockReturnValue({ eth0: own as os.NetworkInterfaceInfo[] });
    syncBuiltinESMExports();
    try {
      for (const host of ['93.184.215.77', '[::ffff:93.184.215.77]', '[2606:2800:21f:cb07:0::77]'])
        expect([host, await check(`http://${host}/`)]).toEqual([host, 'URL_REFUSED']);
      expect(await check('http://93.184.215.78/')).toBe('open');
    } finally {
      listing.mockRestore();
      syncBuiltinESMExports();
    }
  });

  it('does not show internal addresses to the model', async () => {
    const guard = createNetworkGuard({ resolve: async () => ['10.9.8.7'] });
    const refused = await guard.check('http://a.example/');
    expect(JSON.stringify(refused)).not.toContain('10.9.8.7');
  });
});

describe('judgeAddress at the borders of ranges', () => {
  it.each([
    ['9.255.255.255', true],
    ['11.0.0.0', true],
    ['100.63.255.255', true],
    ['100.128.0.0', true],
    ['126.255.255.255', true],
    ['128.0.0.0', true],
    ['172.15.255.255', true],
    ['172.32.0.0', true],
    ['198.17.255.255', true],
    ['198.20.0.0', true],
    ['223.255.255.255', true],
    ['100.64.0.0', false],
    ['100.127.255.255', false],
    ['172.16.0.0', false],
    ['198.19.255.255', false],
    ['2001:200::', true],
    ['2001:1ff:ffff::', false],
    ['2003::', true],
    ['1fff::', false],
    ['4000::', false],
  ])('%s is public: %s', (address, isPublic) => {
    expect(findNonPublicReason(address) === undefined).toBe(isPublic);
  });
});
