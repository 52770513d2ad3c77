import { mismatch } from './find-option-fault.ts';

/** Codes of the `TypeError` that is thrown for a wrong option and for a value that is not text. */
export const repairOptionErrorCodes = ['INVALID_OPTION'] as const;

/** @throws TypeError with the code `INVALID_OPTION` if a value is not text. */
export function checkText(text: unknown, path: string): void {
  if (typeof text !== 'string') throw invalidOption(mismatch(path, 'a string', text));
}

/** Creates the error for a wrong option, with its code and the page that explains it. */
export function invalidOption(message: string): TypeError {
  const [code] = repairOptionErrorCodes;
  return Object.assign(new TypeError(message), {
    code,
    url: `https://docs.haft-project.example/errors/#repair-${code}`,
  });
}
