import { describe, expect, it } from 'vitest';
import { repairJson } from './repair-json.ts';

const reasons = ['stop', 'length', undefined] as const;

function isComplete(text: string, stopped?: 'stop' | 'length'): boolean {
  const result = repairJson(text, stopped === undefined ? { root: 'object' } : { root: 'object', stopped });
  return result.ok && result.complete;
}

// Content with unescaped quotes, as models write files, commands and patches.
const contents = {
  JavaScript: 'function f(a) {\n  if (a === "x") {\n    return "a";\n  }\n  return { "k": "v", "n": [1, "b"] };\n}\n',
  Rust: 'match value {\n    "widget" => Some("w".to_string()),\n    _ => None,\n}\n',
  Java: 'String f(String in) {\n  return in.replace("/", "-") + "x";\n}\n',
  shell: '[ "$1" = "all" ] && echo "yes, all" || { echo "no: $1"; exit 1; }\n',
  HTML: '<div id="a" style="b: {c}"><a href="/x" onclick="go({ "to": "y" })">z</a></div>',
  JSON: '{"id": 1, "tags": ["x", "y"], "inner": {"deep": "v"}}',
  'half a function': '    return "a";\n  }\n\n  get size() {\n    return this.items["all"];\n  }\n',
};

describe('truncated arguments', () => {
  it.each(Object.entries(contents))(
    'are incomplete without their own closer, wherever they were cut: %s',
    (_, content) => {
      for (const write of [
        JSON.stringify,
        (text: string) => `"${text}"`,
        (text: string) => JSON.stringify(text).replaceAll('\\"', '"'),
      ]) {
        for (const [before, after] of [
          ['{"path": "a.b", "content": ', ', "overwrite": true}'],
          ['{\n  "edits": [\n    {"line": 1, "text": ', '}\n  ]\n}'],
        ] as const) {
          const text = before + write(content) + after;
          for (let end = 1; end < text.length - 1; end += 1) {
            for (const stopped of reasons)
              expect({ cut: text.slice(0, end), isComplete: isComplete(text.slice(0, end), stopped) }).toEqual({
                cut: text.slice(0, end),
                isComplete: false,
              });
          }
        }
      }
    },
  );

  it.each([
    ['a line that closes a brace of the content', '{"path": "a.js", "content": "function f() {\n  return "a";\n  }'],
    ['a closer where the value is due', '{"path": "a", "content": ]'],
    ['one closer for two containers', '{"edits": [1, 2}'],
    ['one closer twice', '{"tags": ["x"]]'],
    ['a comma behind a closer too many', '{"filter": {"safe": true}},'],
    ['a key behind a closer too many', '{"filter": {"safe": true}}, "lim'],
    ['a comment behind a closer too many', '{"filter": {"safe": true}}, // the'],
    ['a second object that goes on', '{}\n{"path": '],
    ['an object in reasoning that goes on', '<think>Options: {"dry": true} or'],
    ['an object in a string of an object that nobody opened', 'path: "a", text: "items = {"a": 1}'],
    ['an object in an object that cannot be told', '{ scope "a", settings: {"b": 1}'],
    ['a list of an object that nobody opened', 'query: "x", params: [1, 2]'],
  ])('are incomplete after %s', (_, text) => {
    for (const stopped of reasons) expect(isComplete(text, stopped)).toBe(false);
  });

  it('report the position and the risk of an ambiguous closer', () => {
    const text = '{"path": "a.js", "content": "function f() {\n  return "a";\n  }';
    const ambiguous = { code: 'ambiguous-closer', start: text.length - 1, end: text.length, found: '}', assumed: '' };
    expect(repairJson(text)).toMatchObject({ risk: 'truncated', complete: false });
    const cut = repairJson(text);
    expect(cut.ok && cut.repairs.at(-1)).toEqual({ ...ambiguous, risk: 'truncated' });
    const stopped = repairJson(text, { stopped: 'stop' });
    expect(stopped.ok && stopped.repairs.at(-1)).toEqual({ ...ambiguous, risk: 'lossy' });
    expect(stopped).toMatchObject({ risk: 'lossy', complete: false });
  });

  it('are missing if the model was cut before it wrote any arguments', () => {
    expect(repairJson(' ', { stopped: 'length' })).toMatchObject({ value: {}, complete: false, risk: 'truncated' });
    expect(repairJson('', { stopped: 'stop' })).toMatchObject({ value: {}, complete: true, risk: 'none' });
    expect(repairJson('')).toMatchObject({ value: {}, complete: true, risk: 'none' });
  });
});

describe('damaged arguments with a closer', () => {
  it.each([
    ['{"cmd": "echo "a" && ls", "x": 1}'],
    ['{"q": "He said "fine", and left"}'],
    ['{"code": "if (a) { f("x"); }", "path": "a.js"}'],
    ['{"code": "if (a) {\n  f("x");\n}\n"}'],
    ['{path: \'a\', text: "b"\n tags: ["x",],}'],
    ['{"a": "x" "b": "y"}'],
    ['{"a": hello there, "b": 1}'],
    ['{"a": [1, 2, "b": 3}'],
    ['{"a": {"b": 1}}, "c": 2}'],
    ['{"a": {"b": 1}}; "c": 2}'],
    ['{"a": {"b": 1}}, "c" 2}'],
    ['{"a": 1}}'],
    ['args = {"a": "say "hi"", "b": [1]};'],
    ['Sure, {this} one: {"a": "say "hi""} Done, "really"!'],
  ])('are complete: %s', (text) => {
    for (const stopped of reasons) expect(isComplete(text, stopped)).toBe(true);
  });
});
