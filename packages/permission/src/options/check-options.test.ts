import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { editing, reading } from '../fixtures/create-request.ts';
import { at, root, said, useGround } from '../fixtures/permission-ground.ts';

useGround();

describe('options that would weaken the engine by mistake', () => {
  it.each<[unknown, RegExp]>([
    [null, /its argument is not valid \(expected an object such as .* got null\)/],
    [[], /its argument is not valid \(expected an object/],
    [{ mode: 'readonly' }, /mode is not valid \(expected "ask", "read-only" or "allow", got "readonly"\)/],
    [{ mode: 'yolo' }, /got "yolo"/],
    [{ mode: null }, /mode is not valid/],
    [{ rule: [] }, /rule is not an option \(did you mean rules\?\)/],
    [{ whatever: 1 }, /whatever is not an option \(expected one of rules, /],
    [
      { rules: 'deny' },
      /rules is not valid \(expected an array of rules, or \{ policy, user, project, default \}, got "deny"\)/,
    ],
    [{ rules: { projects: [] } }, /rules\.projects is not an option \(did you mean project\?\)/],
    [{ rules: { user: {} } }, /rules\.user is not valid \(expected an array of rules, got an object\)/],
    [{ defaults: 'deny' }, /defaults is not valid \(expected an object such as .* got "deny"\)/],
    [{ defaults: { others: 'deny' } }, /defaults\.others is not an option \(did you mean other\?\)/],
    [
      { defaults: { other: 'never' } },
      /defaults\.other is not valid \(expected "allow", "deny" or "ask", got "never"\)/,
    ],
    [{ ask: 'yes' }, /ask is not valid \(expected a function, got "yes"\)/],
    [{ onDecision: {} }, /onDecision is not valid \(expected a function, got an object\)/],
    [{ roots: '/a' }, /roots is not valid \(expected an array of absolute paths, got "\/a"\)/],
    [{ roots: ['src'] }, /roots\[0\] is not valid \(expected an absolute path, got "src"\)/],
    [{ roots: ['/a', 3] }, /roots\[1\] is not valid \(expected an absolute path, got 3\)/],
    [{ rules: { action: 'deny' } }, /rules is a single rule \(expected an array: wrap it in \[ \]\)/],
    [{ rules: { user: { action: 'deny' } } }, /rules\.user is a single rule \(expected an array: wrap it in \[ \]\)/],
    [{ protectedGlobs: '**' }, /protectedGlobs is not valid \(expected an array of globs, got "\*\*"\)/],
    [{ protectedGlobs: ['{a'] }, /protectedGlobs: pattern: "\{a" is invalid: a brace is not closed/],
    [{ writeProtectedGlobs: [''] }, /writeProtectedGlobs\[0\] is not valid \(expected a string that is not empty/],
  ])('are rejected: %j', (options, message) => {
    const make = (): unknown => createPermissionEngine(options as never);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ name: 'PermissionError', code: 'INVALID_OPTION' }));
  });

  it('are rejected by setMode, which keeps the previous mode', () => {
    const engine = createPermissionEngine({ mode: 'read-only' });
    expect(() => engine.setMode('readonly' as never)).toThrow(/setMode: mode is not valid/);
    expect(engine.mode).toBe('read-only');
  });

  it('may be omitted', async () => {
    const undefineds = { rules: undefined, defaults: { other: undefined }, ask: undefined, mode: undefined };
    const engine = createPermissionEngine({ roots: [root], ...undefineds } as never);
    expect(await said(engine.ask(editing(at('a.txt'))))).toBe('deny: no-approver');
    expect(await said(engine.ask(reading(at('a.txt'))))).toBe('allow');
  });
});
