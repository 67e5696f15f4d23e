import { expect } from 'vitest'
import type { BillingEnv } from './billing.ts'

/** An invoice of the gateway, with the service's names. */
interface Raised {
  key: string
  totalCents: number
  status: string
}

/**
 * Expects that the service and the gateway agree: each live invoice is at the gateway once, with the same total and
 * status, the gateway has no other invoices, and no payer has two customers.
 */
export async function expectSameFigures({ api, simulator }: Pick<BillingEnv, 'api' | 'simulator'>): Promise<void> {
  const { invoices, customers } = await simulator.everything()
  const there = invoices
    .filter(({ status }) => status !== 'void')
    .map(
      ({ metadata, total, status }): Raised => ({
        key: `inv_${metadata?.organizationId}_${metadata?.invoiceId}`,
        totalCents: total,
        status: String(status),
      }),
    )
  const { rows: here } = await api.core.database.pool.query<Raised>(
    `select 'inv_' || organization_id || '_' || id as key, total_cents as "totalCents", status
       from invoice where settlement = 'processor' and status not in ('void', 'failed')`,
  )
  expect(sorted(there)).toEqual(sorted(here))
  const payers = customers.map(({ metadata }) => metadata.flightlineKey)
  expect(payers).toHaveLength(new Set(payers).size)
}

function sorted(raised: Raised[]): Raised[] {
  return raised.toSorted((a, b) => a.key.localeCompare(b.key, 'en', { numeric: true }))
}
