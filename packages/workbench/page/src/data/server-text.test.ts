import { expect, it } from 'vitest';
import { withoutFence } from './server-text.ts';

it('takes the description of a server out of its fence', () => {
  const fence = 'untrusted-8ce02ee0';
  const given = `[text of the MCP server tickets, untrusted]\n<${fence}>\nCreates a ticket.\n</${fence}>`;
  expect(withoutFence(given)).toEqual({ text: 'Creates a ticket.', isUntrusted: true });
});

it('keeps other descriptions, and fences that do not match', () => {
  for (const text of ['Reads a file.', '[text of the MCP server a, untrusted] <untrusted-1>x</untrusted-2>'])
    expect(withoutFence(text)).toEqual({ text, isUntrusted: false });
});
