import { describe, expect, test } from 'vitest';
import { opener } from './open-in-browser.ts';

describe('opener', () => {
  test('names the program of each desktop', () => {
    expect(opener('darwin', {})).toEqual(['open']);
    expect(opener('win32', {})?.[0]).toBe('rundll32');
    expect(opener('linux', { DISPLAY: ':0' })).toEqual(['xdg-open']);
    expect(opener('linux', { WAYLAND_DISPLAY: 'wayland-0' })).toEqual(['xdg-open']);
  });

  test('returns undefined if a browser would start in the terminal', () => {
    expect(opener('linux', {})).toBeUndefined();
    expect(opener('linux', { DISPLAY: '' })).toBeUndefined();
  });
});
