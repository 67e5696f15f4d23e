import { findLook } from '../../../shared/billing/payments/payment.queries.ts'
import type { sweepGatewayEvents } from '../../../shared/billing/payments/payments.jobs.ts'
import { moveBookmark, readSince, takeEvents } from '../../../shared/billing/payments/receive-lost-events.ts'
import { GatewayRefused } from '../../../shared/platform/adapters/payments/gateway-errors.ts'
import type { GatewayAccount, GatewayEvents } from '../../../shared/platform/adapters/payments/payment-gateway.port.ts'
import type { JobProcessor, JobTools } from '../../../shared/platform/jobs/job-tools.ts'

/**
 * Reads the events of a gateway account since the last read, page by page, and handles those that no webhook delivered,
 * like events of a webhook. The read position is stored after the last page: an interrupted read starts over, and skips
 * events that were handled. Ends early when the gateway refuses the request.
 * @throws Error when the gateway cannot be read: the job is tried again
 */
export const sweepGatewayEventsProcessor: JobProcessor<typeof sweepGatewayEvents> = async ({ lookId }, tools) => {
  const look = await findLook(tools.database.db, lookId)
  if (!look) return
  const { account, readUntil } = look
  const began = tools.clock()
  const since = readSince(readUntil, began)
  let lost = 0
  for (let after: string | null = null, more = true; more; more = after !== null) {
    const page: GatewayEvents | null = await readPage(tools, account, { since, after })
    if (!page) return
    lost += await tools.transaction((tx) => takeEvents(tx, page.events))
    after = page.next
  }
  await tools.transaction((tx) => moveBookmark(tx, lookId, began))
  if (lost > 0) tools.log.info({ account, lost }, 'events of the payment processor that no webhook had brought')
}

/**
 * Returns a page of events; null when the gateway refuses the request, for example because the school has disconnected
 * its account.
 */
async function readPage(
  { gateway, log }: JobTools,
  account: GatewayAccount,
  asked: { since: Date; after: string | null },
): Promise<GatewayEvents | null> {
  try {
    return await gateway.listEvents(account, asked)
  } catch (error) {
    if (!(error instanceof GatewayRefused)) throw error
    log.warn({ account, code: error.code }, 'the events of an account cannot be read')
    return null
  }
}
