import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import {
  asking,
  buildAskedSchool,
  decide,
  insertGuestRequest,
  reading,
  request,
  requestBody,
} from '../../../support/booking-requests.ts'
import { buildMember, type School } from '../../../support/builders.ts'
import { dualBody, expectOk } from '../../../support/flights.ts'
import { startTwoApps } from '../../../support/two-apps.ts'

let apis: [TestApp, TestApp]
let school: School
beforeAll(async () => {
  const two = await startTwoApps()
  apis = two.apis
  return two.close
})
beforeEach(async () => {
  school = await buildAskedSchool(apis[0])
})

const AT_ONCE = 20
const apiOf = (at: number) => apis[at % 2]!
const bookings = async () => {
  const { db } = apis[0].core.database
  return db.selectFrom('reservation').select('id').where('organization_id', '=', school.organizationId).execute()
}
const approve = (id: number, at: number) => decide(apiOf(at), school.dispatcher, id, 'approve')
const statusOf = async (id: number) => (await reading(apis[0], school.dispatcher, id)).status

describe('decisions at once on two API processes (§Booking requests)', () => {
  test('approve one of two requests for one slot, and the other is refused by the rule and stays pending', async () => {
    for (let round = 0; round < 5; round++) {
      const day = String(10 + round)
      const times = { start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` }
      const rival = await buildMember(apis[0], school.organizationId, ['student'])
      const asked = [await asking(apis[0], school, times), await asking(apis[0], school, times, rival)]
      const outcomes = await Promise.all(asked.map(({ id }, at) => approve(id, at)))
      expect(outcomes.map(({ statusCode }) => statusCode).sort()).toEqual([200, 400])
      const lost = outcomes.findIndex(({ statusCode }) => statusCode === 400)
      const { code, details } = outcomes[lost]!.json()
      const won = outcomes[1 - lost]!.json().data.reservation.id
      expect(code).toBe('RESOURCE_CLASH')
      expect(details.problems).toContainEqual(expect.objectContaining({ code, reservationId: won }))
      expect(await Promise.all(asked.map(({ id }) => statusOf(id)))).toEqual(
        lost === 0 ? ['pending', 'approved'] : ['approved', 'pending'],
      )
    }
  })

  test('make one booking of twenty requests for one slot', async () => {
    const students = await Promise.all(
      Array.from({ length: AT_ONCE }, () => buildMember(apis[0], school.organizationId, ['student'])),
    )
    const asked = await Promise.all(students.map((student) => asking(apis[0], school, {}, student)))
    const outcomes = await Promise.all(asked.map(({ id }, at) => approve(id, at)))
    expect(outcomes.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const lost = outcomes.filter(({ statusCode }) => statusCode !== 200)
    expect(lost.map((one) => `${one.statusCode} ${one.json().code}`)).toEqual(
      Array(AT_ONCE - 1).fill('400 RESOURCE_CLASH'),
    )
    expect(await bookings()).toHaveLength(1)
  })

  test('make one booking of twenty approvals of one request', async () => {
    const { id } = await asking(apis[0], school)
    const outcomes = await Promise.all(Array.from({ length: AT_ONCE }, (_, at) => approve(id, at)))
    expect(outcomes.filter(({ statusCode }) => statusCode === 200)).toHaveLength(1)
    const lost = outcomes.filter(({ statusCode }) => statusCode !== 200)
    expect(lost.map((one) => `${one.statusCode} ${one.json().code}`)).toEqual(
      Array(AT_ONCE - 1).fill('409 NOT_PENDING'),
    )
    expect(await bookings()).toHaveLength(1)
  })

  test('carry out an approval or a cancellation, and the other is 409', async () => {
    for (let day = 10; day < 15; day++) {
      const times = { start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` }
      const { id } = await asking(apis[0], school, times)
      const before = (await bookings()).length
      const [approval, cancellation] = await Promise.all([
        approve(id, 0),
        decide(apis[1], school.student, id, 'cancel'),
      ])
      expect([approval.statusCode, cancellation.statusCode].sort()).toEqual([200, 409])
      const made = (await bookings()).length - before
      expect([await statusOf(id), made]).toEqual(approval.statusCode === 200 ? ['approved', 1] : ['cancelled', 0])
    }
  })

  test('carry out an approval or a booking of the same slot', async () => {
    for (let day = 10; day < 15; day++) {
      const times = { start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` }
      const { id } = await asking(apis[0], school, times)
      const rival = await buildMember(apis[0], school.organizationId, ['student'])
      const body = dualBody(school, { ...times, students: [rival] })
      const [approval, booked] = await Promise.all([
        approve(id, 0),
        apis[1].call('POST', '/reservations', { token: school.dispatcher.token, body }),
      ])
      expect([approval.statusCode < 300, booked.statusCode < 300].filter(Boolean)).toHaveLength(1)
      expect([200, 201, 400]).toEqual(expect.arrayContaining([approval.statusCode, booked.statusCode]))
      expect(await statusOf(id)).toBe(approval.statusCode === 200 ? 'approved' : 'pending')
    }
  })

  test('leave no pending request after an approval and the requester’s removal, and nothing fails', async () => {
    for (let round = 0; round < 5; round++) {
      const student = await buildMember(apis[0], school.organizationId, ['student'])
      const day = String(10 + round)
      const times = { start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` }
      const { id } = await asking(apis[0], school, times, student)
      const [approval, removal] = await Promise.all([
        approve(id, 0),
        apis[1].call('DELETE', `/orgUsers/${student.orgUserId}?cancelBookings=true`, { token: school.admin.token }),
      ])
      expect(removal.statusCode).toBe(204)
      expect([200, 400, 409], approval.body).toContain(approval.statusCode)
      expect(await statusOf(id)).toBe(approval.statusCode === 200 ? 'approved' : 'cancelled')
    }
  })

  test('leave no request before the desk after requests and the removal of their requester', async () => {
    const leaving = await Promise.all(
      Array.from({ length: AT_ONCE }, () => buildMember(apis[0], school.organizationId, ['student'])),
    )
    const outcomes = await Promise.all(
      leaving.map(async (student, at) => {
        const made = request(apiOf(at), student, requestBody(school, {}, student))
        const removed = apiOf(at + 1).call('DELETE', `/orgUsers/${student.orgUserId}`, { token: school.admin.token })
        return [(await made).statusCode, (await removed).statusCode]
      }),
    )
    for (const [made, removed] of outcomes) {
      expect([201, 400, 401]).toContain(made)
      expect(removed).toBe(204)
    }
    const listed = await expectOk<unknown[]>(apis[0], school.dispatcher, 'GET', '/booking-requests')
    expect(listed).toEqual([])
  })

  test('approve one of several guests on one instructor and one aircraft', async () => {
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, at) => insertGuestRequest(apis[0], school, { email: `gia.${at}@example.com` })),
    )
    const outcomes = await Promise.all(ids.map((id, at) => approve(id, at)))
    expect(outcomes.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(400)])
    expect(await bookings()).toHaveLength(1)
  })
})
