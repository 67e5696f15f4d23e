/** What an answer says of a field that does not fit, after the field's path. */
const general: RegExp[] = [
  /^is required$/,
  /^must be (text|a number|a whole number|true or false|true|a list|an object|a date and time|an email address)$/,
  /^must carry a UTC offset or Z$/,
  /^must be (at least|at most|more than) -?\d+(\.\d+)?$/,
  /^must have at most \d+ (characters|entries)$/,
  /^must have at least (one entry|\d+ (characters|entries))$/,
  /^must be one of \S+(, \S+)*( and \d+ more)?$/,
  /^must be given once$/,
  /^needs \w+( or \w+)+$/,
]

/** What only some fields say, because it says more than the general sentence would. */
const ofTheTrade: RegExp[] = [
  /^must not contain a web address$/,
  /^must be a rule that can be overridden; GET \/rules lists them$/,
  /^must be one line without control characters$/,
  /^must not contain (control characters|marks that turn the direction of text)$/,
  /^must be (well-formed|UTF-8) text$/,
  /^must have at most (one decimal|two decimals)$/,
  /^must lie in the years 1970 to 2199$/,
  /^must be an IANA time zone$/,
  /^must be a day, YYYY-MM-DD(, or a date and time)?$/,
  /^must be a two-letter country code \(ISO 3166\)$/,
  /^must be a currency code such as usd \(ISO 4217\)$/,
  /^must be an airport code such as KHWD$/,
  /^must be 1 to 40 lower-case letters, digits or underscores$/,
  /^must be letters, digits, spaces, dots, slashes and hyphens$/,
  /^must be six letters or digits$/,
  /^must be ids separated by commas(, or me)?$/,
  /^must be one of [\w.]+(, [\w.]+)*( and \d+ more)?, or several separated by commas$/,
  /^must be a kind and an id, such as member:1$/,
  /^no row has a field at this path$/,
  /^must be one of AC 61-65K, AC 61-65H$/,
  /^must be the push token of a device$/,
  /^must be an https address on the public internet$/,
  /^must be a file name, without folders$/,
  /^must end in \w+(, \w+)*$/,
  /^must be after \w+$/,
  /^must be the id of an event$/,
  /^cannot be combined with since$/,
  /^name either a resource, or a make and model$/,
  /^must be the same as enforcement$/,
  /^is for ground lessons only$/,
  /^give exactly one of (orgUserId and name|items and amountCents|amountCents and deciHours)$/,
  /^give exactly one of (resource, resources and pool|instructorOrgUserId and instructorOrgUserIds|rows and text|ids, filter and action\.changes)$/,
  /^needs exactly one of cancel, move, reassign, changes$/,
  /^needs resource, resources or instructorOrgUserId$/,
  /^must not be 0$/,
  /^must last from \d+ minutes to \d+ days$/,
  /^must be a multiple of 15$/,
  /^cannot be combined with (id|locationId)$/,
  /^cannot be combined with personnel, which also names the instructor$/,
]

/** Whether a sentence is one of those that a field is refused with. */
export function isKnownSentence(sentence: string): boolean {
  return [...general, ...ofTheTrade].some((known) => known.test(sentence))
}

interface Refusal {
  message: string
  details?: { problems?: { field: string; message: string }[] }
}

/** What is wrong with the words of a refused body, query or path. */
export function wordingFaultsOf({ message, details }: Refusal): string[] {
  const problems = details?.problems ?? []
  const said = problems.map((problem) => problem.message)
  const strange = problems
    .filter((problem) => {
      const [field = '', ...sentence] = problem.message.split(': ')
      return field !== problem.field || !isKnownSentence(sentence.join(': '))
    })
    .map((problem) => `${problem.field}: says "${problem.message}"`)
  if (said.length === 0) strange.push(`no problems: ${message}`)
  if (message !== said.slice(0, 5).join('; ')) strange.push(`message "${message}" is not its problems`)
  return strange
}
