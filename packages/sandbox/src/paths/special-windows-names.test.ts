import { expect, test } from 'vitest';
import { isSpecialWindowsName } from './special-windows-names.ts';

test.each(['CON', 'nul', 'NUL.txt', 'com1', 'LPT9.log', 'aux', 'a.', 'a ', 'a::$DATA', 'a:b', 'COM¹', 'conin$'])(
  'isSpecialWindowsName returns true for %j',
  (name) => {
    expect(isSpecialWindowsName(name)).toBe(true);
  },
);

test.each(['console', 'null', 'com', 'com10', '.gitignore', 'a.b', 'a b', 'LPTX'])(
  'isSpecialWindowsName returns false for %j',
  (name) => {
    expect(isSpecialWindowsName(name)).toBe(false);
  },
);
