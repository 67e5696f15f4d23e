import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import { notifyStalled } from '../../../src/shared/training/enrollments/notify-stalled.ts'
import { remindExpiringEndorsements } from '../../../src/shared/training/training.jobs.ts'
import { NOW } from '../../support/app.ts'
import { testedBackends } from '../../support/backends.ts'
import { buildMember, buildSchool, type School } from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { type NotificationEnv, startNotifying } from '../../support/domain-events.ts'
import { until } from '../../support/eventually.ts'
import { expectOk } from '../../support/flights.ts'
import { buildTraining, enrol, gradeAndSign, insertEndorsement } from '../../support/training.ts'

describe.each(testedBackends())('with queues in %s (§Training)', (kind) => {
  let env: NotificationEnv
  let school: School
  beforeAll(async () => {
    env = await startNotifying(kind)
  })
  afterAll(() => env.close())
  beforeEach(async () => {
    school = await buildSchool(env.api)
  })

  const told = async () => {
    await env.workers.settled()
    const list = await expectOk<{ kind: string; title: string }[]>(env.api, school.student, 'GET', '/notifications')
    return list.map(({ title }) => title)
  }

  async function review(): Promise<void> {
    await env.workers.run((tx) => tx.enqueue(remindExpiringEndorsements, {}))
  }

  test('a student is told of a signed record and of an endorsement', async () => {
    const { api } = env
    const course = await buildTraining(api, school)
    await gradeAndSign(api, school.instructor, await enrol(api, school, course, school.student), course.lesson)
    expect(await told()).toEqual(['Please countersign: First flight'])
    const body = { orgUserId: school.student.orgUserId, renderedText: 'Ready.', templateCode: 'A.6' }
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', body)
    expect(await told()).toContain('New endorsement: Solo flight, first 90 days')
  })

  test('a knowledge test ends with its 24th calendar month: it is told of 30, 14 and 3 days before, until the practical test is passed', async () => {
    const { api } = env
    const { instructor, student } = school
    const record = (kind: string, takenAt: string) =>
      expectOk(api, instructor, 'POST', '/training/tests', {
        orgUserId: student.orgUserId,
        kind,
        takenAt,
        result: 'passed',
      })
    const titlesAt = async (instant: string) => {
      api.clock.now = new Date(instant)
      await review()
      api.clock.now = NOW
      const rows = await api.core.database.db
        .selectFrom('notification')
        .select('title')
        .where('membership_id', '=', student.orgUserId)
        .where('kind', '=', 'knowledge_test_expiring')
        .execute()
      return rows.map(({ title }) => title)
    }
    await record('knowledge', '2024-12-10T12:00:00Z')
    const title = `Knowledge test of ${student.name} expires on Thu, Dec 31, 2026`
    expect(await titlesAt('2026-12-01T23:59:59.998Z')).toEqual([])
    expect(await titlesAt('2026-12-01T23:59:59.999Z')).toEqual([title])
    expect(await titlesAt('2026-12-16T12:00:00Z')).toEqual([title])
    expect(await titlesAt('2026-12-18T12:00:00Z')).toEqual([title, title])
    await record('practical', '2026-11-20T12:00:00Z')
    expect(await titlesAt('2026-12-30T12:00:00Z')).toEqual([title, title])
  })

  test('a practical test is told of 21, 7 and 2 days before to the student and the instructor, and anew when it is moved; not who passed', async () => {
    const { api } = env
    const { instructor, student } = school
    const course = await buildTraining(api, school)
    const enrollmentId = await enrol(api, school, course, student, { instructorOrgUserId: instructor.orgUserId })
    const plan = (at: string) =>
      expectOk(api, instructor, 'PATCH', `/training/enrollments/${enrollmentId}`, { plannedTest: { at } })
    const toldAt = async (instant: string) => {
      api.clock.now = new Date(instant)
      await review()
      await review()
      api.clock.now = NOW
      await env.workers.settled()
      const rows = await api.core.database.db
        .selectFrom('notification')
        .select(['membership_id', 'title'])
        .where('kind', '=', 'test_not_ready')
        .where('membership_id', 'in', [student.orgUserId, instructor.orgUserId])
        .execute()
      return [student, instructor].map(({ orgUserId }) => rows.filter((row) => row.membership_id === orgUserId).length)
    }
    await plan('2026-12-20T12:00:00Z')
    expect(await toldAt('2026-11-29T11:59:59.999Z')).toEqual([0, 0])
    expect(await toldAt('2026-11-29T12:00:00Z')).toEqual([1, 1])
    expect(await toldAt('2026-12-13T11:00:00Z')).toEqual([1, 1])
    expect(await toldAt('2026-12-18T12:00:00Z')).toEqual([2, 2])
    await plan('2026-12-22T12:00:00Z')
    expect(await toldAt('2026-12-18T12:00:00Z')).toEqual([3, 3])
    expect(await toldAt('2026-12-22T12:00:00Z')).toEqual([3, 3])
    await plan('2026-12-28T12:00:00Z')
    const passed = { enrollmentId, kind: 'practical', takenAt: '2026-11-20', result: 'passed' }
    await expectOk(api, instructor, 'POST', '/training/tests', passed)
    expect(await toldAt('2026-12-24T12:00:00Z')).toEqual([3, 3])
    const mail = env.workers.mails(student.email).find(({ subject }) => subject.startsWith('Practical test'))
    expect(mail?.subject).toBe('Practical test on Sun, Dec 20, 2026: not ready yet')
    expect(mail?.text).toContain('– medical\n')
  })

  test('on Mondays at 07:00 each instructor and chief instructor is told how many students are stalled, and by mail who', async () => {
    const { api } = env
    const { admin, instructor, student } = school
    const course = await buildTraining(api, school)
    const chief = await buildMember(api, school.organizationId, ['instructor'])
    const other = await buildMember(api, school.organizationId, ['student'])
    const { db } = api.core.database
    const zone = { time_zone_name: 'America/New_York' }
    await db.updateTable('organization').set(zone).where('id', '=', school.organizationId).execute()
    await expectOk(api, admin, 'PATCH', `/training/courses/${course.courseId}`, {
      chiefInstructorOrgUserId: chief.orgUserId,
    })
    const instructorOrgUserId = instructor.orgUserId
    const enrollments = [
      await enrol(api, school, course, student, { instructorOrgUserId }),
      await enrol(api, school, course, other, { instructorOrgUserId }),
    ]
    const enrolledAt = (id: number, at: string) =>
      db
        .updateTable('enrollment')
        .set({ created_at: new Date(at) })
        .where('id', '=', id)
        .execute()
    const titlesAt = async (instant: string) => {
      api.clock.now = new Date(instant)
      await review()
      await review()
      await env.workers.settled()
      api.clock.now = NOW
      const rows = await db
        .selectFrom('notification')
        .select(['membership_id', 'title'])
        .where('organization_id', '=', school.organizationId)
        .where('kind', '=', 'students_stalled')
        .orderBy('id')
        .execute()
      return [instructor, chief, admin, student].map(({ orgUserId }) =>
        rows.filter((row) => row.membership_id === orgUserId).map(({ title }) => title),
      )
    }
    const [one, two] = ['One student is stalled', '2 students are stalled']
    // New York: Monday 30 November, 07:00 is 12:00 UTC. The fourteenth day before is 16 November.
    await enrolledAt(enrollments[0]!, '2026-11-17T04:59:59Z')
    await enrolledAt(enrollments[1]!, '2026-11-17T05:00:00Z')
    expect(await titlesAt('2026-11-30T11:59:59.999Z')).toEqual([[], [], [], []])
    expect(await titlesAt('2026-11-30T12:00:00Z')).toEqual([[one], [one], [], []])
    expect(await titlesAt('2026-12-01T11:00:00Z')).toEqual([[one], [one], [], []])
    expect(await titlesAt('2026-12-06T12:00:00Z')).toEqual([[one], [one], [], []])
    expect(await titlesAt('2026-12-07T20:00:00Z')).toEqual([[one, two], [one, two], [], []])
    const mail = env.workers.mails(chief.email).find(({ subject }) => subject === one)
    expect(mail?.text).toContain(`– ${student.name}: 14 days\n`)
    expect(mail?.text).toContain(`/stalled-students#organization=${school.organizationId}\n`)
    expect(mail?.text).not.toContain(other.name)
    await db.updateTable('membership').set({ removed_at: NOW }).where('id', '=', other.orgUserId).execute()
    await enrolledAt(enrollments[0]!, '2026-12-02T12:00:00Z')
    expect(await titlesAt('2026-12-14T12:00:00Z')).toEqual([[one, two], [one, two], [], []])
    // Nothing ran on Monday 21 December.
    const late = [[one, two, one], [one, two, one], [], []]
    expect(await titlesAt('2026-12-23T15:00:00Z')).toEqual(late)
    expect(await titlesAt('2026-12-27T23:00:00Z')).toEqual(late)
  })

  test('two runs at once, each with its part of many students, tell an instructor once', async () => {
    const { api } = env
    const course = await buildTraining(api, school)
    const instructorOrgUserId = school.instructor.orgUserId
    const enrolment = await enrol(api, school, course, school.student, { instructorOrgUserId })
    // More than one batch, which a run claims in a transaction.
    await asOwner(
      api,
      `with made as (
        insert into membership overriding system value
        select (jsonb_populate_record(m, jsonb_build_object('id', nextval(pg_get_serial_sequence('membership', 'id')),
          'account_id', null, 'search_email', 's' || n || '@example.com'))).* from membership m, generate_series(1, 700) n where m.id = $1 returning id)
      insert into enrollment overriding system value
      select (jsonb_populate_record(e, jsonb_build_object('id', nextval(pg_get_serial_sequence('enrollment', 'id')),
        'membership_id', made.id, 'created_at', timestamptz '2026-10-01'))).* from enrollment e, made where e.id = $2`,
      [school.student.orgUserId, enrolment],
    )
    const { core, clock } = api
    clock.now = new Date('2026-11-30T20:00:00Z')
    const [claimed, commit] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const first = inTransaction(core.database, core.clock, async (tx) => {
      const count = await notifyStalled(tx)
      claimed.resolve()
      await commit.promise
      return count
    })
    await claimed.promise
    const second = inTransaction(core.database, core.clock, notifyStalled)
    // It waits for the first, or ends before.
    const waiting = `select from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`
    await Promise.race([second, until(async () => (await core.database.pool.query(waiting)).rows.length === 1)])
    commit.resolve()
    const runs = await Promise.all([first, second])
    clock.now = NOW
    expect(runs.map(({ result }) => result)).toEqual([500, 200])
    expect(runs.flatMap(({ enqueued }) => enqueued)).toHaveLength(1)
  })

  test('an endorsement that expires within thirty days is told of once; replaced, later and past ones are not', async () => {
    const { api } = env
    const days = (count: number) => ({ expiresAt: new Date(NOW.getTime() + count * 86_400_000) })
    await insertEndorsement(api, school, days(13))
    await insertEndorsement(api, school, days(31))
    await insertEndorsement(api, school, days(-1))
    await insertEndorsement(api, school)
    const replaced = await insertEndorsement(api, school, days(3))
    await expectOk(api, school.instructor, 'POST', '/training/endorsements', {
      orgUserId: school.student.orgUserId,
      renderedText: 'Ready.',
      title: 'Solo flight',
      supersedesId: replaced,
    })
    await review()
    await review()
    expect((await told()).filter((title) => title.startsWith('Endorsement expires'))).toEqual([
      'Endorsement expires on Fri, Dec 4, 2026: Solo flight',
    ])
    expect(env.workers.mails(school.student.email).map(({ subject }) => subject)).toContain(
      'Endorsement expires on Fri, Dec 4, 2026: Solo flight',
    )
  })
})
