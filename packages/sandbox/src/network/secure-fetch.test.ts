import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guardedFetch } from './guarded-fetch.ts';
import { createNetworkGuard } from './network-guard.ts';

const folder = mkdtempSync(join(tmpdir(), 'haft-tls-'));
const [keyFile, certificateFile] = [join(folder, 'key'), join(folder, 'certificate')];
const hasCertificate = makeCertificate();
if (!hasCertificate) process.stderr.write('secure-fetch.test.ts: https is not tested because openssl is missing\n');

function makeCertificate(): boolean {
  const line = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout ${keyFile} -out ${certificateFile} -days 2 -subj /CN=a.example -addext subjectAltName=DNS:a.example`;
  try {
    execFileSync('openssl', line.split(' '), { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const ca = hasCertificate ? readFileSync(certificateFile, 'utf8') : '';
const server = createServer(hasCertificate ? { key: readFileSync(keyFile), cert: ca } : {}, (request, response) => {
  const location = { '/down': 'http://a.example/', '/on': '/' }[request.url!];
  if (location === undefined) response.end(`for ${request.headers.host}`);
  else response.writeHead(302, { location }).end();
});
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

async function fetchText(url: string, trusted?: string): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const result = await guardedFetch(url, {
    guard: createNetworkGuard({ resolve: async () => ['93.184.215.14'] }),
    dial: () => connect({ host: '127.0.0.1', port }),
    ...(trusted === undefined ? {} : { ca: trusted }),
  });
  return result.ok ? Buffer.from(result.body).toString() : result.code;
}

describe.skipIf(!hasCertificate)('guardedFetch over https', () => {
  it('verifies the host by its certificate, regardless of the address', async () => {
    expect(await fetchText('https://a.example/', ca)).toBe('for a.example');
    expect(await fetchText('https://a.example/on', ca)).toBe('for a.example');
    expect(await fetchText('https://b.example/', ca)).toBe('FETCH_FAILED');
    expect(await fetchText('https://a.example/')).toBe('FETCH_FAILED');
  });

  it('does not follow a redirect to http', async () => {
    expect(await fetchText('https://a.example/down', ca)).toBe('URL_REFUSED');
  });
});
