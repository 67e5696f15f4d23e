import type { InvoiceAtProcessor } from '../../shared/adapters/processor/processor.port.ts'
import { ProcessorRefused } from '../../shared/adapters/processor/processor-errors.ts'
import { findInvoiceToSettle } from '../../shared/invoices/invoice-to-raise.queries.ts'
import type { settleAtProcessor } from '../../shared/invoices/invoices.jobs.ts'
import { noteProcessorError } from '../../shared/invoices/refund-invoice.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'
import { Permanent } from '../../shared/kernel/permanent.ts'

const GIVEN_BACK = 'The payer paid at the payment processor too; that payment was given back.'
const ONCE_OR_TWICE =
  'It is paid at the payment processor too. Should that be another payment than the one noted here, give one back.'

/**
 * Marks an invoice paid at the processor too, so that nobody pays it there again. What is not there yet needs nothing:
 * should a raising be under way, it comes back here when it has answered. What is void there is ended, and a half-raised
 * one is taken away. A payer who
 * was faster there paid twice: beside cash or a check that payment is given back; any other may be the very payment that
 * was noted here, so the invoice says it and the desk decides.
 */
export const settleInvoiceAtProcessor: JobProcessor<typeof settleAtProcessor> = async (payload, tools) => {
  const { database, processor } = tools
  const request = await findInvoiceToSettle(database.db, payload)
  const found = request && (await processor.findInvoice(request))
  if (!found || found.status === 'void') return
  const invoice: InvoiceAtProcessor = { account: request.account, processorInvoiceId: found.processorInvoiceId }
  const note = (text: string) => tools.transaction((tx) => noteProcessorError(tx, payload, text))
  try {
    if (found.status === 'draft') return await processor.voidInvoice(invoice)
    await processor.markPaidOutOfBand(invoice)
    if (!request.inHand) {
      if ((await processor.receivedCents(invoice)) > 0) await note(ONCE_OR_TWICE)
      return
    }
    const { refundedCents } = await processor.refund({ ...invoice, key: `ref_${request.key}`, amountCents: null })
    if (refundedCents > 0) await note(GIVEN_BACK)
  } catch (error) {
    if (!(error instanceof ProcessorRefused)) throw error
    await note(error.message)
    throw new Permanent(`the processor refused to mark the invoice paid: ${error.code}`)
  }
}
