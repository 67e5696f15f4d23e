import { describe, expect } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { buildMember, buildPlane, type School } from '../../../support/builders.ts'
import { schoolTest } from '../../../support/fixtures.ts'
import { bookDual, expectOk } from '../../../support/flights.ts'
import { enter, type OfferRow, offerSoFar, offersOf } from '../../../support/waitlist.ts'

const test = schoolTest()

const window = { windows: [{ start: '2026-11-23T10:00:00.000Z', end: '2026-11-23T12:00:00.000Z' }] }

/** Lets the student wait for a free hour. Returns the offer. */
async function offered(api: TestApp, school: School): Promise<OfferRow> {
  await enter(api, school.dispatcher, { ...window, orgUserId: school.student.orgUserId })
  await offerSoFar(api, school)
  const [offer] = await offersOf(api, school.student)
  return offer!
}

describe('a closure by the desk withdraws the open offers in its time', () => {
  const day = { start: '2026-11-23T08:00:00Z', end: '2026-11-23T11:00:00Z', reason: 'Fog' }
  const cases: [string, (school: School) => object, boolean][] = [
    ['of the organization', () => day, true],
    ['of its aircraft', ({ plane }) => ({ ...day, resourceId: plane.id }), true],
    ['of the location of its aircraft', ({ location }) => ({ ...day, locationId: location.id }), true],
    ['not before its start', () => ({ ...day, end: '2026-11-23T10:00:00Z' }), false],
  ]
  test.for(cases)('%s', async ([, bodyOf, isCovered], { api, school }) => {
    await offered(api, school)
    await expectOk(api, school.dispatcher, 'POST', '/closures', bodyOf(school))
    expect(await offersOf(api, school.student)).toMatchObject([
      isCovered ? { status: 'withdrawn', cause: 'closed' } : { status: 'open' },
    ])
  })

  test('and the place is offered again when it is deleted', async ({ api, school }) => {
    await offered(api, school)
    const { id } = await expectOk<{ id: number }>(api, school.dispatcher, 'POST', '/closures', day)
    expect(await offerSoFar(api, school)).toBe(0)
    await api.call('DELETE', `/closures/${id}`, { token: school.dispatcher.token })
    expect(await offerSoFar(api, school)).toBe(1)
  })
})

describe('a member who loses a role', () => {
  const statuses = async (api: TestApp, school: School) => {
    const entries = await expectOk<object[]>(api, school.dispatcher, 'GET', '/waitlist')
    return { entries, offers: await offersOf(api, school.dispatcher) }
  }

  test('waits no longer for what it allowed, and has no offer of it', async ({ api, school }) => {
    await offered(api, school)
    const later = { windows: [{ start: '2026-12-20T10:00:00Z', end: '2026-12-20T12:00:00Z' }] }
    await enter(api, school.dispatcher, { ...later, orgUserId: school.student.orgUserId })
    const roles = { student: false, renter: true }
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, roles)
    expect(await statuses(api, school)).toMatchObject({
      entries: Array(2).fill({ status: 'ended', endCause: 'role_lost' }),
      offers: [{ status: 'withdrawn', cause: 'role_lost' }],
    })
  })

  test('keeps what another role allows', async ({ api, school }) => {
    await offered(api, school)
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.student.orgUserId}`, { renter: true })
    expect(await statuses(api, school)).toMatchObject({
      entries: [{ status: 'offered' }],
      offers: [{ status: 'open' }],
    })
  })

  test('as an instructor withdraws the offers of their hours', async ({ api, school }) => {
    await offered(api, school)
    const roles = { instructor: false, technician: true }
    await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.instructor.orgUserId}`, roles)
    expect(await statuses(api, school)).toMatchObject({
      entries: [{ status: 'waiting' }],
      offers: [{ status: 'withdrawn', cause: 'impossible' }],
    })
  })
})

describe('an offer that its instructor declines', () => {
  test('is to its person one that went by the order', async ({ api, school }) => {
    const { id } = await offered(api, school)
    const declined = await expectOk(api, school.instructor, 'POST', `/offers/${id}/decline`)
    const byInstructor = {
      status: 'withdrawn',
      cause: 'instructor',
      answeredBy: { orgUserId: school.instructor.orgUserId },
    }
    expect(declined).toMatchObject(byInstructor)
    expect(await offersOf(api, school.dispatcher)).toMatchObject([byInstructor])
    const hidden = { status: 'withdrawn', cause: 'order', answeredBy: null }
    expect(await offersOf(api, school.student)).toMatchObject([hidden])
    expect(await expectOk(api, school.student, 'GET', `/offers/${id}`)).toMatchObject(hidden)
    const [entry] = await expectOk<{ id: number }[]>(api, school.student, 'GET', '/waitlist')
    const detail = await expectOk<object>(api, school.student, 'GET', `/waitlist/${entry!.id}`)
    expect(detail).toMatchObject({ passedOver: [{ start: window.windows[0]!.start, cause: 'order' }] })
    expect(JSON.stringify(detail)).not.toContain('instructor"')
  })
})

describe('a booking over an offer', () => {
  test('of its person elsewhere at that time says that they were booked', async ({ api, school }) => {
    await offered(api, school)
    const instructor = await buildMember(api, school.organizationId, ['instructor'])
    await bookDual(api, { ...school, plane: await buildPlane(api, school), instructor })
    expect(await offersOf(api, school.student)).toMatchObject([{ status: 'withdrawn', cause: 'own_booking' }])
  })
})
