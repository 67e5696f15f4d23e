import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queueNames } from '../../../src/shared/platform/contracts/define-job.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { judgeMarked, markAhead } from '../../../src/shared/scheduling/at-risk/judge-marked.ts'
import { startTestApp, type TestApp } from '../../support/app.ts'
import { judgeSoFar } from '../../support/at-risk.ts'
import { buildPlane, buildSchool, type School, writeSettings } from '../../support/builders.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { countStatements } from '../../support/statements.ts'
import { startTestWorkers, type TestWorkers } from '../../support/workers.ts'

const MINUTE_MS = 60_000

let api: TestApp
let workers: TestWorkers
beforeAll(async () => {
  api = await startTestApp()
  workers = await startTestWorkers(api)
})
afterAll(async () => {
  await workers.stop()
  await api.close()
})

const slot = (day: number) => ({ start: `2026-11-${day}T10:00:00Z`, end: `2026-11-${day}T12:00:00Z` })
const ground = (school: School, plane = school.plane, grounded = true) =>
  expectOk(api, school.admin, 'PATCH', `/resources/${plane.id}/grounding`, { grounded, reason: 'Flat strut' })
const flags = (organizationId: number) =>
  api.core.database.db
    .selectFrom('reservation_at_risk')
    .select('reservation_id')
    .where('organization_id', '=', organizationId)
    .where(sql<boolean>`rules <> '[]'`)
    .execute()

/** What each role is told of bookings at risk, in their order. */
async function told(school: School): Promise<Record<string, string[]>> {
  await workers.settled()
  const rows = await api.core.database.db
    .selectFrom('notification')
    .select(['membership_id', 'title'])
    .where('organization_id', '=', school.organizationId)
    .where('kind', '=', 'reservation_at_risk')
    .orderBy('id')
    .execute()
  const byPerson: Record<string, string[]> = {}
  for (const { membership_id, title } of rows) {
    const role = (['dispatcher', 'instructor', 'student', 'admin'] as const).find(
      (one) => school[one].orgUserId === membership_id,
    )
    byPerson[`${role}`] = [...(byPerson[`${role}`] ?? []), title]
  }
  return byPerson
}

