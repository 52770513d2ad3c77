import { failure, success, toolError, type ResultExtras, type ToolKind, type ToolResult } from '@haft/core';
import { describe, expect, test } from 'vitest';
import { formatCalls } from './format-calls.ts';
import { plainPaint } from './paint.ts';
import type { ShownCall } from './shown-call.ts';

const patch = '--- a/src/a.ts\n+++ b/src/a.ts\n@@ -1,2 +1,4 @@\n same\n-old\n+new\n+newer\n+newest\n';
const diff = { path: 'src/a.ts', patch, existedBefore: true, additions: 3, deletions: 1 };

function shown(name: string, kind: ToolKind, target: string, result: ToolResult, envelope?: string): ShownCall {
  return { name, kind, target, result, envelope, written: undefined };
}

function done(extras: ResultExtras = {}): ToolResult {
  return success('c', 'fine', { durationMs: 1.2, ...extras });
}

const show = (...calls: readonly ShownCall[]): string =>
  formatCalls(calls, { paint: plainPaint, width: 100 }).join('\n');

describe('formatCalls', () => {
  test('shows one line per call, reads before writes, with times, counts and the diff', () => {
    const read = shown('read', 'read', 'src/a.ts', done());
    const edit = shown('edit', 'edit', 'src/a.ts', done({ diff }));
    expect(show(edit, read)).toBe(
      [
        '✓ read src/a.ts (1 ms)',
        '── writes ──',
        '✓ edit src/a.ts (+3 −1)',
        '    -old',
        '    +new',
        '    +newer',
        '    +newest',
      ].join('\n'),
    );
  });

  test('shows how a call was read if not literally', () => {
    const repair = { code: 'trailing-comma', start: 1, end: 2, found: ',', assumed: '', risk: 'safe' } as const;
    const result = done({
      arguments: {
        value: {},
        risk: 'safe',
        repairs: [repair, repair],
        coercions: [{ path: '$.file', code: 'alias', from: 'file', to: 'path' }],
      },
    });
    expect(show(shown('ls', 'read', '.', result, 'hermes'))).toContain(
      'read as meant: written as text (hermes), trailing-comma ×2, file → path',
    );
  });

  test('names code, fault and reason of a failure, and distinguishes a refusal from a mistake', () => {
    const denied = failure(
      'c',
      toolError('PERMISSION_DENIED', 'bash was not allowed', { denial: { source: 'rule', reason: 'no pushing' } }),
    );
    const missing = failure('c', toolError('TEXT_NOT_FOUND', 'the text is not in src/a.ts'));
    const text = show(shown('bash', 'other', 'git push', denied), shown('edit', 'edit', 'src/a.ts', missing));
    expect(text).toContain('⊘ bash git push PERMISSION_DENIED (policy)\n    no pushing');
    expect(text).toContain('✗ edit src/a.ts (0 ms) TEXT_NOT_FOUND (model)\n    the text is not in src/a.ts');
  });

  test('wraps a long reason between words, with its issues and the hint on their own lines', () => {
    const long =
      'the arguments do not fit the schema of the tool, and this sentence goes on for a good while to say so';
    const failed = failure(
      'c',
      toolError('INVALID_ARGS', long, {
        hint: 'Give path as a text.',
        issues: [{ path: '$.path', message: '$.path is required', code: 'required' } as never],
      }),
    );
    const call = shown('edit', 'edit', 'src/a.ts', failed);
    const lines = formatCalls([call], { paint: plainPaint, width: 40 });
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(40);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(`${long} $.path is required → Give path as a text.`);
    expect(lines).toContain('    → Give path as a text.');
  });

  test('cuts a long diff and counts the omitted lines', () => {
    const long = {
      ...diff,
      patch: Array.from({ length: 30 }, (_, index) => `+line ${index}`).join('\n'),
      additions: 30,
      deletions: 0,
    };
    const lines = show(shown('write', 'edit', 'b', done({ diff: long }))).split('\n');
    expect(lines.at(-1)).toBe('    … 22 more lines');
    expect(lines).toHaveLength(11);
    const whole = formatCalls([shown('write', 'edit', 'b', done({ diff: long }))], {
      paint: plainPaint,
      width: 100,
      isWhole: true,
    });
    expect(whole).toHaveLength(32);
  });

  test('removes escape sequences of tools and models', () => {
    const evil = { ...diff, patch: '+\u001b[2J\u001b]0;owned\u0007safe\r\u202egnp' };
    const text = show(shown('edit', 'edit', 'a', done({ diff: evil })));
    expect(text).toContain('+safegnp');
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });
});
