import { billingErrors } from '../../../shared/billing/billing.errors.ts'
import {
  getInvoice,
  refusal,
  stillPending,
  waitForGateway,
  waitUntilIssued,
} from '../../../shared/billing/invoices/create-invoice.ts'
import { findInvoices } from '../../../shared/billing/invoices/invoice.queries.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { OutboxEntry } from '../../../shared/platform/db/transaction.ts'
import { type Answer, created, ok } from '../../http/answers.ts'
import type { Services } from '../../http/services.ts'
import { invoiceView } from './invoice.view.ts'

/** The inputs of a response. */
interface ResponseContext {
  services: Services
  actor: Actor
  enqueued: OutboxEntry[]
  now: Date
}

/**
 * Returns the response for invoices that were just written:
 * - 201 when all that the processor accepted are issued: with these, and a warning for each refused one;
 * - 200 with the same body, and a warning for each pending one, while the processor still works on one;
 * - 200 with an empty list when none was written yet, because a payer can still object.
 * Implements interface §Reservations rule 2.
 */
export async function answerRaised(
  result: { invoiceIds: number[]; warnings: string[]; heldUntil: Date | null },
  context: ResponseContext,
): Promise<Answer> {
  if (result.heldUntil) return ok([], { warnings: result.warnings })
  const { accepted, warnings, pending } = await awaitGateway(result, context)
  const answer = created(
    accepted.map((row) => invoiceView(row, context.now)),
    { warnings },
  )
  return pending ? { ...answer, status: 200 } : answer
}

/** The errors of a request whose invoices are all refused by the gateway. */
export const raisedErrors = [
  billingErrors.payerWithoutAddress,
  billingErrors.nothingBilled,
  billingErrors.nothingBilledBecause,
  billingErrors.payerNotBilled,
  billingErrors.payerNotBilledWithoutReason,
] as const

/**
 * Returns the response for one invoice that was just written: 201, or 200 while it is pending.
 * Implements interface §Invoices, POST /invoices.
 */
export async function answerOneRaised(
  result: { invoiceIds: number[]; warnings: string[] },
  context: ResponseContext,
): Promise<Answer> {
  const { accepted, warnings, pending } = await awaitGateway(result, context)
  const answer = created(invoiceView(accepted[0]!, context.now), { warnings })
  return pending ? { ...answer, status: 200 } : answer
}

/**
 * Returns the response for a changed invoice. When it has new lines, waits until the gateway has them.
 * Implements interface §Invoices, PATCH /invoices/{invoiceId}.
 */
export async function answerChanged(
  { id, raisedAgain }: { id: number; raisedAgain: boolean },
  context: ResponseContext,
): Promise<Answer> {
  const beside = raisedAgain ? await waitUntilIssued(context, id) : {}
  if (!raisedAgain) context.services.relay.publish(context.enqueued)
  return ok(await viewInvoice(context, id), beside)
}

/** Returns the view of one invoice. */
export async function viewInvoice(context: Pick<ResponseContext, 'services' | 'actor' | 'now'>, id: number) {
  return invoiceView(await getInvoice(context, id), context.now)
}

async function awaitGateway(
  { invoiceIds, warnings }: { invoiceIds: number[]; warnings: string[] },
  context: ResponseContext,
) {
  await waitForGateway(context.services, context.enqueued)
  const { services, actor, now } = context
  const found = await findInvoices(services.database, actor.organizationId, { ids: invoiceIds }, { now })
  const invoices = invoiceIds.flatMap((id) => found.filter((invoice) => invoice.id === id))
  const refused = invoices.filter((invoice) => invoice.status === 'failed').map(refusal)
  const accepted = invoices.filter((invoice) => invoice.status !== 'failed')
  if (accepted.length === 0) throw nothingBilled(refused)
  const pending = accepted.filter((invoice) => invoice.status === 'pending')
  return { accepted, warnings: [...warnings, ...refused, ...pending.map(stillPending)], pending: pending.length > 0 }
}

function nothingBilled(reasons: readonly string[]) {
  if (reasons.length === 0) return billingErrors.nothingBilled()
  return billingErrors.nothingBilledBecause({ reasons: reasons.join(' ') })
}
