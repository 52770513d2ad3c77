type Format = (text: string) => boolean;

const fullDate = /^(\d{4})-(\d{2})-(\d{2})$/;
const fullTime = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:(z)|([+-])(\d{2}):(\d{2}))$/i;
const daysInMonth = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function isDate(text: string): boolean {
  const parts = fullDate.exec(text);
  if (parts === null) return false;
  const [year, month, day] = parts.slice(1).map(Number) as [number, number, number];
  if (month < 1 || month > 12 || day < 1 || day > (daysInMonth[month - 1] ?? 0)) return false;
  const isLeap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return month !== 2 || day < 29 || isLeap;
}

function isTime(text: string): boolean {
  const parts = fullTime.exec(text);
  if (parts === null) return false;
  const [hours, minutes, seconds] = parts.slice(1, 4).map(Number) as [number, number, number];
  const offsetHours = Number(parts[6] ?? 0);
  const offsetMinutes = Number(parts[7] ?? 0);
  if (hours > 23 || minutes > 59 || seconds > 60 || offsetHours > 23 || offsetMinutes > 59) return false;
  if (seconds < 60) return true;
  // Leap seconds are only inserted at 23:59 UTC.
  const offset = (parts[5] === '-' ? -1 : 1) * (offsetHours * 60 + offsetMinutes);
  return (((hours * 60 + minutes - offset) % 1440) + 1440) % 1440 === 1439;
}

function isDateTime(text: string): boolean {
  const at = text.search(/[Tt ]/);
  return at > 0 && isDate(text.slice(0, at)) && isTime(text.slice(at + 1));
}

function isIpv4(text: string): boolean {
  const parts = text.split('.');
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255);
}

function isIpv6(text: string): boolean {
  if (text.length > 45 || !/^[0-9a-f:.]+$/i.test(text)) return false;
  const halves = text.split('::');
  if (halves.length > 2) return false;
  let groups = 0;
  for (const [index, half] of halves.entries()) {
    const parts = half === '' ? [] : half.split(':');
    for (const [place, part] of parts.entries()) {
      const isLast = index === halves.length - 1 && place === parts.length - 1;
      if (part.includes('.')) {
        if (!isLast || !isIpv4(part)) return false;
        groups += 2;
      } else {
        if (!/^[0-9a-f]{1,4}$/i.test(part)) return false;
        groups += 1;
      }
    }
  }
  return halves.length === 2 ? groups < 8 : groups === 8;
}

function isHostname(text: string): boolean {
  if (text.length === 0 || text.length > 253) return false;
  return text.split('.').every((label) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(label));
}

function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > 320) return false;
  const local = text.slice(0, at);
  const domain = text.slice(at + 1);
  if (domain.startsWith('[') && domain.endsWith(']')) {
    const literal = domain.slice(1, -1);
    return isLocalPart(local) && (isIpv4(literal) || (/^ipv6:/i.test(literal) && isIpv6(literal.slice(5))));
  }
  return isLocalPart(local) && isHostname(domain);
}

function isLocalPart(text: string): boolean {
  if (/^"(?:[^"\\\r\n]|\\.)+"$/.test(text)) return true;
  return text.split('.').every((atom) => /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+$/i.test(atom));
}

// Characters that RFC 3986 allows unescaped, or a percent sign with two hexadecimal digits.
const uriText = /^(?:[a-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i;

function isUriReference(text: string): boolean {
  if (!uriText.test(text)) return false;
  const [beforeHash, ...more] = text.split('#');
  if (more.length > 1 || beforeHash === undefined) return false;
  const authority = /^(?:[^:/?]*:)?\/\/([^/?]*)/.exec(beforeHash)?.[1];
  if (authority !== undefined && !isAuthority(authority)) return false;
  const rest = authority === undefined ? text : text.slice(text.indexOf('//') + 2 + authority.length);
  if (/[[\]]/.test(rest)) return false;
  // Without a scheme, a colon in the first segment would look like one.
  return isSchemeStart(text) || !/^[^/?#]*:/.test(text);
}

function isAuthority(text: string): boolean {
  const host = text.slice(text.lastIndexOf('@') + 1);
  if (text.slice(0, text.lastIndexOf('@') + 1).search(/[[\]]/) >= 0) return false;
  const literal = /^\[(.*)\](?::\d*)?$/.exec(host);
  if (literal !== null) return isIpv6(literal[1] ?? '') || /^v[0-9a-f]+\..+$/i.test(literal[1] ?? '');
  return /^[^:[\]]*(?::\d*)?$/.test(host);
}

function isSchemeStart(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:/i.test(text);
}

function isUri(text: string): boolean {
  return isSchemeStart(text) && isUriReference(text);
}

const duration =
  /^P(?!$)(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)?(?:T(?=\d)(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S))?)$/;

function isRegex(text: string): boolean {
  try {
    return new RegExp(text, 'u').flags === 'u';
  } catch {
    return false;
  }
}

const known: Readonly<Record<string, Format>> = {
  date: isDate,
  time: isTime,
  'date-time': isDateTime,
  duration: (text) => duration.test(text),
  email: isEmail,
  hostname: isHostname,
  ipv4: isIpv4,
  ipv6: isIpv6,
  uri: isUri,
  'uri-reference': isUriReference,
  uuid: (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text),
  'json-pointer': (text) => /^(?:\/(?:[^~/]|~[01])*)*$/u.test(text),
  'relative-json-pointer': (text) => /^(?:0|[1-9]\d*)(?:#|(?:\/(?:[^~/]|~[01])*)*)$/u.test(text),
  regex: isRegex,
};

/** The checked formats. Any other `format` is only an annotation. */
export const formats: ReadonlyMap<string, Format> = new Map(Object.entries(known));

/** A valid example of each format, shown to models. */
export const formatExamples: Readonly<Record<string, string>> = {
  date: '2025-01-31',
  time: '09:30:00Z',
  'date-time': '2025-01-31T09:30:00Z',
  duration: 'PT30M',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/path',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};
