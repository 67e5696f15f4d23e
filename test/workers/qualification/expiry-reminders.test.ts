import { describe, expect } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { notifyExpiringCurrencies, notifyLapsingCurrencies } from '../../../src/shared/qualification/notify-expiring.ts'
import {
  remindExpiringCurrencies,
  remindExpiringDocuments,
} from '../../../src/shared/qualification/qualification.jobs.ts'
import { NOW } from '../../support/app.ts'
import { buildMember, buildPlane, type Member } from '../../support/builders.ts'
import { buildCurrency } from '../../support/currencies.ts'
import { notifyingTest } from '../../support/fixtures.ts'
import { expectOk } from '../../support/flights.ts'
import { buildBooking } from '../../support/records.ts'
import { countStatements } from '../../support/statements.ts'

/** Hours. */
const DAY = 24

const test = notifyingTest({ school: { timeZoneName: 'America/New_York' } })
  /** Goes to an instant, lets the schedules run, and returns the notices that somebody got so far, oldest first. */
  .extend(
    'notifiedAt',
    ({ env, school }) =>
      async (instant: string, who: Member = school.student): Promise<string[]> => {
        const { api, workers } = env
        api.clock.now = new Date(instant)
        await workers.run(async (tx) => {
          tx.enqueue(remindExpiringCurrencies, {})
          tx.enqueue(remindExpiringDocuments, {})
        })
        const rows = await api.core.database.db
          .selectFrom('notification')
          .select('title')
          .where('membership_id', '=', who.orgUserId)
          .where('kind', 'in', ['currency_expiring', 'document_expiring'])
          .orderBy('id')
          .execute()
        return rows.map(({ title }) => title)
      },
  )
  .extend('leave', ({ env }) => async (who: Member): Promise<void> => {
    await env.api.core.database.db
      .updateTable('membership')
      .set({ removed_at: NOW })
      .where('id', '=', who.orgUserId)
      .execute()
  })
  .extend(
    'flown',
    ({ env, school }) =>
      (daysAgo: number, signedOff = true, who = school.student) =>
        buildBooking(env.api, school, {
          fromHour: -daysAgo * DAY,
          signedOff,
          seats: [{ side: 'students', member: who }],
        }),
  )
  .extend(
    'ask',
    ({ env, school }) =>
      (extra: object = {}) =>
        expectOk(env.api, school.admin, 'POST', '/currencies', {
          name: 'Recency',
          kind: 'recent_flights',
          roles: ['student'],
          count: 2,
          days: 90,
          warnDays: 30,
          ...extra,
        }),
  )
  .extend('add', ({ env }) => async (by: Member, body: object) => {
    const medical = {
      title: 'Medical',
      category: 'medical',
      fileName: 'medical.pdf',
      expiresAt: '2027-03-01T04:59:59.999Z',
    }
    const { id } = await expectOk<{ id: number }>(env.api, by, 'POST', '/documents', { ...medical, ...body })
    // The queue goes by real time: the end of the upload would never come.
    await env.api.core.database.db.deleteFrom('outbox').where('job', '=', 'storage.finalize-upload').execute()
    return { id }
  })

