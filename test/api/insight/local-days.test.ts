import { describe, expect } from 'vitest'
import { findEndedDeferrals } from '../../../src/shared/fleet/maintenance/squawk.queries.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { addDays } from '../../../src/shared/platform/kernel/zones.ts'
import { claimUnnotifiedOverrides } from '../../../src/shared/scheduling/rules/override.access.ts'
import { NOW } from '../../support/app.ts'
import { buildSchool } from '../../support/builders.ts'
import { apiTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, fly } from '../../support/flights.ts'
import { buildBill } from '../../support/reports.ts'

const test = apiTest()

/**
 * Zones that Node.js and PostgreSQL know differently: the first stays on summer time since 2026, which older data does not
 * say; PostgreSQL does not know the second at all. Each with the local days of 06:30Z and 09:30Z.
 */
const zones: [string, [string, string]][] = [
  ['America/Edmonton', ['2026-11-25', '2026-11-25']],
  ['US/Pacific-New', ['2026-11-24', '2026-11-25']],
]

test.beforeEach(({ api }) => {
  api.clock.now = NOW
})

describe('local days in a zone of which PostgreSQL has other data (§Time zones)', () => {
  test.for(zones)(
    'are those of Node.js in the logbook, its file and its order, and in reports: %s',
    async ([zone, days], { api }) => {
      const school = await buildSchool(api, { timeZoneName: zone })
      for (const time of ['06:30', '09:30']) {
        const times = { start: `2026-11-25T${time}:00Z`, end: `2026-11-25T${time.replace(':30', ':59')}:00Z` }
        await fly(api, school, await bookDual(api, school, { extra: { ...times, timeZoneName: zone } }))
      }
      const url = `/orgUsers/${school.student.orgUserId}/logbook`
      const dates = async (sort: string) => {
        const rows = await expectOk<{ date: string; start: string }[]>(api, school.student, 'GET', `${url}?${sort}`)
        return rows.map(({ date }) => date)
      }
      expect(await dates('')).toEqual(days.toReversed())
      expect(await dates('sort=date')).toEqual(days)
      expect(await dates('sort=date&order=desc')).toEqual(days.toReversed())
      const file = await api.as(school.student).get(`${url}?format=csv`)
      const cells = file.body.trim().split('\r\n').slice(1)
      expect(cells.map((line) => line.slice(0, 10))).toEqual(days.toReversed())

      const lines = [{ kind: 'other', amountCents: 30_000 }]
      const invoice = await buildBill(api, school, { payer: school.student, lines })
      for (const time of ['06:30', '09:30']) {
        const payment = { amountCents: 10_000, method: 'cash', receivedAt: `2026-11-20T${time}:00Z` }
        await expectOk(api, school.admin, 'POST', `/invoices/${invoice}/payments`, payment)
      }
      const paid = [...new Set(days.map((day) => addDays(day, -5)))]
      const window = 'startDate=2026-11-01&endDate=2026-11-30'
      const payments = await expectOk<{ date: string }[]>(api, school.admin, 'GET', `/reports/payments?${window}`)
      expect(payments.map(({ date }) => date)).toEqual(paid)
      const revenue = await expectOk<{ period: string }[]>(
        api,
        school.admin,
        'GET',
        `/reports/revenue?${window}&groupBy=day`,
      )
      expect(revenue.map(({ period }) => period)).toEqual(paid)
    },
  )

  test('decide when a deferral has ended, and when overrides are told', async ({ api }) => {
    const school = await buildSchool(api, { timeZoneName: 'US/Pacific-New' })
    const { db } = api.core.database
    const body = { resource: { id: school.plane.id }, title: 'Landing light out' }
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/maintenance/squawks', body)
    await db
      .updateTable('squawk')
      .set({ status: 'deferred', deferred_until: '2026-11-24' })
      .where('id', '=', id)
      .execute()
    const ended = async (at: string) => (await findEndedDeferrals(db, new Date(at))).length
    // Midnight in California is 08:00Z.
    expect([await ended('2026-11-25T07:59:00Z'), await ended('2026-11-25T08:00:00Z')]).toEqual([0, 1])

    const booking = await bookDual(api, school)
    await db
      .insertInto('rule_override')
      .values({
        organization_id: school.organizationId,
        reservation_id: booking,
        rule: 'closures',
        reason: 'Agreed',
        starts_at: new Date('2026-11-25T18:00:00Z'),
        overridden_by: school.admin.orgUserId,
        created_at: new Date('2026-11-24T20:00:00Z'),
      } as never)
      .execute()
    const told = (at: string) =>
      inTransaction(
        api.core.database,
        () => new Date(at),
        (tx) => claimUnnotifiedOverrides(tx),
      )
    expect((await told('2026-11-25T14:59:00Z')).result).toEqual([])
    expect((await told('2026-11-25T15:00:00Z')).result).toEqual([school.organizationId])
  })

  test('are the same whatever zone the database has', async ({ api }) => {
    const { rows } = await api.core.database.pool.query<{ zone: string }>("select current_setting('TimeZone') as zone")
    expect(rows).toEqual([{ zone: 'UTC' }])
  })
})
