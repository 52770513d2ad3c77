/** HTML snippets with attributes in double quotes. */
export const markups = [
  '<p class="{noun}">Hello <b>{name}</b>,</p>\n<p>your {noun} is ready.</p>',
  '<a href="https://{domain}/{noun}?id={number}&amp;x=1">{adjective} {noun}</a>',
  '<div id="{noun}" data-kind="{noun2}"><img src="/{noun}.png" alt="{adjective} {noun}"></div>',
  '<table border="0">\n\t<tr><td class="left">{Noun}</td><td>{number}</td></tr>\n</table>',
  '<button type="submit" onclick="{verb}(\'{noun}\')">{Verb}</button>',
  '<html lang="en"><body style="margin: 0; color: #333">{name}\'s {noun}</body></html>',
  '<ul class="list">\n  <li title="one">{noun}</li>\n  <li title="two">{noun2}</li>\n</ul>\n',
  '<input name="{noun}" value="{adjective}, {noun2}" required>\n<label for="{noun}">{Noun}:</label>',
  '<svg viewBox="0 0 {number} 10"><path d="M0,0 L10,5" stroke="#000"/></svg>',
  '<script type="application/json">{"{noun}": ["{noun2}"], "n": {number}}</script>',
  '<blockquote cite="https://{domain}">"{Noun}", said {name}.</blockquote>\n<!-- "{noun2}" -->',
  '<a href="#" style="font: 12px \'Open Sans\'" aria-label="{verb} {noun}">{Verb}</a>, <i>now</i>',
  '<meta name="description" content="{Noun}: {adjective} and {noun2}">',
] as const;

/** Markdown for issues and notes. */
export const markdowns = [
  '## {Noun}\n\nThe {adjective} {noun} fails:\n\n```js\n{verb}("{noun}");\n```\n\n- [ ] fix\n- [x] test\n',
  '# Report\n\n| name | count |\n|---|---:|\n| {noun} | {number} |\n\nSee "{noun2}" for more.',
  'Steps:\n1. {verb} the {noun}\n2. {verb2} the {noun2}\n\n> It says "{adjective}".\n',
  '**{Noun}** is _{adjective}_.\n\n```\n{"{noun}": {number}}\n```\n',
  '### Expected\n\n`{verb}("{noun}")` returns `"{noun2}"`, not `null`.\n\n### Actual\n\nIt throws.\n',
  '* [{Noun}](https://{domain}/{noun} "{adjective} {noun}")\n* ![{noun2}]({noun2}.png)\n',
  'Output:\n\n    $ {verb} "{noun}"\n    {noun2}: ok, {number} left\n\nThanks!',
  '---\ntitle: "{Noun}"\ntags: [{noun}, "{noun2}"]\n---\n\nText with a "quote", and more.\n',
] as const;