describe('a member whose currency expires (§Notifications)', () => {
  test('is told thirty, fourteen and three days ahead, once each', async ({ env, school, notifiedAt }) => {
    await buildCurrency(env.api, school, { holder: school.student, expiresAt: new Date('2027-03-01T04:59:59.999Z') })
    expect(await notifiedAt('2027-01-30T04:59:59.998Z')).toEqual([])
    expect(await notifiedAt('2027-01-30T04:59:59.999Z')).toEqual(['Medical expires on Sun, Feb 28, 2027'])
    expect(await notifiedAt('2027-02-15T04:59:59.998Z')).toHaveLength(1)
    expect(await notifiedAt('2027-02-15T04:59:59.999Z')).toHaveLength(2)
    expect(await notifiedAt('2027-02-20T12:00:00Z')).toHaveLength(2)
    expect(await notifiedAt('2027-02-26T04:59:59.998Z')).toHaveLength(2)
    expect(await notifiedAt('2027-02-26T04:59:59.999Z')).toHaveLength(3)
    expect(await notifiedAt('2027-03-01T12:00:00Z')).toHaveLength(3)
    const subjects = env.workers.mails(school.student.email).map(({ subject }) => subject)
    expect(subjects).toEqual(Array.from({ length: 3 }, () => 'Medical expires on Sun, Feb 28, 2027'))
  })

  test('is told by days of 24 hours, whatever the clocks do and whatever the rule warns of', async ({
    env,
    school,
    notifiedAt,
  }) => {
    // The clocks go forward on March 14.
    const expiresAt = new Date('2027-03-20T12:00:00Z')
    await buildCurrency(env.api, school, { holder: school.student, warnDays: 0, expiresAt })
    expect(await notifiedAt('2027-02-18T11:59:59.999Z')).toEqual([])
    expect(await notifiedAt('2027-02-18T12:00:00Z')).toHaveLength(1)
  })

  test('is told again of the next one when it was renewed, and not when the same date is put on record', async ({
    env,
    school,
    notifiedAt,
  }) => {
    const { currencyId: rule } = await buildCurrency(env.api, school, { holder: school.student })
    expect(await notifiedAt('2026-11-21T12:00:00Z')).toHaveLength(1)
    const renew = (expiresAt: string) =>
      expectOk(env.api, school.admin, 'PUT', `/orgUsers/${school.student.orgUserId}/currencies/${rule}`, {
        completedAt: '2026-11-21T12:00:00Z',
        expiresAt,
      })
    await renew('2026-11-30T23:59:59.999Z')
    expect(await notifiedAt('2026-11-21T13:00:00Z')).toHaveLength(1)
    await renew('2027-11-30T23:59:59.999Z')
    expect(await notifiedAt('2026-11-21T14:00:00Z')).toHaveLength(1)
    expect(await notifiedAt('2027-11-15T12:00:00Z')).toHaveLength(2)
  })

  test('is not told of one that never expires or that has expired', async ({ env, school, notifiedAt }) => {
    const { student: holder } = school
    await buildCurrency(env.api, school, { holder, expiresAt: null })
    await buildCurrency(env.api, school, { holder, expiresAt: new Date('2026-11-21T12:00:00Z') })
    expect(await notifiedAt('2026-11-21T12:00:00Z')).toEqual([])
  })

  test('is not told once they have left', async ({ env, school, notifiedAt, leave }) => {
    await buildCurrency(env.api, school, { holder: school.student })
    await leave(school.student)
    expect(await notifiedAt('2026-11-21T12:00:00Z')).toEqual([])
  })
})

