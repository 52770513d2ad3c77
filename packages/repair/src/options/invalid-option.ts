import type { FindFault } from './find-option-fault.ts';

/** Codes of the `TypeError` that is thrown for a wrong option and for a value that is not text. */
export const repairOptionErrorCodes = ['INVALID_OPTION'] as const;

/** @throws TypeError with the code `INVALID_OPTION` if a value that the caller passed has a fault. */
export function checkArgument(value: unknown, path: string, findFault: FindFault): void {
  const fault = findFault(value, path);
  if (fault !== undefined) throw invalidOption(fault);
}

/** Creates the error for a wrong option, with its code and the page that explains it. */
export function invalidOption(message: string): TypeError {
  const [code] = repairOptionErrorCodes;
  return Object.assign(new TypeError(message), {
    code,
    url: `https://docs.haft-project.example/errors/#repair-${code}`,
  });
}
