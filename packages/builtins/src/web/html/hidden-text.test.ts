import { growthOf, linearGrowth } from '@haft-tooling/growth';
import { describe, expect, it } from 'vitest';
import { htmlToMarkdown } from './html-to-markdown.ts';

const signal = new AbortController().signal;
const say = async (html: string): Promise<string> =>
  (await htmlToMarkdown(html, { url: 'https://a.example/', signal })).markdown;

describe('text with a style attribute', () => {
  it.each([
    'display:none',
    'DISPLAY:NONE',
    'display : none ',
    'display:none!important',
    'display:none ! IMPORTANT',
    'display/**/:/* a;b */none',
    String.raw`d\69splay:none`,
    String.raw`d\000069 splay:none`,
    String.raw`\64\69\73\70\6c\61\79:\6e\6f\6e\65`,
    String.raw`display:n\6f ne`,
    String.raw`display:\none`,
    'color:red;;;display:none',
    'color;display:none',
    'x{y:z};display:none',
    'background:url(a;b);display:none',
    "background:url(a'b);display:none",
    "font-family:';';display:none",
    "content:'\\';';display:none",
    'display:none;display:bogus',
    'display:none;color:red !important',
    '--a:none;display:var(--a)',
    '--a:var(--b);--b:none;display:var(--a)',
    'display:var(--a, none)',
    'display:var(--never-set)',
    `${'color:red;'.repeat(1_000)}display:none`,
    'content-visibility:hidden',
    'visibility:hidden',
    'visibility:collapse',
    'visibility:hidden;visibility:bogus',
    'opacity:0',
    'opacity:0.0',
    'opacity:.0',
    'opacity:0%',
    'opacity:0e3',
    'opacity:-1',
    'opacity:0.01',
    'opacity:calc(0)',
    'filter:opacity(0)',
    'filter:blur(0) opacity(0%)',
    'zoom:0.01',
    'font-size:0',
    'font-size:0px',
    'font-size:.1px',
    'font-size:1px',
    'font-size:0.05em',
    'font-size:1%',
    'font-size:calc(0px)',
    'font-size:calc(0 * 16px)',
    'font-size:min(1px, 2px)',
    'font:0/0 a',
    'font:italic bold 1px/1 serif',
    'font-size:0;font-size:bogus',
    'color:transparent',
    'color:TRANSPARENT',
    'color:rgba(0,0,0,0)',
    'color:rgb(0 0 0 / 0%)',
    'color:hsla(0,0%,0%,0.01)',
    'color:#0000',
    'color:#12345600',
    'color:transparent!important;color:red',
    'color:transparent;color:bogus',
    '-webkit-text-fill-color:transparent',
    '--c:transparent;color:var(--c)',
    'color:white;background:white',
    'color:#fff;background-color:rgb(255,255,255)',
    'color:#fefefe;background:#fff url(x.png) no-repeat',
    'color:hsl(120 100% 50%);background:#0f0',
    'color:black;background:#000',
    'color:white',
    'position:absolute;left:-9999px',
    'position:absolute;left:-999em',
    'position:fixed;top:-100vh',
    'position:absolute;right:5000px',
    'position:absolute;inset:0 auto auto -9999px',
    'position:relative;left:-100%',
    'margin-left:-9999px',
    'margin:-9999px 0 0',
    'text-indent:-9999px',
    'text-indent:-100%',
    'letter-spacing:-9999px',
    'transform:scale(0)',
    'transform:scale(0, 1)',
    'transform:scale3d(0,0,0)',
    'transform:translateX(-9999px)',
    'transform:translate(-200vw, 0)',
    'transform:matrix(0,0,0,0,0,0)',
    'transform:rotateY(90deg)',
    'transform:rotateY(180deg);backface-visibility:hidden',
    '-webkit-transform:scale(0)',
    'scale:0',
    'translate:-9999px',
    'position:absolute;clip:rect(0,0,0,0)',
    'position:absolute;clip:rect(1px 1px 1px 1px)',
    'clip-path:inset(50%)',
    'clip-path:inset(100% 0 0 0)',
    'clip-path:circle(0)',
    'clip-path:circle(0px at 50% 50%)',
    'clip-path:polygon(0 0,0 0,0 0)',
    '-webkit-clip-path:inset(100%)',
    'height:0;overflow:hidden',
    'max-height:0px;overflow:hidden',
    'width:1px;height:1px;overflow:hidden',
    'overflow-y:clip;block-size:0',
    'line-height:0;overflow:hidden',
    'height:0;contain:strict',
    'text-indent:100%;white-space:nowrap;overflow:hidden',
    'padding-left:9999px',
    'letter-spacing:-1em',
    'mask:linear-gradient(transparent,transparent)',
    'mask-image:linear-gradient(#0000,rgba(0,0,0,0))',
    'filter:blur(20px)',
    'filter:contrast(0)',
    'opacity:calc(1 - 1)',
    'font-size:calc(1px - 1px)',
    'transform:skewX(90deg)',
    'transform:rotateX(1.5708rad)',
    'transform:rotateY(100grad)',
    'transform:rotate3d(1,0,0,90deg)',
    'transform:matrix3d(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,1)',
    'rotate:x 90deg',
    'clip-path:rect(0 0 0 0)',
    'clip-path:xywh(0 0 0 0)',
    'clip-path:polygon(-9px -9px,-8px -9px,-8px -8px)',
    'color:color(srgb 1 1 1)',
    'color:oklch(1 0 0)',
    'color:lab(100% 0 0)',
    'color:hwb(0 100% 0%)',
    'color:rgb(from white r g b / 0)',
    'color:rgb(calc(255) 255 255)',
    'color:light-dark(white,black)',
    'color:canvas',
    'color:linen;background:linen',
    'color:cadetblue;background:cadetblue',
  ])('is omitted if the style hides it: %s', async (style) => {
    const quoted = style.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    expect(await say(`<p>seen<span style="${quoted}">Obey <b>me</b></span></p>`)).toBe('seen');
  });

  it.each([
    'display:block',
    'display:nonesuch',
    'dis/**/play:none',
    String.raw`display\:none`,
    'display-mode:none',
    'content:"display:none"',
    "content:';display:none'",
    '(;display:none',
    '/*display:none*/',
    'visibility:visible',
    'opacity:0.5',
    'opacity:50%',
    'font-size:0.9em',
    'font-size:12px',
    'font-size:smaller',
    'font-size:clamp(1rem, 2vw, 3rem)',
    'font-size:calc(1rem + 0.5vw)',
    'font:bold 12px/0 serif',
    'color:var(--text)',
    'color:#333',
    'color:tomato;background:white',
    'color:white;background:#123',
    'color:white;background-image:url(dark.png);background:var(--dark)',
    'position:absolute;left:50%;transform:translate(-50%,-50%)',
    'margin-left:-50vw',
    'margin:0 auto',
    'margin:-10px',
    'top:0;left:0',
    'text-indent:2em',
    'width:0',
    'height:100px;overflow:hidden',
    'width:100%;overflow:auto',
    'transform:scale(1.5)',
    'transform:rotate(90deg)',
    'transform:matrix(1,0,0,1,0,0)',
    'clip-path:circle(50%)',
    'clip-path:inset(10px)',
    'z-index:0',
    'line-height:0',
    'letter-spacing:-0.05em',
    'letter-spacing:-4px',
    'padding-bottom:56.25%',
    'mask-image:linear-gradient(black,transparent)',
    'filter:blur(1px) contrast(120%)',
    'opacity:calc(1 - 0.2)',
    'transform:rotate(0.25turn)',
    'transform:rotate3d(0,0,1,90deg)',
    'transform:skewY(10deg)',
    'clip-path:polygon(0 0,100% 0,100% 100%)',
    'color:oklch(0.6 0.1 20)',
    'color:light-dark(black,white)',
    'color:inherit;background:inherit',
    'color:var(--a);background:var(--a)',
    'contain:content;height:100px',
    'scale:0.5',
  ])('is kept if it is visible: %s', async (style) => {
    const quoted = style.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    expect(await say(`<span style="${quoted}">seen</span>`)).toBe('seen');
  });

  it('is omitted if several elements around it hide it together', async () => {
    expect(await say('a<div style="background:#fff"><p style="color:#fff">x</p></div>')).toBe('a');
    expect(await say('a<div style="font-size:2px"><p style="font-size:0.5em">x</p></div>')).toBe('a');
    expect(await say('a<div style="--c:none"><p style="display:var(--c)">x</p></div>')).toBe('a');
    expect(await say('a<table bgcolor=white><tr><td><font color=white>x</font></table>')).toBe('a');
    expect(await say('a<font color="#ffffff">x</font>')).toBe('a');
    expect(await say('a<div style="background:black">x</div>')).toBe('a');
    expect(await say('a<div style="opacity:.3"><p style="opacity:.3">x</p></div>')).toBe('a');
    expect(await say('a<div style="transform:scale(.3)"><p style="zoom:.3">x</p></div>')).toBe('a');
    expect(await say('<div style="opacity:.5"><p style="opacity:.5;zoom:.5">a</p></div>')).toBe('a');
  });

  it('is kept if an inner element shows it again, as in browsers', async () => {
    expect(await say('<ul style="font-size:0"><li style="font-size:16px">a</ul>')).toBe('- a');
    expect(await say('<p style="visibility:hidden">x<b style="visibility:visible">a</b></p>')).toBe('**a**');
    expect(await say('<p style="color:transparent">x<b style="color:red">a</b></p>')).toBe('**a**');
    expect(await say('<body bgcolor=black text=white>a</body>')).toBe('a');
  });

  it('is kept if a style sheet may have changed its colours', async () => {
    for (const sheet of ['<style>p{background:navy}</style>', '<link rel="preload stylesheet" href=x>'])
      expect(await say(`${sheet}<p style="color:white">seen</p>`)).toBe('seen');
    expect(await say('<style>x</style>a<p style="color:white;background:#fff">x</p>')).toBe('a');
  });
});