describe('a member whose recent flights lapse (§Notifications)', () => {
  test('is told once, when without another flight they will be too few, and again when a flight moves the date', async ({
    notifiedAt,
    flown,
    ask,
  }) => {
    await ask()
    // The second latest was on October 22: the 90 days after it end with January 20, and January 21 begins at 05:00 UTC.
    for (const daysAgo of [50, 30, 10]) await flown(daysAgo)
    await flown(5, false)
    expect(await notifiedAt('2026-12-22T04:59:59.999Z')).toEqual([])
    expect(await notifiedAt('2026-12-22T05:00:00Z')).toEqual(['Recency expires on Wed, Jan 20, 2027'])
    expect(await notifiedAt('2027-01-06T12:00:00Z')).toHaveLength(1)
    // With a flight today the second latest is of November 11, which counts until February 9.
    await flown(-50)
    expect(await notifiedAt('2027-01-06T13:00:00Z')).toHaveLength(1)
    expect(await notifiedAt('2027-01-11T13:00:00Z')).toEqual([
      'Recency expires on Wed, Jan 20, 2027',
      'Recency expires on Tue, Feb 9, 2027',
    ])
    expect(await notifiedAt('2027-02-01T13:00:00Z')).toHaveLength(3)
    expect(await notifiedAt('2027-02-20T13:00:00Z')).toHaveLength(3)
  })

  test('is not told when they are too few already, or when it is not asked of them', async ({
    env,
    school,
    notifiedAt,
    flown,
    ask,
  }) => {
    await ask({ count: 3 })
    await ask({ roles: ['instructor'] })
    await ask({ resourceIds: [(await buildPlane(env.api, school)).id] })
    for (const daysAgo of [80, 70]) await flown(daysAgo)
    expect(await notifiedAt('2026-11-21T12:00:00Z')).toEqual([])
  })

  test('is told for each currency that is asked of them, and not once they have left', async ({
    school,
    notifiedAt,
    leave,
    flown,
    ask,
  }) => {
    await ask({ count: 1, days: 20 })
    await ask({ count: 1, days: 21, roles: [] })
    await flown(10)
    await flown(10.25, true, school.renter)
    const both = ['Recency expires on Tue, Dec 1, 2026', 'Recency expires on Wed, Dec 2, 2026']
    expect((await notifiedAt('2026-11-21T12:00:00Z')).sort()).toEqual(both)
    expect(await notifiedAt('2026-11-21T12:00:00Z', school.renter)).toEqual(['Recency expires on Wed, Dec 2, 2026'])
    await flown(9)
    await leave(school.student)
    expect(await notifiedAt('2026-11-21T13:00:00Z')).toHaveLength(2)
  })

  test('is found in a batch of members at a time, two statements for all of them', async ({
    env,
    school,
    flown,
    ask,
  }) => {
    const { api } = env
    api.clock.now = NOW
    await ask({ count: 1, days: 20 })
    const others = await Promise.all(
      Array.from({ length: 8 }, () => buildMember(api, school.organizationId, ['student'])),
    )
    // One aircraft is in one place at a time.
    for (const [index, member] of others.entries()) await flown(8 + index / 4, true, member)
    const lastOf = async (after: number) => {
      const { statements, result } = await countStatements(api, () =>
        inTransaction(api.core.database, api.core.clock, (tx) => notifyLapsingCurrencies(tx, after)),
      )
      const asked = statements.filter((statement) => !/^(begin|commit)/.test(statement)).length
      return { asked, last: result.result, enqueued: result.enqueued.length }
    }
    const before = Math.min(...Object.values(school).flatMap((who) => (who as Partial<Member>).orgUserId ?? [])) - 1
    const { last, ...done } = await lastOf(before)
    // The members, who of them lapses, their notices, and the jobs that send them.
    expect(done).toEqual({ enqueued: 8, asked: 4 })
    expect(await lastOf(before)).toEqual({ last, enqueued: 0, asked: 3 })
    expect(await lastOf(last ?? 0)).toEqual({ last: null, enqueued: 0, asked: 1 })
  })
})

test('a currency that somebody records for themselves is told to the admins, and what others record is not', async ({
  env,
  school,
}) => {
  const { api, workers } = env
  api.clock.now = NOW
  const { admin, owner, instructor, dispatcher } = school
  const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', { name: 'IPC', kind: 'instrument' })
  const record = (by: Member) =>
    expectOk(api, by, 'PUT', `/orgUsers/${instructor.orgUserId}/currencies/${id}`, {
      completedAt: '2026-11-10T12:00:00Z',
    })
  const told = async (who: Member) => {
    const all = await expectOk<{ kind: string; title: string }[]>(api, who, 'GET', '/notifications')
    return all.filter(({ kind }) => kind === 'currency_self_recorded').map(({ title }) => title)
  }
  await record(admin)
  await workers.settled()
  expect(await told(owner)).toEqual([])
  await record(instructor)
  await workers.settled()
  const title = `${instructor.name} recorded their own currency: IPC`
  expect(await Promise.all([owner, admin, instructor, dispatcher].map(told))).toEqual([[title], [title], [], []])
})

