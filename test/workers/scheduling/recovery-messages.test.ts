import { describe, expect } from 'vitest'
import { notificationDefinitions } from '../../../src/workers/notification-definitions.ts'
import type { TestApp } from '../../support/app.ts'
import { buildMember, type Member, type School } from '../../support/builders.ts'
import { schoolWorkersTest } from '../../support/fixtures.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import type { OperationAnswer } from '../../support/operations.ts'
import { buildTwin, ground, type PlanAnswer, recoveryWindow } from '../../support/recoveries.ts'
import type { TestWorkers } from '../../support/workers.ts'

const test = schoolWorkersTest().extend('twin', ({ api, school }) => buildTwin(api, school))

const at = (h: number) => ({
  start: `2026-11-23T${String(h).padStart(2, '0')}:00:00.000Z`,
  end: `2026-11-23T${String(h + 2).padStart(2, '0')}:00:00.000Z`,
})

interface Notice {
  kind: string
  title: string
  body: string
}

/** Plans a recovery by the workers. Returns the plan. */
async function planned(api: TestApp, workers: TestWorkers, who: Member, cause: object, more: object = {}) {
  const body = { cause, ...recoveryWindow, ...more }
  const { id } = await expectOk<OperationAnswer>(api, who, 'POST', '/recoveries', body)
  await workers.settled()
  return expectOk<PlanAnswer>(api, who, 'GET', `/recoveries/${id}`)
}

/** Applies a plan by the workers. */
async function apply(api: TestApp, workers: TestWorkers, who: Member, { id }: PlanAnswer, body: object = {}) {
  await expectOk(api, who, 'POST', `/recoveries/${id}/apply`, body)
  await workers.settled()
}

const noticesOf = async (api: TestApp, who: Member, kind: string): Promise<Notice[]> =>
  (await expectOk<Notice[]>(api, who, 'GET', '/notifications')).filter((one) => one.kind === kind)

const quiet = (api: TestApp, school: School, quietHours: object | null) =>
  expectOk(api, school.admin, 'PATCH', '/organizations', { settings: { quietHours } })

