import { describe, expect, it } from 'vitest';

import { offeredTools } from './calls/call.ts';
import { readFixtures } from './fixtures-of-package.ts';
import { envelopeForms, forms } from './forms/index.ts';
import { makeCallless } from './make-callless.ts';
import { makeTexts } from './make-texts.ts';

const texts = makeTexts('development', 2);

describe('generated texts', () => {
  it('are identical for the same seeds, and differ for others', () => {
    expect(makeTexts('development', 2)).toEqual(texts);
    expect(makeTexts('held-out', 1)[0]?.text).not.toBe(texts[0]?.text);
  });

  it('are written in every envelope for which the package has examples', () => {
    const written = new Set(envelopeForms.map(({ envelope }) => envelope));
    expect([...new Set(readFixtures().examples.map(({ envelope }) => envelope))].toSorted()).toEqual(
      [...written].toSorted(),
    );
    expect(written.size).toBe(46);
  });

  it.each(forms.map((form) => [`${form.envelope}: ${form.form}`, form] as const))(
    'name the tools that they call: %s',
    (_, { envelope, form }) => {
      const own = texts.filter((one) => one.envelope === envelope && one.form === form);
      expect(own.filter(({ kind }) => kind === 'clean')).toHaveLength(2);
      for (const { text, expected, kind } of own) {
        for (const { name } of expected) expect(text).toContain(name);
        if (kind !== 'cut') expect(expected.length).toBeGreaterThan(0);
      }
    },
  );

  it('contain no call of a tool whose arguments are cut', () => {
    const cut = texts.filter(({ kind }) => kind === 'cut');
    expect(cut.length).toBeGreaterThan(100);
    for (const { expected, stopped } of cut) {
      expect(stopped).toBe('length');
      expect(expected.length).toBeLessThan(3);
    }
    expect(cut.some(({ expected }) => expected.length === 0)).toBe(true);
    expect(cut.some(({ expected }) => expected.length > 0)).toBe(true);
  });

  it('keep the prose around the calls', () => {
    const inProse = texts.filter(({ kind }) => kind === 'prose');
    for (const { text, left } of inProse) for (const line of left?.split('\n') ?? []) expect(text).toContain(line);
    expect(inProse.filter(({ left }) => left !== undefined).length).toBeGreaterThan(100);
  });

  it('call offered tools with valid arguments', () => {
    for (const { expected, tools } of texts) {
      for (const call of expected) {
        const tool = tools.find(({ name }) => name === call.name);
        const { properties } = (tool?.parameters ?? {}) as { readonly properties?: object };
        expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(Object.keys(call.arguments)));
      }
    }
  });
});

describe('texts without a call', () => {
  const callless = makeCallless('development', 3);

  it('expect no call, whatever they show', () => {
    expect(callless.every(({ expected }) => expected.length === 0)).toBe(true);
    expect(new Set(callless.map(({ envelope }) => envelope)).size).toBeGreaterThanOrEqual(25);
  });

  it('contain text that looks like calls', () => {
    const names = offeredTools.map(({ name }) => name);
    expect(callless.filter(({ text }) => names.some((name) => text.includes(name))).length).toBeGreaterThan(40);
  });
});
