import { platformErrors } from '../../shared/platform/platform.errors.ts'
import type { Call } from '../http/declaration.ts'

/** The most PDFs that a process renders at the same time. */
const MOST_AT_ONCE = 2
const RETRY_AFTER_SECONDS = 2

let making = 0

/** The parts of a call that rendering a PDF needs. */
type PdfCall = Pick<Call<'member'>, 'actor' | 'count' | 'services'>

/**
 * Returns the PDF that `make` renders. Limits: 120 per hour and account, two at a time per process.
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