describe('the messages of a recovery (§Recovery)', () => {
  test('name the booking and the cause, once a person for all that is offered together', async ({
    api,
    workers,
    school,
    twin,
  }) => {
    await bookDual(api, school, at(14))
    await bookDual(api, school, at(17))
    await ground(api, school)
    await ground(api, school, twin.id)
    const away = await planned(api, workers, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(away.rows.map(({ outcome }) => outcome)).toEqual(['left', 'left'])
    await expectOk(api, school.admin, 'PATCH', `/resources/${twin.id}/grounding`, { grounded: false })
    const rate = 'update resource set wet_rate_cents = 20000 where id = $1'
    await api.core.database.pool.query(rate, [twin.id])
    const plan = await planned(api, workers, school.dispatcher, { resourceIds: [school.plane.id] })
    expect(plan.rows).toMatchObject([
      { outcome: 'aircraft', consent: [{}] },
      { outcome: 'aircraft', consent: [{}] },
    ])
    await apply(api, workers, school.dispatcher, plan)
    await workers.settled()
    const told = await noticesOf(api, school.student, 'slot_offered')
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      title: 'Other places for 2 of your bookings',
      body: expect.stringContaining(`${school.plane.name} is grounded: Nose strut is flat.`),
    })
    expect(told[0]!.body.match(/It takes the place of Lesson 4: stalls/g)).toHaveLength(2)
    const mails = workers.mails(school.student.email).filter(({ subject }) => subject.startsWith('Other places'))
    expect(mails).toHaveLength(1)
    // Two hours at 200.00, in the app and in the mail.
    expect(told[0]!.body.match(/ · about \$400\.00 · /g)).toHaveLength(2)
    expect(mails[0]!.text?.match(/about \$400\.00/g)).toHaveLength(2)
  })

  test('name the maintenance that takes the aircraft, and the time off of an instructor', async ({
    api,
    workers,
    school,
    twin,
  }) => {
    const booked = await bookDual(api, school, at(14))
    const work = { title: 'New strut', type: 'maintenance', timeZoneName: 'UTC', displace: true, ...at(14) }
    const resource = { id: school.plane.id }
    const { id } = await expectOk<OperationAnswer>(api, school.dispatcher, 'POST', '/reservations', {
      ...work,
      resource,
    })
    await workers.settled()
    const plan = await expectOk<PlanAnswer>(api, school.dispatcher, 'GET', `/recoveries/${id}`)
    expect(plan.rows).toMatchObject([{ reservationId: booked, to: { resourceId: twin.id } }])
    await apply(api, workers, school.dispatcher, plan)
    const [moved] = await noticesOf(api, school.student, 'reservations_changed')
    expect(moved!.body).toContain(`${school.plane.name} is in maintenance: New strut.`)
    const away = { ...at(14), orgUserId: school.instructor.orgUserId }
    await expectOk(api, school.dispatcher, 'POST', '/availability/timeOff', away)
    const cause = { instructorOrgUserIds: [school.instructor.orgUserId] }
    const other = await planned(api, workers, school.dispatcher, cause)
    expect(other).toMatchObject({ asserted: false, rows: [{ outcome: 'time' }] })
    await apply(api, workers, school.dispatcher, other)
    const [offered] = await noticesOf(api, school.student, 'slot_offered')
    expect(offered!.body).toContain(`${school.instructor.name} is away: Mon, Nov 23, 2026, 14:00–16:00 UTC.`)
  })

  test('keep the quiet hours, in mail and push, but what somebody accepts in a name is told at once', async ({
    api,
    workers,
    school,
  }) => {
    await buildTwin(api, school)
    await bookDual(api, school, at(14))
    // It is noon where the aircraft is.
    await quiet(api, school, { startMinute: 660, endMinute: 840 })
    const plan = await planned(api, workers, school.dispatcher, { resourceIds: [school.plane.id] })
    await apply(api, workers, school.dispatcher, plan)
    await workers.settled()
    expect(await noticesOf(api, school.student, 'slot_offered')).toMatchObject([
      { body: expect.stringContaining(`The desk says: ${school.plane.name} cannot be used.`) },
    ])
    const [offer] = await expectOk<{ id: number }[]>(api, school.student, 'GET', '/offers')
    const sources = { database: api.core.database, clock: () => api.clock.now }
    const about = {
      organizationId: school.organizationId,
      subjectId: offer!.id,
      happenedAt: api.clock.now.toISOString(),
    }
    const sentFrom = async (kind: 'slot_offered' | 'waitlist_booked') =>
      (await notificationDefinitions[kind](sources, { ...about, kind }))?.notBefore
    expect(await sentFrom('slot_offered')).toEqual(new Date('2026-11-21T14:00:00Z'))
    const colleague = await buildMember(api, school.organizationId, ['dispatcher'])
    await expectOk(api, colleague, 'POST', `/offers/${offer!.id}/accept`, { how: 'phone' })
    await workers.settled()
    expect(await sentFrom('waitlist_booked')).toEqual(api.clock.now)
    const [mail] = workers.mails(school.student.email).filter(({ subject }) => subject.startsWith('You are booked'))
    expect(mail?.text).toContain(`${colleague.name} accepted it in your name, after your call.`)
    expect(mail?.text).toContain('You can cancel it for 24 hours, until 2 hours before its start.')
  })

  test('say who recorded that a person agreed, and the cause and the reason of what is cancelled', async ({
    api,
    workers,
    school,
    twin,
  }) => {
    const booked = await bookDual(api, school, at(14))
    const plan = await planned(api, workers, school.dispatcher, { resourceIds: [school.plane.id] })
    await apply(api, workers, school.dispatcher, plan, { consent: 'given', how: 'phone', reservationIds: [booked] })
    await workers.settled()
    const [said] = await noticesOf(api, school.student, 'reservations_changed')
    expect(said!.body).toContain(`${school.dispatcher.name} recorded that you agreed (phone).`)
    expect((await noticesOf(api, school.instructor, 'reservations_changed'))[0]!.body).not.toContain('agreed')
    await ground(api, school, twin.id)
    const left = await planned(
      api,
      workers,
      school.dispatcher,
      { resourceIds: [twin.id] },
      { reach: { pools: 'same' } },
    )
    await apply(api, workers, school.dispatcher, left, {
      cancelLeft: { reason: 'No strut in stock', category: 'maintenance' },
    })
    await workers.settled()
    const [gone] = await noticesOf(api, school.student, 'reservations_changed')
    expect(gone!.body).toContain(`${twin.name} is grounded: Nose strut is flat. · Reason: No strut in stock`)
  })

  test('tell both instructors of a lesson that an accepted offer gives to another one, with the cause', async ({
    api,
    workers,
    school,
  }) => {
    const booked = await bookDual(api, school, at(14))
    const other = await buildMember(api, school.organizationId, ['instructor'])
    const student = await buildMember(api, school.organizationId, ['student'])
    await bookDual(api, { ...school, plane: await buildTwin(api, school), student, instructor: other }, at(14))
    const cause = { instructorOrgUserIds: [school.instructor.orgUserId] }
    const plan = await planned(api, workers, school.dispatcher, cause, { reach: { instructors: 'any' } })
    const row = plan.rows.find(({ reservationId }) => reservationId === booked)
    expect(row?.to).toMatchObject({ instructorOrgUserId: other.orgUserId })
    expect(row!.to!.start).not.toBe(at(14).start)
    await apply(api, workers, school.dispatcher, plan)
    const [offer] = await expectOk<{ id: number }[]>(api, school.student, 'GET', '/offers')
    await expectOk(api, school.student, 'POST', `/offers/${offer!.id}/accept`, {})
    await workers.settled()
    const why = `The desk says: ${school.instructor.name} is away.`
    const [left] = await noticesOf(api, school.instructor, 'reservation_cancelled')
    expect(left!.body).toContain('14:00')
    expect(left!.body).toContain(why)
    const told = await noticesOf(api, other, 'reservation_created')
    expect(told.map(({ body }) => body)).toContainEqual(expect.stringContaining(why))
  })

  test('tell an instructor and owners of a plan that says that the instructor is away, which no record does', async ({
    api,
    workers,
    school,
  }) => {
    await bookDual(api, school, at(14))
    const cause = { instructorOrgUserIds: [school.instructor.orgUserId] }
    await planned(api, workers, school.dispatcher, cause)
    await workers.settled()
    for (const who of [school.instructor, school.owner]) {
      expect(await noticesOf(api, who, 'recovery_asserted')).toMatchObject([
        { body: expect.stringContaining(`The desk says: ${school.instructor.name} is away. No record says so.`) },
      ])
    }
    expect(await noticesOf(api, school.admin, 'recovery_asserted')).toEqual([])
  })
})
