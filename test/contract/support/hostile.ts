/** Values that a field does not expect, as JSON text, since some of them no value of ours could be written as. */
export const hostileJson: string[] = [
  'null',
  'true',
  '0',
  '-0',
  '-1',
  '1.5',
  '1e21',
  '-1e21',
  '1e400',
  '2147483648',
  '9007199254740993',
  '""',
  '" "',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"2026-02-30T10:00:00Z"',
  '"-271821-04-20T00:00:00Z"',
  JSON.stringify('💥👩‍✈️'.repeat(20)),
  JSON.stringify('x'.repeat(10_000)),
  JSON.stringify("'; drop table account; --"),
  JSON.stringify('$1 %s {{7*7}} \\'),
  '[]',
  '{}',
  '[[[[[]]]]]',
  '[null]',
  '{"id":{"id":1}}',
  '{"length":1e9}',
  `[${'1,'.repeat(10_000)}1]`,
]

/** What no list and no object of ours is. */
export const hostileBranches: string[] = [
  ...['null', '1', '"text"', '[]', '{}', '[null]', '[[[[[]]]]]', '[{"id":{}}]', '{"length":1e9}'],
  `[${'1,'.repeat(10_000)}1]`,
  `[${'{},'.repeat(10_000)}{}]`,
]

/** Bodies that are no object, or no JSON at all. */
export const hostileBodies: string[] = [
  'null',
  'true',
  '1',
  '"text"',
  '[]',
  '[{}]',
  '{',
  '{"a":}',
  '{"a":1}}',
  'NaN',
  '\u0000',
  '\ufeff{}',
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{"admin":true}}}',
  '{"a":{"__proto__":{"admin":true}}}',
  `${'['.repeat(60)}${']'.repeat(60)}`,
  `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
  `${'['.repeat(200_000)}`,
  `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`,
]

/** What no path parameter or query expects, as it stands in an address. */
export const hostileText: string[] = [
  'abc',
  '-1',
  '1.5',
  '1e3',
  '-1e+21',
  '+1',
  ' 1',
  '0x10',
  '١',
  'null',
  'undefined',
  '[object Object]',
  '\u0000',
  '1\u0000',
  "1'; drop table account; --",
  '1 or 1=1',
  '../../etc/passwd',
  '💥',
  '%',
  '__proto__',
  'constructor.prototype.admin',
  'x'.repeat(290),
].map(encodeURIComponent)

/** Addresses that do not even decode. */
export const brokenText: string[] = ['%', '%zz', '%c0%af', '%ed%a0%80', '%00%ff']
