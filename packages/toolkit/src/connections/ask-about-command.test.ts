import { createPermissionEngine, type PermissionQuestion } from '@haft/permission';
import { expect, it } from 'vitest';
import { askCommandBy } from './ask-about-command.ts';

it('The question about a server at a URL names the URL and is not judged as a command', async () => {
  const asked: PermissionQuestion[] = [];
  const permission = createPermissionEngine({ ask: (question) => (asked.push(question), { action: 'allow' }) });
  const line = 'https://far.example/mcp';
  const env = ['authorization=Bearer ${TOKEN}'];
  const request = { connection: 'far', line, cwd: undefined, env, hash: 'h' };
  expect(await askCommandBy(permission, '/project')(request, new AbortController().signal)).toBe(true);
  expect(asked).toMatchObject([{ arguments: { name: 'far', url: line, env } }]);
  expect(asked[0]).not.toHaveProperty('uncertainties');
  expect(asked[0]).not.toHaveProperty('command');
  expect(asked[0]!.title).toContain('Send values of your environment to the MCP server far');
});
