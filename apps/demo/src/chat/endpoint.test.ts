import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../program/usage-error.ts';
import { checkReachable, resolveEndpoint, type EndpointOptions } from './endpoint.ts';

const nothing: EndpointOptions = { baseUrl: undefined, model: undefined, apiKeyEnv: undefined };

describe('resolveEndpoint', () => {
  test('uses the typed URL and model, and sends only a key that was named', () => {
    const typed = { ...nothing, baseUrl: 'http://localhost:1/v1/', model: 'm' };
    expect(resolveEndpoint(typed, { OPENAI_API_KEY: 'secret' })).toEqual({
      vendor: 'custom',
      baseUrl: 'http://localhost:1/v1',
      model: 'm',
      apiKey: undefined,
    });
    expect(resolveEndpoint({ ...typed, apiKeyEnv: 'MINE' }, { MINE: 'k' }).apiKey).toBe('k');
  });

  test("uses the first vendor with a key, at the vendor's own URL", () => {
    const endpoint = resolveEndpoint({ ...nothing, model: 'm' }, { GROQ_API_KEY: 'g', MISTRAL_API_KEY: 'x' });
    expect(endpoint).toMatchObject({ vendor: 'groq', baseUrl: 'https://api.groq.com/openai/v1', apiKey: 'g' });
  });

  test("reads the variables of the vendor's own tools", () => {
    const environment = { OPENAI_API_KEY: 'o', OPENAI_BASE_URL: 'http://localhost:9', OPENAI_MODEL: 'small' };
    expect(resolveEndpoint(nothing, environment)).toEqual({
      vendor: 'openai',
      baseUrl: 'http://localhost:9',
      model: 'small',
      apiKey: 'o',
    });
  });

  test.each([
    [nothing, /needs --base-url URL, or a key/],
    [{ ...nothing, baseUrl: 'http://localhost' }, /needs --model NAME/],
    [{ ...nothing, baseUrl: 'localhost', model: 'm' }, /not a URL/],
    [{ ...nothing, baseUrl: 'ftp://localhost', model: 'm' }, /http or https/],
    [{ ...nothing, baseUrl: 'http://localhost', model: 'm', apiKeyEnv: 'NOPE' }, /--api-key-env NOPE/],
  ])('names what is missing in %j', (options, expected) => {
    expect(() => resolveEndpoint(options, {})).toThrow(UsageError);
    expect(() => resolveEndpoint(options, {})).toThrow(expected);
  });
});

describe('checkReachable', () => {
  test('accepts any response, and gives the reason if no server responds', async () => {
    const server = createServer((_request, response) => response.writeHead(401).end());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { signal } = new AbortController();
    await expect(checkReachable(baseUrl, signal)).resolves.toBeUndefined();
    await new Promise((resolve) => server.close(resolve));
    await expect(checkReachable(baseUrl, signal)).rejects.toThrow(
      `no server responds at ${baseUrl}: connection refused`,
    );
  });
});
