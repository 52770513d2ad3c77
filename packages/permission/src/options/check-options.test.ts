import { describe, expect, it } from 'vitest';
import { createPermissionEngine } from '../engine/create-permission-engine.ts';
import { editing, reading } from '../fixtures/create-request.ts';
import { at, root, said } from '../fixtures/permission-ground.ts';

describe('options that would make an engine that guards less than was meant', () => {
  it.each<[unknown, RegExp]>([
    [null, /its argument must be an object such as .* not null/],
    [[], /its argument must be an object/],
    [{ mode: 'readonly' }, /mode must be one of "ask", "read-only", "allow", not "readonly"/],
    [{ mode: 'yolo' }, /not "yolo"/],
    [{ mode: null }, /mode must be/],
    [{ rule: [] }, /no option "rule"; did you mean rules\?/],
    [{ whatever: 1 }, /no option "whatever" \(there are rules, /],
    [{ rules: 'deny' }, /rules must be a list of rules, or \{ policy, user, project, default \}, not "deny"/],
    [{ rules: { projects: [] } }, /no layer "projects"; did you mean project\?/],
    [{ rules: { user: {} } }, /rules.user must be a list of rules, not an object/],
    [{ defaults: 'deny' }, /defaults must be an object such as .* not "deny"/],
    [{ defaults: { others: 'deny' } }, /no member "others"; did you mean other\?/],
    [{ defaults: { other: 'never' } }, /defaults.other must be one of "allow", "deny", "ask", not "never"/],
    [{ ask: 'yes' }, /ask must be a function, not "yes"/],
    [{ onDecision: {} }, /onDecision must be a function, not an object/],
    [{ roots: '/a' }, /roots must be a list of absolute paths, not "\/a"/],
    [{ roots: ['src'] }, /roots\[0\] must be an absolute path, not "src"/],
    [{ roots: ['/a', 3] }, /roots\[1\] must be an absolute path, not 3/],
    [{ rules: { action: 'deny' } }, /rules is one rule and must be a list: wrap it in \[ \]/],
    [{ rules: { user: { action: 'deny' } } }, /rules.user is one rule and must be a list: wrap it in \[ \]/],
    [{ protectedGlobs: '**' }, /protectedGlobs must be a list of globs/],
    [{ protectedGlobs: ['{a'] }, /protectedGlobs: the pattern "\{a" can.t be used: a brace is not closed/],
    [{ writeProtectedGlobs: [''] }, /writeProtectedGlobs must be a list of globs/],
  ])('are refused: %j', (options, message) => {
    const make = (): unknown => createPermissionEngine(options as never);
    expect(make).toThrow(message);
    expect(make).toThrow(expect.objectContaining({ name: 'PermissionError', code: 'INVALID_OPTION' }));
  });

  it('are refused for a change of mode too, and the mode stays', () => {
    const engine = createPermissionEngine({ mode: 'read-only' });
    expect(() => engine.setMode('readonly' as never)).toThrow(/setMode: mode must be one of/);
    expect(engine.mode).toBe('read-only');
  });

  it('are no options that are left out', async () => {
    const undefineds = { rules: undefined, defaults: { other: undefined }, ask: undefined, mode: undefined };
    const engine = createPermissionEngine({ roots: [root], ...undefineds } as never);
    expect(await said(engine.ask(editing(at('a.txt'))))).toBe('deny: nobody-to-ask');
    expect(await said(engine.ask(reading(at('a.txt'))))).toBe('allow');
  });
});
