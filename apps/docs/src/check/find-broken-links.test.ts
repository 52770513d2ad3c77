import { describe, expect, it } from 'vitest';

import { findBrokenLinks } from './find-broken-links.ts';

const files = new Set(['/a.css']);
const problemsOf = (html: string): readonly string[] =>
  findBrokenLinks(
    [
      { address: '/a/', html },
      { address: '/b/', html: '<h1 class="x" id="top">B</h1>' },
    ],
    files,
  );

describe('the links of a built page', () => {
  it('may lead to a page, an anchor, a file or another site', () => {
    const html =
      '<a href="/b/#top">b</a> <a href="../b/">b</a> <link href="/a.css"> <a href="https://c.example/x">c</a>';
    expect(problemsOf(html)).toEqual([]);
  });

  it('fail the check if they lead to a missing page, file or anchor', () => {
    expect(problemsOf('<a class="x" href="/c/">c</a><img src="/c.svg"><a href="/b/#end">b</a>')).toEqual([
      '/a/: /c/ leads nowhere',
      '/a/: /c.svg leads nowhere',
      '/a/: /b/#end has no such anchor',
    ]);
  });
});