describe('a document that expires (§Notifications)', () => {
  test.beforeEach(({ env }) => {
    env.api.clock.now = NOW
  })

  test('is told of thirty, fourteen and three days ahead, once each', async ({ env, school, notifiedAt, add }) => {
    await add(school.student, {})
    expect(await notifiedAt('2027-01-30T04:59:59.998Z')).toEqual([])
    expect(await notifiedAt('2027-01-30T04:59:59.999Z')).toEqual(['Medical expires on Sun, Feb 28, 2027'])
    expect(await notifiedAt('2027-02-15T04:59:59.998Z')).toHaveLength(1)
    expect(await notifiedAt('2027-02-15T04:59:59.999Z')).toHaveLength(2)
    expect(await notifiedAt('2027-02-26T04:59:59.999Z')).toHaveLength(3)
    expect(await notifiedAt('2027-06-01T12:00:00Z')).toHaveLength(3)
    expect(env.workers.mails(school.student.email)).toHaveLength(3)
    expect(await notifiedAt('2027-06-01T12:00:00Z', school.admin)).toEqual([])
  })

  test('is told of again when it gets another end, and not when the same is written again', async ({
    env,
    school,
    notifiedAt,
    add,
  }) => {
    const { id } = await add(school.student, { expiresAt: '2026-11-30T23:59:59Z' })
    expect(await notifiedAt('2026-11-21T12:00:00Z')).toHaveLength(1)
    const change = (expiresAt: string | null) =>
      expectOk(env.api, school.student, 'PATCH', `/documents/${id}`, { expiresAt })
    await change('2026-11-30T23:59:59Z')
    expect(await notifiedAt('2026-11-21T13:00:00Z')).toHaveLength(1)
    await change('2026-12-01T23:59:59Z')
    expect(await notifiedAt('2026-11-21T14:00:00Z')).toHaveLength(2)
    await change(null)
    expect(await notifiedAt('2026-11-30T12:00:00Z')).toHaveLength(2)
  })

  test('of the organization is the admins’; one that was expired when it was added is nobody’s news', async ({
    school,
    notifiedAt,
    add,
  }) => {
    await add(school.admin, { title: 'Hull policy', orgUserId: null, expiresAt: '2026-11-30T12:00:00Z' })
    await add(school.student, { title: 'Old medical', expiresAt: '2026-11-20T12:00:00Z' })
    expect(await notifiedAt('2026-11-22T12:00:00Z')).toEqual([])
    expect(await notifiedAt('2026-11-22T12:00:00Z', school.owner)).toEqual(['Hull policy expires on Mon, Nov 30, 2026'])
    expect(await notifiedAt('2026-11-22T12:00:00Z', school.dispatcher)).toEqual([])
  })

  test('of a member who left is told to nobody', async ({ school, notifiedAt, leave, add }) => {
    await add(school.student, { expiresAt: '2026-11-30T12:00:00Z' })
    await leave(school.student)
    expect(await notifiedAt('2026-11-22T12:00:00Z')).toEqual([])
    expect(await notifiedAt('2026-11-22T12:00:00Z', school.admin)).toEqual([])
  })
})

test('many are told in batches, each once, by three workers at a time', async ({ env, school }) => {
  const { api } = env
  api.clock.now = NOW
  const members = await Promise.all(
    Array.from({ length: 30 }, () => buildMember(api, school.organizationId, ['student'])),
  )
  for (const holder of members) await buildCurrency(api, school, { holder })
  const run = async () =>
    (await inTransaction(api.core.database, api.core.clock, notifyExpiringCurrencies)).enqueued.length
  const owed = await Promise.all([run(), run(), run()])
  expect(owed.reduce((sum, count) => sum + count)).toBe(30)
})
