import type { InvoiceAtProcessor } from '../../shared/adapters/processor/processor.port.ts'
import { ProcessorRefused } from '../../shared/adapters/processor/processor-errors.ts'
import { findInvoiceToSettle } from '../../shared/invoices/invoice-to-raise.queries.ts'
import type { settleAtProcessor } from '../../shared/invoices/invoices.jobs.ts'
import { noteProcessorError } from '../../shared/invoices/refund-invoice.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'

/**
 * Marks an invoice paid at the processor too, so that nobody pays it there again. What is not there yet needs nothing:
 * should a raising be under way, it comes back here when it has answered. A half-raised one is taken away.
 */
export const settleInvoiceAtProcessor: JobProcessor<typeof settleAtProcessor> = async (payload, tools) => {
  const request = await findInvoiceToSettle(tools.database.db, payload)
  const found = request && (await tools.processor.findInvoice(request))
  if (!found) return
  const invoice: InvoiceAtProcessor = { account: request.account, processorInvoiceId: found.processorInvoiceId }
  try {
    if (found.status === 'draft') await tools.processor.voidInvoice(invoice)
    else await tools.processor.markPaidOutOfBand(invoice)
  } catch (error) {
    if (!(error instanceof ProcessorRefused)) throw error
    await tools.transaction((tx) => noteProcessorError(tx, payload, error.message))
    throw new Permanent(`the processor refused to mark the invoice paid: ${error.code}`)
  }
}