describe('who is told of bookings at risk (interface §Dispatch)', () => {
  test('are those on them and dispatchers, once a cause, of all of theirs together', async () => {
    const school = await buildSchool(api)
    const other = await buildPlane(api, school)
    for (const day of [23, 24]) await bookDual(api, school, slot(day))
    await bookDual(api, { ...school, plane: other }, slot(25))
    await ground(school)
    await judgeSoFar(api, school.organizationId)
    const two = '2 bookings are at risk'
    expect(await told(school)).toEqual({ dispatcher: [two], instructor: [two], student: [two] })
    // Something else changes; what stands in the way is what they know.
    await ground(school, other)
    await judgeSoFar(api, school.organizationId)
    const title = expect.stringMatching(/^Booking at risk: /)
    expect(await told(school)).toEqual({ dispatcher: [two, title], instructor: [two, title], student: [two, title] })
    const [mail] = workers.mails(school.student.email).filter(({ subject }) => subject.includes(two))
    expect(mail?.text).toContain('Flat strut')
  })

  test('is nobody, of a booking that only has warnings, until something blocks it', async () => {
    const school = await buildSchool(api)
    const id = await bookDual(api, school, slot(23))
    const rule = (enforcement: string) =>
      writeSettings(api, school.organizationId, { rules: { citizenship: { enforcement } } })
    await rule('warn')
    await judgeSoFar(api, school.organizationId)
    expect(await flags(school.organizationId)).toEqual([])
    const listed = (query = '') =>
      expectOk<{ id: number; since: string; problems: { rule: string }[]; warnings: { rule: string }[] }[]>(
        api,
        school.dispatcher,
        'GET',
        `/reservations/atRisk${query}`,
      )
    expect(await listed()).toEqual([])
    const [warned] = await listed('?include=warnings&rule=citizenship')
    expect(warned).toMatchObject({ id, problems: [] })
    expect(warned?.warnings.map((warning) => warning.rule)).toContain('citizenship')
    expect(await listed('?include=warnings&rule=closed_period')).toEqual([])
    expect(await told(school)).toEqual({})
    api.clock.now = new Date(api.clock.now.getTime() + MINUTE_MS)
    await rule('block')
    await judgeSoFar(api, school.organizationId)
    const title = expect.stringMatching(/^Booking at risk: /)
    expect(await told(school)).toEqual({ dispatcher: [title], instructor: [title], student: [title] })
    const [blocked] = await listed()
    expect(blocked).toMatchObject({ id, since: api.clock.now.toISOString(), problems: [{ rule: 'citizenship' }] })
    // What only warns is forgotten: the same cause is told again when it blocks again.
    await rule('warn')
    await judgeSoFar(api, school.organizationId)
    await rule('block')
    await judgeSoFar(api, school.organizationId)
    expect((await told(school)).dispatcher).toEqual([title, title])
    api.clock.now = new Date(api.clock.now.getTime() - MINUTE_MS)
  })

  test('is nobody, of what is well again before they could be', async () => {
    const school = await buildSchool(api)
    await bookDual(api, school, slot(23))
    await ground(school)
    const { enqueued } = await inTransaction(api.core.database, api.core.clock, (tx) =>
      judgeMarked(tx, school.organizationId),
    )
    await ground(school, school.plane, false)
    await api.core.database.pool.query(`update at_risk_run set started_at = '2001-01-01'`)
    await judgeSoFar(api, school.organizationId)
    api.core.relay.publish(enqueued)
    expect(await told(school)).toEqual({})
  })

  test('is nobody more than ten times a day', async () => {
    const school = await buildSchool(api)
    await bookDual(api, school, slot(25))
    for (let time = 0; time < 12; time += 1) {
      await ground(school)
      await judgeSoFar(api, school.organizationId)
      await ground(school, school.plane, false)
      await judgeSoFar(api, school.organizationId)
    }
    const count = () =>
      api.core.database.db
        .selectFrom('at_risk_notice')
        .select(['membership_id', sql<number>`count(*)::int`.as('times')])
        .where('organization_id', '=', school.organizationId)
        .groupBy('membership_id')
        .execute()
    expect((await count()).map(({ times }) => times)).toEqual([10, 10, 10])
    api.clock.now = new Date(api.clock.now.getTime() + 24 * 60 * MINUTE_MS + 1)
    await ground(school)
    await judgeSoFar(api, school.organizationId)
    expect((await count()).map(({ times }) => times)).toEqual([11, 11, 11])
    api.clock.now = new Date(api.clock.now.getTime() - 24 * 60 * MINUTE_MS - 1)
  })
})

