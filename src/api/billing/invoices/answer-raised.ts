import { findInvoice, findInvoices, type InvoiceRow } from '../../../shared/billing/invoices/invoice.queries.ts'
import { issueAtGateway } from '../../../shared/billing/invoices/invoices.jobs.ts'
import type { Actor } from '../../../shared/platform/authz/actor.ts'
import type { OutboxEntry } from '../../../shared/platform/db/transaction.ts'
import { Invalid, NotFound } from '../../../shared/platform/kernel/errors.ts'
import { type Answer, created, ok } from '../../http/answers.ts'
import type { Services } from '../../http/services.ts'
import { invoiceView } from './invoice.view.ts'

/**
 * Hands the jobs of a commit over and waits for those that raise invoices, for as long as the configuration says. The
 * jobs go on after it.
 */
export async function waitForGateway(services: Services, enqueued: OutboxEntry[]): Promise<void> {
  const raising = enqueued.filter((row) => row.job === issueAtGateway.name)
  services.relay.publish(enqueued.filter((row) => row.job !== issueAtGateway.name))
  await services.relay.publishAndWait(raising, services.config.PROCESSOR_WAIT_MS)
}

/** What an answer is made with. */
interface Asked {
  services: Services
  actor: Actor
  enqueued: OutboxEntry[]
  now: Date
}

/**
 * The invoices that were just written, as the processor took them: 201 with the accepted ones and a warning for each
 * that was refused; 200 while some are pending.
 * @throws Invalid when the processor refused all of them: nothing was billed.
 */
export async function answerRaised(
  result: { invoiceIds: number[]; warnings: string[] },
  asked: Asked,
): Promise<Answer> {
  const { standing, warnings, pending } = await settle(result, asked)
  const answer = created(
    standing.map((row) => invoiceView(row, asked.now)),
    { warnings },
  )
  return pending ? { ...answer, status: 200 } : answer
}

/** The same for a single invoice, which is the data itself. @throws Invalid when the processor refused it. */
export async function answerOneRaised(
  result: { invoiceIds: number[]; warnings: string[] },
  asked: Asked,
): Promise<Answer> {
  const { standing, warnings, pending } = await settle(result, asked)
  const answer = created(invoiceView(standing[0]!, asked.now), { warnings })
  return pending ? { ...answer, status: 200 } : answer
}

/**
 * An invoice as it was changed; new lines as the processor took them.
 * @throws Invalid when the processor refused them: the invoice is void then.
 */
export async function answerChanged(
  { id, raisedAgain }: { id: number; raisedAgain: boolean },
  asked: Asked,
): Promise<Answer> {
  const beside = raisedAgain ? await waitUntilIssued(asked, id) : {}
  if (!raisedAgain) asked.services.relay.publish(asked.enqueued)
  return ok(await viewInvoice(asked, id), beside)
}

/**
 * Waits for the processor to take one invoice; a warning when it takes longer.
 * @throws Invalid when it refused the invoice.
 */
export async function waitUntilIssued(asked: Asked, id: number): Promise<{ warnings?: string[] }> {
  await waitForGateway(asked.services, asked.enqueued)
  const row = await mustFind(asked, id)
  if (row.status === 'failed' || (row.status === 'void' && row.processor_error)) throw new Invalid(refusal(row))
  return row.status === 'pending' ? { warnings: [stillPending(row)] } : {}
}

/** One invoice as it is answered. */
export async function viewInvoice(asked: Pick<Asked, 'services' | 'actor' | 'now'>, id: number) {
  return invoiceView(await mustFind(asked, id), asked.now)
}

async function settle({ invoiceIds, warnings }: { invoiceIds: number[]; warnings: string[] }, asked: Asked) {
  await waitForGateway(asked.services, asked.enqueued)
  const { services, actor, now } = asked
  const found = await findInvoices(services.database, actor.organizationId, { ids: invoiceIds }, { now })
  const invoices = invoiceIds.flatMap((id) => found.filter((invoice) => invoice.id === id))
  const refused = invoices.filter((invoice) => invoice.status === 'failed').map(refusal)
  const standing = invoices.filter((invoice) => invoice.status !== 'failed')
  if (standing.length === 0) throw new Invalid(['Nothing was billed.', ...refused].join(' '))
  const pending = standing.filter((invoice) => invoice.status === 'pending')
  return { standing, warnings: [...warnings, ...refused, ...pending.map(stillPending)], pending: pending.length > 0 }
}

async function mustFind({ services, actor, now }: Pick<Asked, 'services' | 'actor' | 'now'>, id: number) {
  const row = await findInvoice(services.database, actor.organizationId, id, now)
  if (!row) throw new NotFound('There is no such invoice.')
  return row
}

function refusal(invoice: InvoiceRow): string {
  return `${invoice.payer_name} could not be billed: ${invoice.processor_error ?? 'the payment processor refused'}`
}

function stillPending(invoice: InvoiceRow): string {
  return `The payment processor has not answered for ${invoice.payer_name} yet; the invoice follows by itself.`
}
