import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { remindExpiringEndorsements } from '../../../src/shared/training/training.jobs.ts'
import { NOW } from '../../support/app.ts'
import { testedBackends } from '../../support/backends.ts'
import { buildSchool, type School } from '../../support/builders.ts'
import { type NotificationEnv, startNotifying } from '../../support/domain-events.ts'
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

  test('a practical test is told of 21, 7 and 2 days before to the student and the instructor, and anew when it is moved', async () => {
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
    const mail = env.workers.mails(student.email).find(({ subject }) => subject.startsWith('Practical test'))
    expect(mail?.subject).toBe('Practical test on Sun, Dec 20, 2026: not ready yet')
    expect(mail?.text).toContain('– medical\n')
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
