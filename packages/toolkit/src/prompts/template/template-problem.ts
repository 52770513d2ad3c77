/** What is wrong with a template, and where: both counted from 1, from its own beginning. */
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
