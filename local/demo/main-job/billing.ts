import { formatMoney } from '../../../src/shared/platform/kernel/money.ts'
import type { Cents } from '../../../src/shared/platform/kernel/units.ts'
import { type DemoReporter, UnexpectedAnswer } from './client.ts'
import { type Crew, EXPECTED_CENTS } from './flight.ts'
import type { PaidInvoice } from './report-lines.ts'

interface Invoice extends PaidInvoice {
  id: number
  paid: boolean
  payUrl: string | null
}

/** Invoices the flight, pays on the payment gateway's page and waits for its webhook. Returns the paid invoice. */
export async function bill(
  reporter: DemoReporter,
  { owner, student }: Crew,
  reservationId: number,
): Promise<PaidInvoice> {
  const [raised] = await reporter.call<Invoice[]>('POST', `/reservations/${reservationId}/invoices`, {
    step: 'The owner invoices the flight',
    token: owner.token,
    expect: 201,
    summarize: ([invoice]) => (invoice ? `${money(invoice)}, ${invoice.status}` : 'nothing'),
  })
  if (raised?.totalCents !== EXPECTED_CENTS)
    throw new UnexpectedAnswer(`The invoice is over ${raised?.totalCents} cents`)
  const { payUrl } = await reporter.call<Invoice>('GET', `/invoices/${raised.id}`, {
    step: 'The student opens the invoice',
    token: student.token,
    expect: 200,
    summarize: (invoice) => `pay at ${invoice.payUrl && new URL(invoice.payUrl).origin}/…`,
  })
  if (!payUrl) throw new UnexpectedAnswer('The invoice has no pay link')
  await pay(reporter, payUrl)
  const paid = await reporter.callUntil<Invoice>(
    'GET',
    `/invoices/${raised.id}`,
    {
      step: 'The processor’s signed webhook arrives',
      token: student.token,
      expect: 200,
      summarize: ({ status }) => status,
    },
    (invoice) => invoice.paid,
  )
  await reporter.call<{ revenueCents: Cents; outstandingCents: Cents }>('GET', '/invoices/summary', {
    step: 'The owner reads the revenue',
    token: owner.token,
    expect: 200,
    summarize: ({ revenueCents, outstandingCents }) => {
      if (revenueCents !== EXPECTED_CENTS) throw new UnexpectedAnswer(`The revenue is ${revenueCents} cents`)
      return `${formatMoney(revenueCents, paid.currency)} earned, ${formatMoney(outstandingCents, paid.currency)} open`
    },
  })
  return paid
}

function pay(reporter: DemoReporter, payUrl: string): Promise<void> {
  const step = 'The student pays on that page'
  return reporter.step({ step, method: 'POST', path: 'payUrl (processor)' }, async () => {
    const { status, headers } = await fetch(payUrl, { method: 'POST', redirect: 'manual' })
    if (status >= 400 || headers.get('location')?.includes('declined')) throw new UnexpectedAnswer(`${step}: ${status}`)
    return { result: undefined, status, outcome: 'paid by card' }
  })
}

function money({ totalCents, currency }: Invoice): string {
  return formatMoney(totalCents, currency)
}
