import { setTimeout as sleep } from 'node:timers/promises'
import { singleClient } from '../../../src/shared/platform/db/single-client.ts'

const PAUSE_MS = 100

/**
 * Pays invoices on the simulator's pages once the workers have issued them, and waits for the webhooks. Invoices that
 * are not paid within `withinMs` milliseconds stay open.
 */
export async function payInvoices(databaseUrl: string, ids: readonly number[], withinMs: number): Promise<void> {
  if (ids.length === 0) return
  const client = singleClient({ connectionString: databaseUrl })
  await client.connect()
  try {
    const deadline = performance.now() + withinMs
    const asked = new Set<string>()
    while (performance.now() < deadline) {
      const { rows } = await client.query<{ status: string; pay_url: string | null }>(
        'select status, pay_url from invoice where id = any($1)',
        [ids],
      )
      if (rows.every(({ status }) => status === 'paid')) return
      const payable = rows.flatMap(({ status, pay_url }) => (status === 'open' && pay_url ? [pay_url] : []))
      const fresh = payable.filter((url) => !asked.has(url))
      await Promise.all(fresh.map((url) => fetch(url, { method: 'POST', redirect: 'manual' })))
      for (const url of fresh) asked.add(url)
      await sleep(PAUSE_MS)
    }
  } finally {
    await client.end()
  }
}
