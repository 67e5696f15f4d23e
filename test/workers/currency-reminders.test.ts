import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tellExpiringCurrencies } from '../../src/shared/currencies/currencies.jobs.ts'
import { tellOfExpiring } from '../../src/shared/currencies/tell-expiring.ts'
import { inTransaction } from '../../src/shared/db/transaction.ts'
import { NOW } from '../support/app.ts'
import { buildMember, buildSchool, type School } from '../support/builders.ts'
import { buildCurrency } from '../support/currencies.ts'
import { must } from '../support/flights.ts'
import { type NotificationStand, startNotifying } from '../support/happenings.ts'

let stand: NotificationStand
let school: School
beforeAll(async () => {
  stand = await startNotifying('postgres')
})
afterAll(() => stand.close())
beforeEach(async () => {
  school = await buildSchool(stand.api, { timeZoneName: 'America/New_York' })
})

/** Goes to an instant, lets the schedule run, and answers what the student was told so far, oldest first. */
async function toldAt(instant: string): Promise<string[]> {
  const { api, workers } = stand
  api.clock.now = new Date(instant)
  const { owed } = await inTransaction(api.core.database, api.core.clock, async (tx) => {
    tx.enqueue(tellExpiringCurrencies, {})
  })
  api.core.relay.handOverSoon(owed)
  await workers.settled()
  const rows = await api.core.database.db
    .selectFrom('notification')
    .select('title')
    .where('membership_id', '=', school.student.orgUserId)
    .where('kind', '=', 'currency_expiring')
    .orderBy('id')
    .execute()
  return rows.map(({ title }) => title)
}

describe('a member whose currency expires', () => {
  test('is told once, when its last days begin', async () => {
    await buildCurrency(stand.api, school, { holder: school.student, expiresAt: new Date('2027-03-01T04:59:59.999Z') })
    expect(await toldAt('2027-01-30T04:59:59.998Z')).toEqual([])
    expect(await toldAt('2027-01-30T04:59:59.999Z')).toEqual(['Medical expires on Sun, Feb 28, 2027'])
    expect(await toldAt('2027-02-20T12:00:00Z')).toHaveLength(1)
    expect(stand.workers.mails(school.student.email).map(({ subject }) => subject)).toEqual([
      'Medical expires on Sun, Feb 28, 2027',
    ])
  })

  test('is told as many days of 24 hours ahead as the rule says, whatever the clocks do', async () => {
    // The clocks go forward on March 14.
    const expiresAt = new Date('2027-03-20T12:00:00Z')
    await buildCurrency(stand.api, school, { holder: school.student, warnDays: 10, expiresAt })
    expect(await toldAt('2027-03-10T11:59:59.999Z')).toEqual([])
    expect(await toldAt('2027-03-10T12:00:00Z')).toHaveLength(1)
  })

  test('is told again of the next one when it was renewed, and not when the same date is put on record', async () => {
    const id = await buildCurrency(stand.api, school, { holder: school.student })
    expect(await toldAt('2026-11-21T12:00:00Z')).toHaveLength(1)
    const { currency_rule_id: rule } = await stand.api.core.database.db
      .selectFrom('currency_record')
      .select('currency_rule_id')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const renew = (expiresAt: string) =>
      must(stand.api, school.admin, 'PUT', `/orgUsers/${school.student.orgUserId}/currencies/${rule}`, {
        completedAt: '2026-11-21T12:00:00Z',
        expiresAt,
      })
    await renew('2026-11-30T23:59:59.999Z')
    expect(await toldAt('2026-11-21T13:00:00Z')).toHaveLength(1)
    await renew('2027-11-30T23:59:59.999Z')
    expect(await toldAt('2026-11-21T14:00:00Z')).toHaveLength(1)
    expect(await toldAt('2027-11-15T12:00:00Z')).toHaveLength(2)
  })

  test('is not told of one that never expires, that has expired, or of a rule that does not warn', async () => {
    const { student: holder } = school
    await buildCurrency(stand.api, school, { holder, expiresAt: null })
    await buildCurrency(stand.api, school, { holder, expiresAt: new Date('2026-11-21T12:00:00Z') })
    await buildCurrency(stand.api, school, { holder, warnDays: 0 })
    expect(await toldAt('2026-11-21T12:00:00Z')).toEqual([])
  })

  test('is not told once they have left', async () => {
    await buildCurrency(stand.api, school, { holder: school.student })
    await stand.api.core.database.db
      .updateTable('membership')
      .set({ removed_at: NOW })
      .where('id', '=', school.student.orgUserId)
      .execute()
    expect(await toldAt('2026-11-21T12:00:00Z')).toEqual([])
  })
})

test('many are told in batches, each once, by three workers at a time', async () => {
  const { api } = stand
  api.clock.now = NOW
  const members = await Promise.all(
    Array.from({ length: 30 }, () => buildMember(api, school.organizationId, ['student'])),
  )
  for (const holder of members) await buildCurrency(api, school, { holder })
  const run = async () => (await inTransaction(api.core.database, api.core.clock, tellOfExpiring)).owed.length
  const owed = await Promise.all([run(), run(), run()])
  expect(owed.reduce((sum, count) => sum + count)).toBe(30)
})
