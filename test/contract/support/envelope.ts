import type { LightMyRequestResponse } from 'fastify'

/** Words of the inside that no answer may carry. */
const inside =
  /\b(select|insert into|update .+ set|delete from|syntax error|violates|relation ["']|pg_|kysely|mikro|node_modules|\.ts:\d|at [\w.<>]+ \(|errno|ECONN|undefined is not|cannot read prop)/i

/** What a validation library says by itself. */
const libraryText = /Invalid (input|option|string|element)|Too (small|big):|expected \w+, received|received NaN/
/** A field that is named twice in a row. */
const doubledField = /(?:^|; )([\w.]+): \1: /

/** What is wrong with an answer, whatever was asked: a failure of ours, an error outside the envelope, a leak. */
export function faultsOf({ statusCode, headers, body }: LightMyRequestResponse): string[] {
  const faults: string[] = []
  if (!headers['x-request-id']) faults.push('no x-request-id')
  if (!headers['ratelimit-limit']) faults.push('no RateLimit-Limit')
  if (statusCode >= 400 && !String(headers['content-type']).startsWith('application/json')) {
    return [...faults, `not JSON: ${body.slice(0, 100)}`]
  }
  return [...faults, ...faultsOfBody({ statusCode, body })]
}

/** What is wrong with the status and the body of an answer alone. */
export function faultsOfBody({ statusCode, body }: { statusCode: number; body: string }): string[] {
  const faults: string[] = []
  if (statusCode >= 500) faults.push(`${statusCode}: ${body.slice(0, 200)}`)
  if (statusCode < 400) return faults
  const { message, code, details, ...others } = JSON.parse(body)
  if (typeof message !== 'string' || message === '' || message.length > 2_000) faults.push('no message to show')
  for (const said of [message, ...(details?.problems ?? []).map((problem: { message: unknown }) => problem.message)]) {
    if (libraryText.test(said) || doubledField.test(said)) faults.push(`not in our words: ${said}`)
  }
  if (code !== undefined && !/^[A-Z_]+$/.test(code)) faults.push(`not a code: ${code}`)
  if (details !== undefined && (typeof details !== 'object' || details === null)) faults.push('details are no object')
  if (Object.keys(others).length > 0) faults.push(`not in the envelope: ${Object.keys(others)}`)
  if (body.includes('FST_')) faults.push(`a code of the framework: ${body.slice(0, 300)}`)
  if (body.length > 20_000) faults.push(`an error of ${body.length} characters`)
  const leak = inside.exec(body)
  if (leak) faults.push(`tells of the inside: ${leak[0]} in ${body.slice(0, 300)}`)
  return faults
}
