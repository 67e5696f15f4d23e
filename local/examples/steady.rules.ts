import { EXAMPLE_NOW } from '../../src/api/http/example-now.ts'

/** The start and the end of a run, by the system's clock, in milliseconds since 1970. */
export interface RunTimes {
  /** The start of the run. */
  from: number
  to: number
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g
const ACCOUNT = /\bacct_\w+/g
const METHOD = /\bpm_\w+/g
const STATE = /\bstate=[\w.-]+/g
const JOIN_CODE = /^[A-Z2-9]{6}$/
/** The constant that replaces invoice numbers: these depend on the order in which the workers process the jobs. */
const INVOICE_NUMBER = 24

/** The constants that replace random values, by the name of the field. */
const drawn: Readonly<Record<string, string>> = {
  cursor: 'eyJhbGciOiJkaXIifQ',
  etag: '"Zm9v"',
  fileUrl: 'https://flightline.example/uploads/1/file.pdf?token=…',
  invoiceId: 'in_1QkF7c2eZvKYlo2C',
  onboardingUrl: 'https://pay.example.com/connect/acct_1QkF7c2eZvKYlo2C',
  payUrl: 'https://pay.example.com/i/1',
  pdfUrl: 'https://pay.example.com/i/1.pdf',
  policy: 'eyJrZXkiOiIxL2EucGRmIn0',
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  signature: '9b2f0c4e',
  token: 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
}

/**
 * Returns an example without the values that differ between runs: instants within the run become the time of the
 * examples; random ids and tokens become constants. Keeps only the first item of each list.
 */
export function steady(value: unknown, times: RunTimes, name = ''): unknown {
  if (Array.isArray(value)) {
    // Figures, as low, middle and high, belong together; of ids and records one shows how they look.
    const isWhole = value.length === 3 && value.every((item) => typeof item === 'number') && !/Ids$/.test(name)
    return (isWhole ? value : value.slice(0, 1)).map((item) => steady(item, times, name))
  }
  if (value !== null && typeof value === 'object') {
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, steady(part, times, key)]))
  }
  if (name === 'number' && typeof value === 'number') return INVOICE_NUMBER
  if (typeof value !== 'string') return value
  const env = drawn[name]
  if (env !== undefined) return env
  if (name === 'url' && /\/c\/acct_/.test(value)) return 'https://checkout.stripe.com/c/pay/cs_1PbX2eFxkQ'
  if (name === 'url' && value.includes('/uploads')) return 'https://flightline.example/uploads/1/file.pdf'
  if (name === 'url' && value.includes('/calendar/')) return 'https://flightline.example/calendar/VKx0c2VjcmV0Zw.ics'
  if (/^(code|orgCode)$/.test(name) && JOIN_CODE.test(value)) return 'BFA7K2'
  return value
    .replace(INSTANT, (instant) => (isOfRun(instant, times) ? EXAMPLE_NOW.toISOString() : instant))
    .replace(UUID, 'b1f0c6f2-6b7a-4a58-9d6e-0c5a0a3b9f11')
    .replace(ACCOUNT, 'acct_1QkF7c2eZvKYlo2C')
    .replace(METHOD, 'pm_1PbX2eFxkQ')
    .replace(STATE, 'state=OXxCkjVeMCeHYGEB')
}

function isOfRun(instant: string, { from, to }: RunTimes): boolean {
  const at = Date.parse(instant)
  return at >= from - 1_000 && at <= to + 1_000
}
