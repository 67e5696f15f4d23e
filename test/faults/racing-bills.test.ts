import type pg from 'pg'
import { describe, expect } from 'vitest'
import { schoolTest } from '../support/fixtures.ts'
import { buildFlight } from '../support/reports.ts'

const test = schoolTest()

const voids = "update invoice set status = 'void', voided_at = now() where reservation_id = $1 and status = 'open'"
const invoice = (status: string, payer: string) => `
  insert into invoice (organization_id, reservation_id, membership_id, status, total_cents, currency, voided_at)
  select r.organization_id, r.id, ${payer}, '${status}', 100, 'usd', case '${status}' when 'void' then now() end
  from reservation r where r.id = $1`
const raises = invoice('open', 'r.created_by')
const raisesAnother = invoice(
  'open',
  '(select max(m.id) from membership m where m.organization_id = r.organization_id and m.student)',
)

describe('whether a booking is billed', () => {
  test.for([
    ['an invoice is raised while the last one is voided', raises, voids, raisesAnother, true],
    ['the last one is voided while another is raised', raises, raisesAnother, voids, true],
    ['the last one is voided while a void one is noted', raises, voids, invoice('void', 'r.created_by'), false],
  ] as const)('is right when %s', async ([_what, before, first, second, billed], { api, school }) => {
    const id = await buildFlight(api, school, { endedAt: new Date('2026-11-03T12:00:00Z'), hobbs: 140 })
    const { pool } = api.core.database
    await pool.query(before, [id])
    const [one, other] = [await pool.connect(), await pool.connect()]
    try {
      await one.query('begin')
      await one.query(first, [id])
      const waits = other.query(second, [id])
      await blocked(pool)
      await one.query('commit')
      await waits
    } finally {
      one.release()
      other.release()
    }
    expect((await pool.query('select billed from reservation where id = $1', [id])).rows).toEqual([{ billed }])
  })
})

/** Waits until a statement waits for the other transaction. */
async function blocked(pool: pg.Pool): Promise<void> {
  const waiting = "select pid from pg_locks where not granted and locktype in ('transactionid', 'tuple')"
  await expect.poll(async () => (await pool.query(waiting)).rows.length).toBeGreaterThan(0)
}
