const reservedName = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?:\.|$)/i;

/**
 * Returns true if Windows would interpret a path component as something other than a file of that name: a device
 * (`NUL`), an alternate stream (`a::$DATA`), or a name whose trailing dots and blanks are dropped.
 */
export function isSpecialWindowsName(name: string): boolean {
  return name.includes(':') || /[. ]$/.test(name) || reservedName.test(name);
}
