import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { testedBackends } from '../support/backends.ts'
import { type BillingEnv, startBilling } from '../support/billing.ts'
import { asSuperuser } from '../support/database.ts'
import { until } from '../support/eventually.ts'
import { closedOutFlight, expectOk, setRates } from '../support/flights.ts'
import { waitingFor } from '../support/held-row.ts'
import { type ApiProcess, startApiProcess } from '../support/processes.ts'

/** What a correction with a refund to the account writes, by table, in the order of its first statement on each. */
const steps = [
  'invoice',
  'reservation',
  'resource',
  'organization',
  'credit_note',
  'ledger_entry',
  'seal',
  'event',
  'outbox',
] as const

describe.each(testedBackends())(
  'an API process that is killed while it corrects a flight, queues in %s (S79)',
  (kind) => {
    let env: BillingEnv
    let api: ApiProcess | undefined
    let flight: number
    let body: object
    beforeAll(async () => {
      env = await startBilling(kind, { workers: false })
      const { school } = env
      await setRates(env.api, school)
      flight = await closedOutFlight(env.api, school)
      const post = <T>(path: string, sent?: object) => expectOk<T>(env.api, school.owner, 'POST', path, sent)
      const [invoice] = await post<{ id: number; totalCents: number }[]>(`/reservations/${flight}/invoices`)
      // No job issues invoices here.
      await pool().query(`update invoice set status = 'open', number = id where id = $1`, [invoice!.id])
      await post(`/invoices/${invoice!.id}/payments`, { method: 'cash', amountCents: invoice!.totalCents })
      const { hobbsTimeOut } = await expectOk<{ hobbsTimeOut: number }>(
        ...([env.api, school.admin, 'GET', `/reservations/${flight}`] as const),
      )
      // 1.4 h become 1.1 h.
      const readings = { hobbsTimeOut, hobbsTimeIn: Math.round((hobbsTimeOut + 1.1) * 100) / 100 }
      body = { readings, reason: '0.3 read wrong', refund: 'ledger' }
    })
    afterEach(() => api?.kill())
    afterAll(() => env.close())

    const pool = () => env.api.core.database.pool

    /** Returns every row that a correction may write. */
    async function stored(): Promise<Record<string, unknown>> {
      // The relay notes in the outbox what it has seen.
      const all = steps.map(
        (table) =>
          `(select json_agg(to_jsonb(t) - 'seen_at' order by (to_jsonb(t) - 'seen_at')::text) from ${table} t) as ${table}`,
      )
      return (await pool().query(`select ${all.join(', ')}`)).rows[0]
    }

    /** Kills the process that corrects the flight when it waits for a table. */
    async function killAt(table: string): Promise<void> {
      api = await startApiProcess(env.api.config)
      // The service's role may not lock what it only appends to.
      const holder = new pg.Client(asSuperuser(env.api))
      await holder.connect()
      await holder.query(
        `begin; set local idle_in_transaction_session_timeout = 0; lock table ${table} in exclusive mode`,
      )
      const answer = fetch(`${api.url}/reservations/${flight}/correct`, {
        method: 'POST',
        headers: { authorization: `Bearer ${env.school.admin.token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }).then(
        ({ status }) => status,
        () => null,
      )
      await until(async () => (await waitingFor(holder)).length > 0)
      await api.kill()
      // The statements of the killed process end with it.
      for (const pid of await waitingFor(holder)) await holder.query('select pg_terminate_backend($1)', [pid])
      await holder.query('rollback')
      await holder.end()
      expect(await answer).toBeNull()
    }

    test.for(steps)('about to write %s, leaves nothing', async (table) => {
      const before = await stored()
      await killAt(table)
      expect(await stored()).toEqual(before)
    })

    test('leaves a flight that is corrected once afterwards, whole', async () => {
      const answer = await env.api.as(env.school.admin).post(`/reservations/${flight}/correct`, body)
      expect([answer.statusCode, answer.json().credits]).toMatchObject([
        200,
        [{ amountCents: 7_200, refund: 'ledger', refundedCents: 7_200 }],
      ])
      const { rows } = await pool().query(
        `select r.corrections, (select count(*)::int from credit_note where organization_id = r.organization_id) as notes
       from reservation r where r.id = $1`,
        [flight],
      )
      expect(rows).toEqual([{ corrections: 1, notes: 1 }])
    })
  },
)
