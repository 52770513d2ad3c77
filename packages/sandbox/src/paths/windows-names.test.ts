import { expect, test } from 'vitest';
import { isTreacherousWindowsName } from './windows-names.ts';

test.each(['CON', 'nul', 'NUL.txt', 'com1', 'LPT9.log', 'aux', 'a.', 'a ', 'a::$DATA', 'a:b', 'COM¹', 'conin$'])(
  '%j is treacherous',
  (name) => {
    expect(isTreacherousWindowsName(name)).toBe(true);
  },
);

test.each(['console', 'null', 'com', 'com10', '.gitignore', 'a.b', 'a b', 'LPTX'])('%j is a plain name', (name) => {
  expect(isTreacherousWindowsName(name)).toBe(false);
});
