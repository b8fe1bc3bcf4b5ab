const day =
  '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))';
const date = `[0-9]{4}-${day}`;
const time =
  '(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\\.[0-9]{1,6})?(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9])';
const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])';
const label = '[a-z0-9](?:[a-z0-9-]{0,20}[a-z0-9])?';
const host = `${label}(?:\\.${label}){0,4}`;
const path = '(?:/[A-Za-z0-9._~-]{0,40}){0,8}';

/**
 * Formats of strings, each as a regular expression. All that they match is of the format; some of what a format allows
 * is left out, such as the 29th of February, and hosts in capitals.
 */
export const formats: ReadonlyMap<string, string> = new Map([
  ['date', date],
  ['time', time],
  ['date-time', `${date}T${time}`],
  [
    'duration',
    'P(?:[0-9]{1,4}D(?:T[0-9]{1,2}H)?|[0-9]{1,3}W|[0-9]{1,3}Y(?:[0-9]{1,2}M)?|T[0-9]{1,3}(?:H(?:[0-9]{1,2}M)?|M|S))',
  ],
  ['email', `[a-z0-9]{1,20}(?:[._+-][a-z0-9]{1,20}){0,4}@${label}(?:\\.${label}){1,3}`],
  ['hostname', host],
  ['ipv4', `${byte}(?:\\.${byte}){3}`],
  ['ipv6', '[0-9a-f]{1,4}(?::[0-9a-f]{1,4}){7}'],
  ['uri', `[a-z][a-z0-9+.-]{0,15}://${host}(?::[0-9]{1,4})?${path}`],
  ['uuid', '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'],
]);
