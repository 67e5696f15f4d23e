import type { Actor } from '../../shared/authz/actor.ts'
import type { OwedJob } from '../../shared/db/transaction.ts'
import { findInvoices, type InvoiceRow } from '../../shared/invoices/invoice.queries.ts'
import { raiseAtProcessor } from '../../shared/invoices/invoices.jobs.ts'
import { Invalid } from '../../shared/kernel/errors.ts'
import { type Answer, created } from '../http/answers.ts'
import type { Services } from '../http/services.ts'
import { invoiceView } from './invoice.view.ts'

/**
 * Hands the jobs of a commit over and waits for those that raise invoices, for as long as the configuration says. The
 * jobs go on after it.
 */
export async function waitForProcessor(services: Services, owed: OwedJob[]): Promise<void> {
  const raising = owed.filter((row) => row.job === raiseAtProcessor.name)
  services.relay.handOverSoon(owed.filter((row) => row.job !== raiseAtProcessor.name))
  await services.relay.handOverAndWait(raising, services.config.PROCESSOR_WAIT_MS)
}

/**
 * The invoices that were just written, as the processor took them: 201 with the accepted ones and a warning for each
 * that was refused; 200 while some are pending.
 * @throws Invalid when the processor refused all of them: nothing was billed.
 */
export async function answerRaised(
  result: { invoiceIds: number[]; warnings: string[] },
  { services, actor, owed, now }: { services: Services; actor: Actor; owed: OwedJob[]; now: Date },
): Promise<Answer> {
  await waitForProcessor(services, owed)
  const invoices = await findInvoices(services.database, actor.organizationId, { ids: result.invoiceIds }, { now })
  const refused = invoices.filter((invoice) => invoice.status === 'failed').map(refusal)
  const standing = result.invoiceIds.flatMap((id) =>
    invoices.filter((invoice) => invoice.id === id && invoice.status !== 'failed'),
  )
  if (standing.length === 0) throw new Invalid(['Nothing was billed.', ...refused].join(' '))
  const pending = standing.filter((invoice) => invoice.status === 'pending')
  const warnings = [...result.warnings, ...refused, ...pending.map(stillPending)]
  const answer = created(
    standing.map((row) => invoiceView(row, now)),
    { warnings },
  )
  return pending.length > 0 ? { ...answer, status: 200 } : answer
}

function refusal(invoice: InvoiceRow): string {
  return `${invoice.payer_name} could not be billed: ${invoice.processor_error ?? 'the payment processor refused'}`
}

function stillPending(invoice: InvoiceRow): string {
  return `The payment processor has not answered for ${invoice.payer_name} yet; the invoice follows by itself.`
}
