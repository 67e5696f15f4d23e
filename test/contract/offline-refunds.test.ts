import { readdirSync } from 'node:fs'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrationsFolder } from '../../src/shared/platform/db/run-migrations.ts'
import { emptyDatabase } from '../support/database.ts'
import { runSome } from '../support/migrations-folder.ts'

const files = readdirSync(migrationsFolder).filter((file) => /^Migration.*\.ts$/.test(file))
const spreads = files.findIndex((file) => file.endsWith('_offline_refunds.ts'))

/** An invoice of 250 cents: 100 by check, 120 by card, and 30 in cash, of which so much went back by card and past it. */
const invoice = (code: string, refunded: number, byCard: number) => `
  with o as (insert into organization (name, organization_type, time_zone_name, details, code, settings)
      values ('Bay', 'flight_school', 'UTC', '{}', '${code}', '{}') returning id),
    g as (insert into guest (organization_id, name) select id, 'Gil' from o returning id, organization_id),
    i as (insert into invoice (organization_id, guest_id, total_cents, currency, status, settlement, paid_at, amount_paid_cents,
        processor_paid_cents, refunded_cents, processor_refunded_cents)
      select organization_id, id, 250, 'usd', 'paid', 'offline', now(), 250, 120, ${refunded}, ${byCard} from g
      returning id, organization_id)
  insert into payment (organization_id, invoice_id, way, method, amount_cents, received_at)
  select organization_id, id, way, method, cents, now() from i, (values (1, 'offline', 'check', 100),
    (2, 'processor', 'card', 120), (3, 'offline', 'cash', 30)) p (nth, way, method, cents) order by nth
  returning invoice_id`

test('refunds before the constraint are spread over the payments, the latest first, and what came by card is left out', async () => {
  const url = await emptyDatabase()
  await runSome(url, files.slice(0, spreads))
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [code, refunded, byCard] of [
      ['AAAAAA', 0, 0],
      ['BBBBBB', 20, 0],
      ['CCCCCC', 70, 0],
      ['DDDDDD', 190, 60],
      ['EEEEEE', 60, 60],
    ] as const) {
      await client.query(invoice(code, refunded, byCard))
    }
    await runSome(url, files)
    const { rows } = await client.query(
      `select array_agg(refunded_cents order by id) as refunded from payment group by invoice_id order by invoice_id`,
    )
    expect(rows.map(({ refunded }) => refunded)).toEqual([
      [0, 0, 0],
      [0, 0, 20],
      [40, 0, 30],
      [100, 0, 30],
      [0, 0, 0],
    ])
  } finally {
    await client.end()
  }
})
