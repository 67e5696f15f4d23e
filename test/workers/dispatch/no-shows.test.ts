import { describe, expect } from 'vitest'
import { inTransaction, type Tx } from '../../../src/shared/platform/db/transaction.ts'
import type { JobRun, JobTools } from '../../../src/shared/platform/jobs/job-tools.ts'
import { releaseNoShows } from '../../../src/shared/workflows/workflows.jobs.ts'
import { releaseNoShowsProcessor } from '../../../src/workers/workflows/release-no-shows.processor.ts'
import type { Member } from '../../support/builders.ts'
import { buildMember, buildPlane } from '../../support/builders.ts'
import { bookOnTerms, FEES, type OnTerms, readOnTerms } from '../../support/fees.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { bookDual, expectOk, setRates } from '../../support/flights.ts'

const out = { hobbsTimeOut: 1000, tachTimeOut: 900 }
/** A solo from ten to twelve on Monday. */
const solo = { type: 'solo', start: '2026-11-23T10:00:00Z', end: '2026-11-23T12:00:00Z' }

const test = schoolWorkersTest({ school: { settings: { ...FEES, noShowMinutes: 30 } as never } })
  /** The service was ready all the time until an instant. */
  .extend('readyUntil', ({ api }) => async (instant: string): Promise<void> => {
    const { pool } = api.core.database
    await pool.query('delete from service_uptime')
    await pool.query(`insert into service_uptime (started_at, seen_at) values ('2026-11-20T00:00Z', $1)`, [instant])
  })
  /** Runs the job of the minute at an instant. */
  .extend('minuteAt', ({ api, workers, readyUntil }) => async (instant: string): Promise<void> => {
    await readyUntil(instant)
    api.clock.now = new Date(instant)
    await workers.run((tx) => tx.enqueue(releaseNoShows, {}))
  })
  .extend('book', ({ api, school }) => async (extra: Record<string, unknown> = {}): Promise<number> => {
    await setRates(api, school, 15_000)
    const body = {
      title: 'Pattern',
      ...solo,
      timeZoneName: 'UTC',
      resource: { id: school.plane.id },
      personnel: { students: [{ orgUserId: school.student.orgUserId }] },
      ...extra,
    }
    await api.core.database.pool.query('update resource set wet_rate_cents = 15000 where id = $1', [school.plane.id])
    return (await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/reservations', body)).id
  })
  .extend(
    'read',
    ({ api, school }) =>
      (id: number, who: Member = school.dispatcher): Promise<OnTerms> =>
        readOnTerms(api, who, id),
  )
  .extend('told', ({ api, school }) => async (): Promise<number> => {
    const rows = await expectOk<{ kind: string }[]>(api, school.dispatcher, 'GET', '/notifications')
    return rows.filter(({ kind }) => kind === 'no_show_near').length
  })

/** The clock goes back between tests: a mail that is under way would wait for what it claimed. */
test.afterEach(({ workers }) => workers.settled())

describe('a booking that nobody ramps out (§29.3)', () => {
  test('is told to the desk at half the time, then cancelled by the service with its fee, and the place is free', async ({
    api,
    school,
    book,
    minuteAt,
    read,
    told,
  }) => {
    const id = await book()
    await minuteAt('2026-11-23T10:14:00Z')
    expect(await told()).toBe(0)
    await minuteAt('2026-11-23T10:15:00Z')
    await minuteAt('2026-11-23T10:16:00Z')
    expect(await told()).toBe(1)
    const { due } = await expectOk<{ due: { id: number; noShowAt: string }[] }>(api, school.dispatcher, 'GET', '/board')
    expect(due).toMatchObject([{ id, noShowAt: '2026-11-23T10:30:00.000Z' }])
    await minuteAt('2026-11-23T10:29:00Z')
    expect((await read(id)).status).toBe('booked')
    await minuteAt('2026-11-23T10:30:00Z')
    expect(await read(id)).toMatchObject({
      status: 'cancelled',
      cancellation: { category: 'no_show', by: null },
      fee: { cents: 5_000, status: 'proposed', chargeAt: '2026-11-24T10:30:00.000Z' },
    })
    await bookDual(api, school, { start: '2026-11-23T11:00:00Z', end: '2026-11-23T12:00:00Z' })
  })

  test('is not cancelled without the setting, and never a ground lesson, maintenance or what is out', async ({
    api,
    school,
    book,
    minuteAt,
    read,
  }) => {
    const flown = await book()
    const ground = await bookDual(api, school, {
      extra: { type: 'ground', resource: null },
      students: [await buildMember(api, school.organizationId, ['student'])],
    })
    api.clock.now = new Date('2026-11-23T10:05:00Z')
    await expectOk(api, school.student, 'POST', `/reservations/${flown}/rampOut`, out)
    await minuteAt('2026-11-23T10:30:00Z')
    for (const id of [flown, ground]) expect((await read(id)).status).not.toBe('cancelled')
  })

  test('is not cancelled while its aircraft or instructor is late from another flight', async ({
    api,
    school,
    book,
    minuteAt,
    read,
  }) => {
    const earlier = await bookDual(api, school, { start: '2026-11-23T08:00:00Z', end: '2026-11-23T10:00:00Z' })
    api.clock.now = new Date('2026-11-23T08:05:00Z')
    await expectOk(api, school.instructor, 'POST', `/reservations/${earlier}/rampOut`, out)
    const waiting = await book()
    const other = await buildPlane(api, school)
    const pupil = await buildMember(api, school.organizationId, ['student'])
    const lesson = await bookDual(api, school, { students: [pupil], extra: { resource: { id: other.id } } })
    await minuteAt('2026-11-23T10:30:00Z')
    for (const id of [waiting, lesson]) expect(await read(id)).toMatchObject({ status: 'booked', fee: null })
  })

  test('is not cancelled when a ramp-out of it was refused to somebody on it, and is when it was to another', async ({
    api,
    school,
    book,
    minuteAt,
    read,
  }) => {
    const plane = await buildPlane(api, school)
    const tried = await book()
    const other = await buildMember(api, school.organizationId, ['student'])
    const untried = await book({
      resource: { id: plane.id },
      personnel: { students: [{ orgUserId: other.orgUserId }] },
    })
    api.clock.now = new Date('2026-11-23T10:05:00Z')
    for (const id of [tried, untried]) {
      const { statusCode } = await api.as(school.student).post(`/reservations/${id}/rampOut`, { hobbsTimeOut: 1000 })
      expect(statusCode).toBe(400)
    }
    await minuteAt('2026-11-23T10:30:00Z')
    expect(await read(tried)).toMatchObject({ status: 'booked', fee: null })
    expect(await read(untried)).toMatchObject({ status: 'cancelled' })
  })

  test.for([
    ['its aircraft is grounded', `update resource set grounded_by_person = true, grounded_reason = 'Flat tire'`],
    [
      'a rule blocks it',
      `insert into reservation_at_risk (organization_id, reservation_id, since, rules, causes, for_desk, for_others, digest)
       select organization_id, id, now(), '["availability"]', '[]', '[]', '[]', 'x' from reservation where id = $1`,
    ],
    ['it was made after its start', 'update reservation set made_after_start = true where id = $1'],
  ] as const)('is not cancelled when %s', async ([_, change], { api, book, minuteAt, read }) => {
    const id = await book()
    await api.core.database.pool.query(change, change.includes('$1') ? [id] : [])
    await minuteAt('2026-11-23T10:30:00Z')
    await minuteAt('2026-11-23T10:40:00Z')
    expect((await read(id)).status).toBe('booked')
  })

  test('is cancelled, with its fee, when its payer took time off over it', async ({
    api,
    school,
    book,
    minuteAt,
    read,
  }) => {
    const id = await book()
    const { start, end } = solo
    await expectOk(api, school.student, 'POST', '/availability/timeOff', { start, end })
    await minuteAt('2026-11-23T10:30:00Z')
    expect(await read(id)).toMatchObject({ status: 'cancelled', fee: { cents: 5_000 } })
  })

  test('is left to the desk where the service was not ready from half an hour before the start on', async ({
    api,
    book,
    read,
    workers,
  }) => {
    for (const [stood, back, status] of [
      ['2026-11-23T09:20:00Z', '2026-11-23T09:29:00Z', 'cancelled'],
      ['2026-11-23T09:20:00Z', '2026-11-23T09:31:00Z', 'booked'],
      ['2026-11-23T10:10:00Z', '2026-11-23T10:14:00Z', 'booked'],
    ] as const) {
      const { pool } = api.core.database
      const id = await book()
      await pool.query('delete from service_uptime')
      const values = [stood, back, '2026-11-23T10:29:30Z']
      const up = `insert into service_uptime (started_at, seen_at) values ('2026-11-20T00:00Z', $1), ($2, $3)`
      await pool.query(up, values)
      api.clock.now = new Date('2026-11-23T10:30:00Z')
      await workers.run((tx) => tx.enqueue(releaseNoShows, {}))
      expect([stood, (await read(id)).status]).toEqual([stood, status])
      await pool.query('update reservation set live = false, cancelled_at = now() where id = $1', [id])
      api.clock.now = new Date('2026-11-21T12:00:00Z')
    }
  })

  test('is not cancelled by a job that comes half an hour late', async ({ book, minuteAt, read }) => {
    const id = await book()
    await minuteAt('2026-11-23T11:01:00Z')
    expect((await read(id)).status).toBe('booked')
  })

  test('is cancelled though another one cannot be', async ({ api, school, book, read, readyUntil }) => {
    const plane = await buildPlane(api, school)
    const pupil = await buildMember(api, school.organizationId, ['student'])
    const stuck = await book()
    const personnel = { students: [{ orgUserId: pupil.orgUserId }] }
    const other = await book({ resource: { id: plane.id }, personnel, start: '2026-11-23T10:01:00Z' })
    const { database, clock } = api.core
    await readyUntil('2026-11-23T10:31:00Z')
    api.clock.now = new Date('2026-11-23T10:31:00Z')
    const of = (tx: Tx) => tx.db.selectFrom('reservation').select('cancelled_at').where('id', '=', stuck)
    const transaction: JobTools['transaction'] = async (work) => {
      const { result } = await inTransaction(database, clock, async (tx) => {
        const done = await work(tx)
        await tx.em.flush()
        if ((await of(tx).executeTakeFirstOrThrow()).cancelled_at !== null) throw new Error('stuck')
        return done
      })
      return result
    }
    const run = async () => releaseNoShowsProcessor({}, { database, clock, transaction } as JobTools, {} as JobRun)
    await expect(run()).rejects.toThrow('stuck')
    expect([(await read(stuck)).status, (await read(other)).status]).toEqual(['booked', 'cancelled'])
  })

  test('costs nothing by itself with an instructor on it: the desk decides', async ({
    api,
    school,
    minuteAt,
    read,
  }) => {
    const id = await bookOnTerms(api, school)
    await minuteAt('2026-11-23T10:30:00Z')
    expect(await read(id)).toMatchObject({
      status: 'cancelled',
      fee: { cents: 5_000, status: 'proposed', chargeAt: null },
    })
  })

  test('is brought back by the ramp-out of somebody on it, with no fee', async ({
    api,
    school,
    book,
    minuteAt,
    read,
  }) => {
    const id = await book()
    await minuteAt('2026-11-23T10:30:00Z')
    api.clock.now = new Date('2026-11-23T10:35:00Z')
    await expectOk(api, school.student, 'POST', `/reservations/${id}/rampOut`, out)
    expect(await read(id)).toMatchObject({ status: 'ramped_out', cancellation: null, fee: null })
  })

  test('is not brought back when its place is taken, by others, or after its end', async ({
    api,
    school,
    book,
    minuteAt,
  }) => {
    const id = await book()
    await minuteAt('2026-11-23T10:30:00Z')
    const rampOut = (who: Member) => api.as(who).post(`/reservations/${id}/rampOut`, out)
    expect((await rampOut(school.dispatcher)).statusCode).toBe(400)
    const pupil = await buildMember(api, school.organizationId, ['student'])
    const taken = { start: '2026-11-23T11:00:00Z', end: '2026-11-23T12:00:00Z', students: [pupil] }
    await bookDual(api, school, taken)
    expect((await rampOut(school.student)).json()).toMatchObject({ code: 'NOT_PENDING' })
    api.clock.now = new Date('2026-11-23T12:00:00Z')
    expect((await rampOut(school.student)).statusCode).toBe(400)
  })

  test('is put back by the desk, and stays', async ({ api, school, book, minuteAt, read }) => {
    const id = await book()
    await minuteAt('2026-11-23T10:30:00Z')
    await expectOk(api, school.dispatcher, 'POST', `/reservations/${id}/restore`, {})
    await minuteAt('2026-11-23T10:31:00Z')
    expect(await read(id)).toMatchObject({ status: 'booked', fee: null })
  })
})
