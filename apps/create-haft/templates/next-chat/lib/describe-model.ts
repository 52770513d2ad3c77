import { chooseModel } from './choose-model.ts';

/** Returns a line for the page: the name of the model without its server, or what is missing. */
export function describeModel(environment: Readonly<Record<string, string | undefined>>): string {
  try {
    const { description } = chooseModel(environment);
    return description.replace(/ at .*$/, '');
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
