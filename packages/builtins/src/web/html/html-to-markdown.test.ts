import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

const signal = new AbortController().signal;
const read = (html: string) => htmlToMarkdown(html, { url: 'https://a.example/docs/page', signal });
const say = async (html: string): Promise<string> => (await read(html)).markdown;

describe('htmlToMarkdown', () => {
  it.each([
    ['<h1>One</h1><p>Two <b>three</b> <i>four</i></p>', '# One\n\nTwo **three** *four*'],
    ['<p>a\n   b\t c</p>', 'a b c'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<p>open<p>again', 'open\n\nagain'],
    ['<a href="../x y">go  there</a>', '[go there](https://a.example/x%20y)'],
    ['<a href="https://b.example/(c)">go</a>', '[go](https://b.example/%28c%29)'],
    ['<a href="javascript:alert(1)">go</a> <a href="#top">up</a>', 'go up'],
    ['<a href="/x">[1]</a>', '[\\[1\\]](https://a.example/x)'],
    ['<b> a </b>b', '**a** b'],
    ['<a href=/x><div>in a block</div></a>', '[in a block](https://a.example/x)'],
    ['<img src="/i.png" alt="a picture"><img src=/pixel.gif>', '![a picture](https://a.example/i.png)'],
    ['<img alt="inline" src="data:image/png;base64,AAAA">', 'inline'],
    ['<ul><li>a<li>b<ul><li>c</ul><li>d</ul>', '- a\n- b\n  - c\n- d'],
    ['<ol start=3><li>a</li><li><p>b</p><p>c</p></li></ol>', '3. a\n4. b\n   c'],
    ['<blockquote><p>a</p><p>b</p></blockquote>', '> a\n\n> b'],
    ['use <code>a`b</code>', 'use `` a`b ``'],
    ['<pre><code class="language-js">let a;\n\n  b &lt; c</code></pre>', '```js\nlet a;\n\n  b < c\n```'],
    ['<pre>\n```\n</pre>', '````\n```\n````'],
    ['<p># no heading</p><p>1. no list</p><p>- no item</p>', '\\# no heading\n\n1\\. no list\n\n\\- no item'],
    ['<dl><dt>term</dt><dd>meaning</dd></dl>', '**term**\n\nmeaning'],
    ['a<hr>b', 'a\n\n---\n\nb'],
    ['caf&eacute; &#128512; &amp;lt;', 'café 😀 &lt;'],
    ['<del>a</del>', '~~a~~'],
    ['', ''],
  ])('converts %j to %j', async (html, markdown) => {
    expect(await say(html)).toBe(markdown);
  });

  it('converts data tables to tables and layout tables to paragraphs', async () => {
    expect(await say('<table><tr><th>A<th>B|c</tr><tr><td>1<td>2<br>3</tr><tr><td colspan=2>wide</table>')).toBe(
      '| A | B\\|c |\n| --- | --- |\n| 1 | 2<br>3 |\n| wide |  |',
    );
    expect(await say('<table><tr><td>1<td>2</table>')).toBe('|  |  |\n| --- | --- |\n| 1 | 2 |');
    expect(await say('<table><tr><td>one<tr><td>two</table>')).toBe('one\n\ntwo');
    expect(await say(`<table><tr><td>menu<td>${'text '.repeat(400)}</table>`)).toMatch(/^menu\n\ntext text/);
    expect(await say('<table><tr><td>a<table><tr><td>b<td>c</table><td>d</table>')).toContain('| a<br>b<br>c | d |');
  });

  it('omits scripts, styles, forms and hidden text', async () => {
    const unseen = [
      '<script>x</script>',
      '<style>x</style>',
      '<noscript>x</noscript>',
      '<template><p>x</p></template>',
      '<p hidden>x</p>',
      '<p style="color:red;display : none">x</p>',
      '<span style="visibility:hidden">x</span>',
      '<span style="font-size:0">x</span>',
      '<span style="opacity: 0.0;">x</span>',
      '<div aria-hidden="true"><p>x</p></div>',
      '<svg><text>x</text></svg>',
      '<textarea>x</textarea>',
      '<button>x</button>',
      '<!-- x -->',
    ].join('');
    expect(await say(`a${unseen}b`)).toBe('a\n\nb');
    expect(await say('<span style="opacity:0.5;font-size:0.9em">seen</span>')).toBe('seen');
  });

  it('returns the main part of a page', async () => {
    const long = 'What the page is about. '.repeat(20).trim();
    const around = '<header>Logo</header><nav><a href=/>Home</a></nav>';
    const page = await read(
      `<title> The\n title </title>${around}<main><h1>H</h1>${long}<aside>ad</aside></main><footer>f</footer>`,
    );
    expect(page).toEqual({ title: 'The title', markdown: `# H\n\n${long}`, isPartial: true, isCut: false });
    expect(await say(`${around}<article><header>By Ann</header>${long}</article><p>x</p>`)).toBe(`By Ann\n\n${long}`);
    expect(await say(`${around}<div role=navigation>n</div><p>${long}</p>`)).toBe(long);
    expect(await say(`${around}<main></main><p>${long}</p>`)).toBe(long);
    // A page without other content consists of its menu.
    expect(await say('<nav><a href=/x>Home</a></nav>')).toBe('[Home](https://a.example/x)');
  });

  it('resolves links against the base URL of the page', async () => {
    expect(await say('<head><base href="/other/"></head><a href="x">x</a>')).toBe('[x](https://a.example/other/x)');
  });

  it.each([
    ['endless elements', '<div>'.repeat(200_000)],
    ['closers of what was never opened', `${'<a>'.repeat(900)}${'</b>'.repeat(200_000)}`],
    ['links in links', '<a href=/x>a'.repeat(50_000)],
    ['marks in marks', '<b><i>'.repeat(400) + 'x'.repeat(100_000)],
    ['lists in lists', '<ul><li>'.repeat(450) + '<p>x'.repeat(20_000)],
    ['cells without rows', '<table>' + '<td>x'.repeat(100_000)],
    ['tables in tables', '<table><tr><td>'.repeat(300) + 'x'],
    ['an open tag', `<p ${'a=b '.repeat(200_000)}`],
    ['an open comment', `<!--${'-'.repeat(500_000)}`],
    ['ends of nothing', '</p></td></table></li></ul></blockquote></pre></a>'.repeat(1_000)],
    ['half an entity', '&'.repeat(300_000)],
    ['open code', '<pre><code>'.repeat(400) + '`'.repeat(100_000)],
  ])('handles %s', async (_, html) => {
    const page = await read(html);
    expect(page.markdown.length).toBeLessThan(1_100_000);
  });

  it('returns the text before the elements became too deep, and reports the cut', async () => {
    const page = await read(`<p>first</p>${'<div>'.repeat(5_000)}last`);
    expect(page).toMatchObject({ isCut: true });
    expect(page.markdown).toMatch(/^first/);
  });

  it('stops when the call is cancelled', async () => {
    const controller = new AbortController();
    const reading = htmlToMarkdown('<p>x'.repeat(100_000), { url: 'https://a.example/', signal: controller.signal });
    controller.abort(new Error('cancelled'));
    await expect(reading).rejects.toThrow('cancelled');
  });

  it.each([
    ['paragraphs', (n: number) => '<p>Some <b>text</b> with a <a href="/x">link</a>'.repeat(n)],
    ['closers', (n: number) => `${'<a>'.repeat(900)}${'</b>'.repeat(n)}`],
    ['one line', (n: number) => 'word <b>and</b> '.repeat(n)],
  ])('takes linear time for %s', async (_, make) => {
    const growth = await growthOf(make, (html) => read(html), 2_000);
    expect(growth).toBeLessThan(linearGrowth);
  });
});
