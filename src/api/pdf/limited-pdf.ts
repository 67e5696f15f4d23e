import { platformErrors } from '../../shared/platform/platform.errors.ts'
import type { Call } from '../http/declaration.ts'

/** The most PDFs that a process makes at once. */
const MOST_AT_ONCE = 2
const RETRY_AFTER_SECONDS = 2

let making = 0

/** The request for a PDF. */
type PdfCall = Pick<Call<'member'>, 'actor' | 'count' | 'services'>

/**
 * Returns the PDF that `make` makes, within the limits: 120 an hour per account, two at once per process.
 * Implements interface §Limits.
 */
export async function makeLimited({ actor, count, services }: PdfCall, make: () => Promise<Buffer>): Promise<Buffer> {
  await count([['pdfs', String(actor.accountId)]])
  if (making >= MOST_AT_ONCE * services.config.RATE_LIMIT_FACTOR) {
    throw platformErrors.pdfsUnderWay({ retryAfterSeconds: RETRY_AFTER_SECONDS })
  }
  making++
  try {
    return await make()
  } finally {
    making--
  }
}
