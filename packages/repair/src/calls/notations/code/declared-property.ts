import type { CallableTool } from '../../contract/envelope.ts';

interface Property {
  readonly enum?: readonly unknown[];
  readonly description?: unknown;
}

function propertyOf(tool: CallableTool | undefined, key: string | undefined): Property | undefined {
  const { properties } = (tool?.parameters ?? {}) as { readonly properties?: Readonly<Record<string, Property>> };
  return properties?.[key ?? ''];
}

/** Returns whether the schema of an argument lists a word. */
export function listsWord(tool: CallableTool | undefined, key: string | undefined, word: string): boolean {
  return propertyOf(tool, key)?.enum?.includes(word) === true;
}

const language = '(?:Java(?:Script)?|TypeScript|Kotlin)';
const codePattern = new RegExp(
  `\\bin ${language}(?: \\d{1,2})?(?: SDK)? syntax\\b|\\bis (?:a )?${language} [\\w<>, ]{1,40} type parameter\\b`,
);

/**
 * Returns whether the description of a tool or of an argument says that the argument is source code: `in Java 8 SDK syntax`,
 * `This is JavaScript function type parameter`.
 */
export function isSourceCode(tool: CallableTool | undefined, key: string | undefined): boolean {
  return [tool?.description, propertyOf(tool, key)?.description].some(
    (one) => typeof one === 'string' && codePattern.test(one),
  );
}
