/** A syntax error in a template. Line and column start at 1 and are relative to the template. */
export class TemplateProblem extends Error {
  readonly line: number;
  readonly column: number;

  constructor(template: string, at: number, message: string) {
    super(message);
    const before = template.slice(0, at);
    this.line = before.split('\n').length;
    this.column = at - before.lastIndexOf('\n');
  }
}
