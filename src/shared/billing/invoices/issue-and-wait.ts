import type { Actor } from '../../platform/authz/actor.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/database.ts'
import type { OutboxEntry } from '../../platform/db/transaction.ts'
import type { OutboxRelay } from '../../platform/jobs/outbox.ts'
import { Invalid } from '../../platform/kernel/errors.ts'
import { billingErrors } from '../billing.errors.ts'
import { findInvoice, type InvoiceRow } from './invoice.queries.ts'
import { issueAtGateway } from './invoices.jobs.ts'

/** The reader of an invoice. */
interface Reading {
  services: { database: Database }
  actor: Actor
  now: Date
}

/** What a response has that waits for the gateway: `enqueued` are the jobs of its commit. */
interface Issuing extends Reading {
  services: { database: Database; relay: OutboxRelay; config: Pick<Config, 'PROCESSOR_WAIT_MS'> }
  enqueued: OutboxEntry[]
}

/**
 * Publishes the jobs of a commit and waits for the issue jobs, at most the configured time. Longer jobs continue in the
 * background.
 */
export async function waitForGateway(
  { relay, config }: Pick<Issuing['services'], 'relay' | 'config'>,
  enqueued: OutboxEntry[],
): Promise<void> {
  const raising = enqueued.filter((row) => row.job === issueAtGateway.name)
  relay.publish(enqueued.filter((row) => row.job !== issueAtGateway.name))
  await relay.publishAndWait(raising, config.PROCESSOR_WAIT_MS)
}

/**
 * Waits until the gateway accepts one invoice; returns a warning when it takes longer.
 * @throws Invalid when the gateway refused the invoice.
 */
export async function waitUntilIssued(context: Issuing, id: number): Promise<{ warnings?: string[] }> {
  await waitForGateway(context.services, context.enqueued)
  const row = await getInvoice(context, id)
  if (row.status === 'failed' || (row.status === 'void' && row.processor_error)) throw new Invalid(refusal(row))
  return row.status === 'pending' ? { warnings: [stillPending(row)] } : {}
}

/**
 * Returns one invoice.
 * @throws NotFound when the organization has no such invoice.
 */
export async function getInvoice({ services, actor, now }: Reading, id: number): Promise<InvoiceRow> {
  const row = await findInvoice(services.database, actor.organizationId, id, now)
  if (!row) throw billingErrors.noSuchInvoice()
  return row
}

/** Returns why the gateway refused an invoice. */
export function refusal({ payer_name: payer, processor_error: reason }: InvoiceRow) {
  if (reason === null) return billingErrors.processorRefusedSilently({ payer })
  return billingErrors.processorRefused({ payer, reason })
}

/** Returns the warning of an invoice that the gateway has not accepted yet. */
export function stillPending(invoice: InvoiceRow): string {
  return billingErrors.processorPending({ payer: invoice.payer_name })
}
