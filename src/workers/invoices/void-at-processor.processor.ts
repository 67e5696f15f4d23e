import type { InvoiceAtProcessor } from '../../shared/adapters/processor/processor.port.ts'
import { ProcessorRefused } from '../../shared/adapters/processor/processor-errors.ts'
import { findInvoiceToVoid } from '../../shared/invoices/invoice-to-raise.queries.ts'
import type { voidAtProcessor } from '../../shared/invoices/invoices.jobs.ts'
import { noteProcessorError, refundPaidMeanwhile } from '../../shared/invoices/refund-invoice.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'

/**
 * Ends a void invoice, or lines that were replaced, at the processor. What is not there yet needs nothing: should a
 * raising be under way, it comes back here when it has answered. What was paid meanwhile is given back.
 */
export const voidInvoiceAtProcessor: JobProcessor<typeof voidAtProcessor> = async (payload, tools) => {
  const request = await findInvoiceToVoid(tools.database.db, payload)
  const found = request && (await tools.processor.findInvoice(request))
  if (!found) return
  const invoice: InvoiceAtProcessor = { account: request.account, processorInvoiceId: found.processorInvoiceId }
  try {
    await tools.processor.voidInvoice(invoice)
  } catch (error) {
    if (!(error instanceof ProcessorRefused)) throw error
    const now = await tools.processor.retrieveInvoice(invoice)
    if (now.status !== 'paid') {
      await tools.transaction((tx) => noteProcessorError(tx, payload, error.message))
      throw new Permanent(`the processor refused to void the invoice: ${error.code}`)
    }
    if (!request.superseded) return tools.transaction((tx) => refundPaidMeanwhile(tx, payload, now))
    await tools.processor.refund({ ...invoice, key: `ref_${request.key}`, amountCents: null })
    const note = 'The payer paid what had been replaced; that payment was given back.'
    await tools.transaction((tx) => noteProcessorError(tx, payload, note))
  }
}
