import type { FindInvoice, Processor } from '../../shared/adapters/processor/processor.port.ts'
import { ProcessorRefused } from '../../shared/adapters/processor/processor-errors.ts'
import type { endLeftAtProcessor } from '../../shared/invoices/invoices.jobs.ts'
import type { JobProcessor } from '../../shared/jobs/job-tools.ts'

/** Ends what a deleted organization left at the processor. What the processor refuses to end is left to its dashboard. */
export const endInvoicesLeftAtProcessor: JobProcessor<typeof endLeftAtProcessor> = async (
  { invoices },
  { processor, log },
) => {
  for (const { giveBack, createdAt, ...left } of invoices) {
    try {
      await end(processor, { ...left, createdAt: new Date(createdAt) }, giveBack)
    } catch (error) {
      if (!(error instanceof ProcessorRefused)) throw error
      log.warn({ key: left.key, code: error.code }, 'an invoice of a deleted organization was not ended')
    }
  }
}

async function end(processor: Processor, request: FindInvoice, giveBack: boolean): Promise<void> {
  const found = await processor.findInvoice(request)
  if (!found) return
  const invoice = { account: request.account, processorInvoiceId: found.processorInvoiceId }
  if (found.status !== 'paid') await processor.voidInvoice(invoice)
  else if (giveBack) await processor.refund({ ...invoice, key: `ref_${request.key}`, amountCents: null })
}
