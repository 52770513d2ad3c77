/**
 * Patterns of the line that names the fault in a program's last output, one for each language's form of error report.
 */
const forms: readonly RegExp[] = [
  // Rust: the message follows on the next line.
  /^thread '[^'\n]*'(?: \(\d+\))? panicked at (?!')[^\n]+:\n(?<fault>[^\n]+)/gm,
  /^thread '[^'\n]*' panicked at (?<fault>'[^\n]+)/gm,
  // Go.
  /^(?<fault>(?:panic|fatal error): [^\n]+)/gm,
  // Python: the first line after the indented frames.
  /^Traceback \(most recent call last\):\n(?:[ \t][^\n]*\n)+(?<fault>\S[^\n]*)/gm,
  // Java and Kotlin.
  /^Exception in thread "[^"\n]*" (?<fault>[^\n]+)/gm,
  // Ruby.
  /^\S+\.rb:\d+:in [^\n]*?: (?<fault>[^\n]+ \(\w+(?:::\w+)*\))$/gm,
  // Node, Deno and Bun: the line before the frames, or before the members of the error.
  /^(?:Uncaught )?(?<fault>(?:\[?[A-Z]\w*(?:Error|Exception|Rejection)|Error)(?: \[\w+\])?(?:: [^\n]+)?)(?=\n\s+at |\n[^\n]*\n\s+at | \{\n|\n\s*at )/gm,
  // npx and npm: the reason, not the code or the path of the log.
  /^npm (?:error|ERR!) (?!code |errno |syscall |path |command |A complete log|[ \t]*\/)(?:[A-Z0-9]+ )?(?<fault>[^\n]{12,})/gm,
  // uvx, pipx, cargo and most command-line programs.
  /^(?:\s*[×✖] )?(?<fault>(?:error|fatal|Error|FATAL|ERROR)(?:\[\w+\])?:? [^\n]+)/gm,
  /^(?<fault>[^\n]*(?:command not found|: not found|No such file or directory|Permission denied))$/gm,
];

const maxCharacters = 8_192;

/**
 * Returns the line of a program's standard error that names why it failed, such as `Error: Cannot find module 'x'`.
 * Knows the forms of Node, Python, Go, Rust, Java, Ruby, npm and uv. Returns undefined if no line has such a form.
 */
export function findFault(stderr: string): string | undefined {
  const text = stderr.slice(-maxCharacters).replace(/\r\n?/g, '\n');
  for (const [index, form] of forms.entries()) {
    const found = [...text.matchAll(form)].map((match) => match.groups?.['fault'] ?? '');
    // npm states the reason first; other programs may log errors before the one that ends them.
    const fault = index === npmForm ? found[0] : found.at(-1);
    if (fault !== undefined && fault.trim() !== '') return fault.trim().replace(/ \{$/, '');
  }
  return undefined;
}

const npmForm = 7;