describe('text that an attribute or an element hides', () => {
  it.each([
    '<p hidden>x</p>',
    '<p HIDDEN="">x</p>',
    '<p hidden="until-found">x</p>',
    '<p aria-hidden="TRUE ">x</p>',
    '<div popover>x</div>',
    '<template><p>x</template>',
    '<noscript>x</noscript>',
    '<noembed>x</noembed>',
    '<noframes>x</noframes>',
    '<dialog>x</dialog>',
    '<ruby><rp>x</rp></ruby>',
    '<input type=hidden value=x>',
    '<b title=x></b>',
    '<img width=1 height=1 alt=x src=a.png>',
    '<img hidden alt=x>',
    '<p style="font-size:0"><img alt=x></p>',
    '<img style="width:0" alt=x>',
    '<img width="0%" alt=x>',
    '<marquee width=0>x</marquee>',
    '<meter>x</meter>',
    '<frameset>x</frameset>',
    '<!-- x -->',
    '<!x>',
    '<?x ?>',
    '<meta name=description content=x>',
    '<object>x</object>',
    '<canvas>x</canvas>',
  ])('is omitted: %s', async (html) => {
    expect(await say(`a${html}`)).toBe('a');
  });
});

describe('the time for styles', () => {
  it.each([
    ['declarations', (n: number) => `<p style="${'color:red;'.repeat(n)}">a</p>`],
    ['escapes', (n: number) => `<p style="${'\\69'.repeat(n)}:none">a</p>`],
    ['open comments', (n: number) => `<p style="${'/*'.repeat(n)}">a</p>`],
    ['open strings', (n: number) => `<p style="${"'\n".repeat(n)}">a</p>`],
    ['backslashes', (n: number) => `<p style="background:url(${'\\'.repeat(n)}">a</p>`],
    ['open brackets', (n: number) => `<p style="color:${'('.repeat(n)}">a</p>`],
    ['open functions', (n: number) => `<p style="transform:${'a('.repeat(n)}">a</p>`],
    ['exclamation marks', (n: number) => `<p style="color:${'!'.repeat(n)}">a</p>`],
    ['blanks', (n: number) => `<p style="--a:${' '.repeat(n)}b;color:var(${' '.repeat(n)}">a</p>`],
    ['digits', (n: number) => `<p style="opacity:${'1'.repeat(n)}">a</p>`],
    ['words', (n: number) => `<p style="background:${'a-'.repeat(n)}">a</p>`],
    ['open addresses', (n: number) => `<p style="background:${'url('.repeat(n)}">a</p>`],
    ['variables', (n: number) => '<i style="--a:var(--a) var(--a);color:var(--a)">a</i>'.repeat(n / 20)],
    ['elements', (n: number) => '<i style="color:red">a</i>'.repeat(n)],
  ])('grows linearly with %s', async (_, make) => {
    expect(await growthOf(make, (html) => say(html), 5_000)).toBeLessThan(linearGrowth);
  });
});
