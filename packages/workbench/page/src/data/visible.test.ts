import { describe, expect, it } from 'vitest';
import { visible } from './visible.ts';

const tag = (text: string): string =>
  text.replaceAll(/./gu, (one) => String.fromCodePoint(0xe0000 + one.codePointAt(0)!));

describe('visible', () => {
  it('keeps text, line breaks, tabs and emoji', () => {
    const text = 'Zażółć 你好 שלום\n\t→ 👍🏽 ❤️';
    expect(visible(text)).toBe(text);
  });

  it('shows characters that hide or reorder text as their code', () => {
    expect(visible('a\u202Egpj.exe')).toBe('a⟨U+202E⟩gpj.exe');
    expect(visible('\u001B[2Jgone')).toBe('⟨U+001B⟩[2Jgone');
    expect(visible('zero\u200Bwidth\u00ADhyphen\u2028line\u3164filler')).toBe(
      'zero⟨U+200B⟩width⟨U+00AD⟩hyphen⟨U+2028⟩line⟨U+3164⟩filler',
    );
    expect(visible(`ls${tag('; rm')}`)).toBe('ls⟨U+E003B⟩⟨U+E0020⟩⟨U+E0072⟩⟨U+E006D⟩');
  });
});
