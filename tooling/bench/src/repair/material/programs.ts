/** Pieces of programs, several lines each, with quotes and backslashes as programs have them. Slots are filled in. */
export const programs = [
  'function {verb}{Noun}(input) {\n  if (!input) {\n    throw new Error("{noun} missing");\n  }\n  return input.split(",").map((part) => part.trim());\n}\n',
  'import os\n\ndef {verb}_{noun}(path):\n    with open(path, "r") as handle:\n        for line in handle:\n            print(f"{noun}: {line}", end="")\n',
  'package main\n\nimport "fmt"\n\nfunc main() {\n\tfmt.Printf("%s: %d\\n", "{noun}", {number})\n}\n',
  'const {noun} = {\n  name: "{noun2}",\n  retries: {number},\n};\nconsole.log("loaded", {noun}.name);\n',
  'fn {verb}(value: &str) -> Option<String> {\n    match value {\n        "{noun}" => Some("{noun2}".to_string()),\n        _ => None,\n    }\n}\n',
  'class {Noun} {\n  constructor(label) {\n    this.label = label || "{adjective}";\n  }\n\n  toString() {\n    return "[" + this.label + "]";\n  }\n}\n',
  'SELECT "id", "{noun}" FROM "{noun2}s" WHERE "state" = \'open\';\n',
  'if (text.match(/^\\s*"([^"]*)"/)) {\n\treturn { "{noun}": true, "count": {number} };\n}\n',
  'items = ["{noun}", "{noun2}", "it\'s"]\nfor item in items:\n    print("- " + item)\n',
  'export default {\n  title: "{Noun}",\n  paths: ["src/{noun}", "lib/{noun2}"],\n}\n',
  'public static String {verb}(String in) {\n    return in.replace("\\\\", "/") + "{noun}";\n}\n',
  '#include <stdio.h>\nint main(void) { puts("{noun}, {noun2}"); return {number}; }\n',
  'const html = `<p class="{noun}">${value}</p>`;\nel.setAttribute("data-{noun2}", "yes");\n',
  'assert response.json() == {"status": "ok", "{noun}": [{number}, 2]}\n',
] as const;

/** Commands for a shell, with the quotes that commands have. */
export const commands = [
  'grep -rn "{noun}" {folder}/ | head -n {number}',
  "find . -name '*.{extension}' -exec sed -i 's/{noun}/{noun2}/g' {} +",
  'git commit -m "{verb} the {adjective} {noun}" && git push',
  'echo "{Noun}: $(date +%F)" >> "{noun}.log"',
  'curl -s -H "Accept: application/json" -d \'{"{noun}": {number}}\' https://{domain}/{noun2}',
  'for f in {folder}/*.{extension}; do wc -l "$f"; done | sort -n',
  'docker run --rm -e "MODE={adjective}" {noun}:latest sh -c "{verb} --all"',
  'awk -F"," \'{print $1 "," $2}\' {noun}.csv > "{noun2} copy.csv"',
  'python -c "import json; print(json.dumps({\'{noun}\': {number}}))"',
  'test -f "{noun}.lock" || (touch "{noun}.lock"; {verb} "{noun2}")',
  'ssh {noun}@{domain} "cat /var/log/{noun2}.log | tail -{number}"',
  'make {verb} && printf "%s\\n" "done: {noun}"',
] as const;

/** Regular expressions whose backslashes stand before characters that JSON has no escape for. */
export const patterns = [
  '^{noun}\\s*=\\s*\\d+$',
  '\\w+@\\w+\\.com',
  'function\\s+{verb}\\w*\\(',
  '\\d{4}-\\d{2}-\\d{2}',
  '\\[{noun}\\]\\s+\\S+',
  '\\$\\{{noun}\\.\\w+\\}',
  '(?:{noun}|{noun2})\\.(?:ts|js)\\s',
  '^\\s*import\\s+\\*',
] as const;
