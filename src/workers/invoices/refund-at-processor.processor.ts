import { ProcessorRefused } from '../../shared/adapters/processor/processor-errors.ts'
import type { refundAtProcessor } from '../../shared/invoices/invoices.jobs.ts'
import { findInvoiceToRefund, noteProcessorError, noteRefund } from '../../shared/invoices/refund-invoice.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'

/** Gives back what was paid on an invoice, once: the processor knows the refund by a key made from our row. */
export const refundInvoiceAtProcessor: JobProcessor<typeof refundAtProcessor> = async (payload, tools) => {
  const request = await findInvoiceToRefund(tools.database.db, payload)
  if (!request) return
  let refundedCents: number
  try {
    refundedCents = (await tools.processor.refund(request)).refundedCents
  } catch (error) {
    if (!(error instanceof ProcessorRefused)) throw error
    await tools.transaction((tx) => noteProcessorError(tx, payload, error.message))
    throw new Permanent(`the processor refused the refund: ${error.code}`)
  }
  await tools.transaction((tx) => noteRefund(tx, payload, refundedCents))
}