describe('judging bookings ahead', () => {
  test('happens at most once a second for an organization, whoever asks', async () => {
    const school = await buildSchool(api)
    const run = () =>
      inTransaction(api.core.database, api.core.clock, (tx) => judgeMarked(tx, school.organizationId)).then(
        ({ result }) => result,
      )
    const results = await Promise.all([run(), run(), run()])
    expect(results.filter((judged) => judged !== null)).toHaveLength(1)
    api.clock.now = new Date(api.clock.now.getTime() + 1_000)
    expect(await run()).toBe(0)
  })

  test('finds each hour what time alone changes: an inspection of training flights that is due by date', async () => {
    const school = await buildSchool(api)
    await bookDual(api, school, slot(28))
    await expectOk(api, school.technician, 'POST', '/maintenance/reminders', {
      resource: { id: school.plane.id },
      name: '100 hours',
      grounding: true,
      scope: 'for_hire_or_instruction',
      basis: 'calendar',
      dueAt: '2026-11-22T12:00:00Z',
    })
    await judgeSoFar(api, school.organizationId)
    expect(await flags(school.organizationId)).toEqual([])
    api.clock.now = new Date('2026-11-22T12:30:00Z')
    await judgeSoFar(api, school.organizationId)
    expect(await flags(school.organizationId)).toEqual([])
    await inTransaction(api.core.database, api.core.clock, markAhead)
    await judgeSoFar(api, school.organizationId)
    expect(await flags(school.organizationId)).toHaveLength(1)
  })

  test('stores only the flags that have changed', async () => {
    const school = await buildSchool(api)
    const other = await buildPlane(api, school)
    const bookings = [await bookDual(api, school, slot(23)), await bookDual(api, { ...school, plane: other }, slot(24))]
    await ground(school)
    await ground(school, other)
    await judgeSoFar(api, school.organizationId)
    expect(await flags(school.organizationId)).toHaveLength(2)
    const stored = async () => {
      const { statements } = await countStatements(api, () => judgeSoFar(api, school.organizationId))
      return statements.filter((one) => /(insert into|delete from) "?reservation_at_risk/.test(one)).length
    }
    await inTransaction(api.core.database, api.core.clock, markAhead)
    expect(await stored()).toBe(0)
    const writtenAt = async () => {
      const { rows } = await api.core.database.pool.query<{ id: number; by: string }>(
        'select reservation_id as id, transaction_id::text as by from reservation_at_risk where reservation_id = any($1)',
        [bookings],
      )
      return new Map(rows.map(({ id, by }) => [id, by]))
    }
    const before = await writtenAt()
    await expectOk(api, school.admin, 'PATCH', `/resources/${other.id}/grounding`, {
      grounded: true,
      reason: 'Cracked',
    })
    await inTransaction(api.core.database, api.core.clock, markAhead)
    expect(await stored()).toBe(1)
    const after = await writtenAt()
    expect(bookings.map((id) => after.get(id) === before.get(id))).toEqual([true, false])
  })

  test('takes the flag from a booking that is cancelled at once, and each hour from those that are over', async () => {
    const school = await buildSchool(api)
    const cancelled = await bookDual(api, school, slot(23))
    const over = await bookDual(api, school, slot(24))
    const ahead = await bookDual(api, school, slot(28))
    await ground(school)
    await judgeSoFar(api, school.organizationId)
    expect(await flags(school.organizationId)).toHaveLength(3)
    const cancellation = { reason: 'Ceiling below 1,000 feet', category: 'weather' }
    expect((await api.as(school.admin).delete(`/reservations/${cancelled}`, cancellation)).statusCode).toBe(204)
    await judgeSoFar(api, school.organizationId)
    const left = await flags(school.organizationId)
    expect(new Set(left.map((flag) => flag.reservation_id))).toEqual(new Set([over, ahead]))
    const { now } = api.clock
    api.clock.now = new Date('2026-11-25T12:00:00Z')
    await inTransaction(api.core.database, api.core.clock, markAhead)
    await judgeSoFar(api, school.organizationId)
    expect(await flags(school.organizationId)).toEqual([{ reservation_id: ahead }])
    api.clock.now = now
  })

  test('starts by itself within seconds of a change, and one job of an organization is queued at a time', async () => {
    const school = await buildSchool(api)
    await bookDual(api, school, slot(26))
    await ground(school)
    await Promise.all([api.core.relay.sweep(), api.core.relay.sweep(), api.core.relay.sweep()])
    const queue = api.core.queues.queue('judging')
    const jobs = await queue.getJobs(['waiting', 'active', 'delayed', 'prioritized'])
    expect(jobs.filter(({ data }) => data.organizationId === school.organizationId)).toHaveLength(1)
    const judging = await startTestWorkers(api, { queues: queueNames })
    await expect.poll(() => flags(school.organizationId)).toHaveLength(1)
    await judging.stop()
  })
})
