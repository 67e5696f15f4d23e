import { sql } from 'kysely'
import { describe, expect } from 'vitest'
import { inTransaction, type OutboxEntry } from '../../../src/shared/platform/db/transaction.ts'
import { emit } from '../../../src/shared/platform/events/emit.ts'
import { fanOutNotification, type Subscription } from '../../../src/shared/platform/events/fan-out.ts'
import { buildSchool } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { apiTest } from '../../support/fixtures.ts'

const kinds = ['squawk.opened', 'squawk.resolved'] as const

/** Inserts the events that it receives into a table, in their order. */
const noting: Subscription = {
  kinds,
  async handle({ db }, events) {
    for (const { subjectId, sequence } of events) {
      await sql`insert into told (subject, sequence) values (${subjectId}, ${sequence})`.execute(db)
    }
  },
}
const failing: Subscription = { kinds, handle: () => Promise.reject(new Error('the subscriber fails')) }

const test = apiTest()
  .extend('school', { scope: 'file', auto: true }, async ({ api }) => {
    const school = await buildSchool(api)
    await asOwner(api, 'create table told (n integer generated always as identity, subject integer, sequence bigint)')
    return school
  })

  /** Lets something happen to these subjects, in one transaction. Returns the jobs that it enqueued. */
  .extend('happen', ({ api, school }) => async (...subjects: number[]): Promise<OutboxEntry[]> => {
    const database = { ...api.core.database, subscribed: new Set(kinds) }
    const { enqueued } = await inTransaction(database, api.core.clock, async (tx) => {
      for (const id of subjects) emit(tx, school.admin, { kind: 'squawk.opened', subject: { kind: 'squawk', id } })
    })
    return enqueued
  })

  .extend(
    'run',
    ({ school, api }) =>
      async ([job]: OutboxEntry[], subscriptions: Subscription[] = [noting]): Promise<number> => {
        const { organizationId } = school
        const work = inTransaction(api.core.database, api.core.clock, (tx) =>
          fanOutNotification(tx, subscriptions, { id: job!.id, organizationId }),
        )
        return (await work).result
      },
  )

  .extend('notifiedSubjects', ({ api }) => async (): Promise<number[]> => {
    const { rows } = await api.core.database.pool.query('select subject from told order by n')
    return rows.map(({ subject }) => subject)
  })
test.beforeEach(async ({ api }) => {
  api.core.database.pool.query('delete from told')
})

describe('what happens in one transaction', () => {
  test('is one job, however many events', async ({ happen, run, notifiedSubjects }) => {
    const jobs = await happen(1, 2, 3)
    expect(jobs.map(({ job }) => job)).toEqual(['events.fan-out-events'])
    expect(await run(jobs)).toBe(3)
    expect(await notifiedSubjects()).toEqual([1, 2, 3])
  })

  test('is no job when nobody reacts to it', async ({ api, school }) => {
    const { enqueued } = await inTransaction(api.core.database, api.core.clock, async (tx) => {
      emit(tx, school.admin, { kind: 'password.changed', subject: { kind: 'member', id: school.admin.orgUserId } })
    })
    expect(enqueued).toEqual([])
  })

  test('has not happened when the transaction fails', async ({ api, school }) => {
    const count = async () => (await api.core.database.pool.query('select from event')).rowCount
    const before = await count()
    const work = inTransaction(api.core.database, api.core.clock, async (tx) => {
      emit(tx, school.admin, { kind: 'squawk.opened', subject: { kind: 'squawk', id: 1 } })
      throw new Error('the use case fails')
    })
    await expect(work).rejects.toThrow('the use case fails')
    expect(await count()).toBe(before)
  })

  test('is kept with its listed keys alone', async ({ api, school }) => {
    const after = { resourceId: 3, description: 'Somebody was sick' }
    await inTransaction(api.core.database, api.core.clock, async (tx) => {
      emit(tx, school.admin, { kind: 'squawk.opened', subject: { kind: 'squawk', id: 77 }, after })
    })
    const { rows } = await api.core.database.pool.query(
      `select after, actor_kind, membership_id from event where subject_id = 77`,
    )
    expect(rows).toEqual([{ after: { resourceId: 3 }, actor_kind: 'person', membership_id: school.admin.orgUserId }])
  })
})

describe('subscribers (decision 22)', () => {
  test('are told of each event once, however often its job runs', async ({ happen, run, notifiedSubjects }) => {
    const jobs = await happen(4)
    expect([await run(jobs), await run(jobs)]).toEqual([1, 0])
    expect(await notifiedSubjects()).toEqual([4])
  })

  test('are told first of what a dead process left behind about the same subject', async ({
    happen,
    run,
    notifiedSubjects,
  }) => {
    const [left, other, next] = [await happen(5), await happen(6), await happen(5)]
    expect(await run(next)).toBe(2)
    expect(await notifiedSubjects()).toEqual([5, 5])
    expect([await run(left), await run(other)]).toEqual([0, 1])
  })

  test('are told again from the first event on when one of them failed', async ({ happen, run }) => {
    const [first, second] = [await happen(7), await happen(7)]
    await expect(run(first, [failing])).rejects.toThrow('the subscriber fails')
    expect(await run(second)).toBe(2)
    expect(await run(first)).toBe(0)
  })

  test('are told of later events when an earlier job was given up', async ({ happen, api, run }) => {
    const [given, next] = [await happen(8), await happen(8)]
    await api.core.database.pool.query('update outbox set failed_at = now() where id = $1', [given[0]!.id])
    expect(await run(next)).toBe(1)
    expect(await run(given)).toBe(1)
  })

  test('are told of the events of each subject in their order, whatever order their jobs run in', async ({
    happen,
    run,
    api,
  }) => {
    const jobs: OutboxEntry[][] = []
    for (let n = 0; n < 30; n++) jobs.push(await happen(10 + (n % 3), 10 + ((n * 7) % 4)))
    const shuffled = jobs.toSorted((a, b) => (a[0]!.id < b[0]!.id ? -1 : 1))
    const counts = await Promise.all(shuffled.map((job) => run(job)))
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(60)
    const { rows } = await api.core.database.pool.query(
      'select subject, array_agg(sequence order by n) as told, array_agg(sequence order by sequence) as right from told group by subject',
    )
    expect(rows).toHaveLength(4)
    for (const { told, right } of rows) expect(told).toEqual(right)
  })
})
