import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { TestApp } from '../../../support/app.ts'
import { book } from '../../../support/booking.ts'
import { buildMember, buildPlane, type School } from '../../../support/builders.ts'
import { dualBody, expectOk } from '../../../support/flights.ts'
import {
  asked,
  askFor,
  askFrom,
  buildListedSchool,
  confirm,
  confirmationToken,
  confirmedRequest,
  type Offered,
  offer,
} from '../../../support/offerings.ts'
import { startTwoApps } from '../../../support/two-apps.ts'

let apis: [TestApp, TestApp]
let school: School
let offering: Offered
beforeAll(async () => {
  const two = await startTwoApps()
  apis = two.apis
  return two.close
})
beforeEach(async () => {
  school = await buildListedSchool(apis[0])
  offering = await offer(apis[0], school)
})

const AT_ONCE = 20
const numbers = Array.from({ length: AT_ONCE }, (_, at) => at)
const apiOf = (at: number) => apis[at % 2]!
const statuses = (outcomes: { statusCode: number }[]) => outcomes.map(({ statusCode }) => statusCode).sort()
const guest = (at: number) => ({ email: `guest${at}@example.com`, resource: { id: school.plane.id } })

describe('requests of 20 guests at once on two API processes (§Booking requests)', () => {
  test('that hold one slot: one holds it', async () => {
    const outcomes = await Promise.all(numbers.map((at) => askFor(apiOf(at), offering, guest(at))))
    expect(statuses(outcomes)).toEqual([202, ...numbers.slice(1).map(() => 400)])
  })

  test('that hold one slot, which an instructor books: one has it', async () => {
    const outcomes = await Promise.all(
      numbers.map((at) =>
        at % 4 < 2 ? askFor(apiOf(at), offering, guest(at)) : book(apiOf(at), school.instructor, dualBody(school)),
      ),
    )
    const won = outcomes.filter(({ statusCode }) => statusCode < 300)
    expect(won).toHaveLength(1)
    expect(statuses(outcomes).slice(1)).toEqual(numbers.slice(1).map(() => 400))
  })

  test('that hold different aircraft: no more than ten do', async () => {
    const planes = await Promise.all(numbers.map(() => buildPlane(apis[0], school)))
    const large = await offer(apis[0], school, { resourceIds: planes.map(({ id }) => id) })
    const outcomes = await Promise.all(
      planes.map(({ id }, at) =>
        askFrom(apiOf(at), `203.0.113.${at}`, large, { email: `guest${at}@example.com`, resource: { id } }),
      ),
    )
    expect(statuses(outcomes)).toEqual([...Array(10).fill(202), ...Array(10).fill(400)])
  })

  test('that come from one address: three are taken and one holds', async () => {
    const outcomes = await Promise.all(
      numbers.map((at) => {
        const start = new Date(Date.UTC(2026, 10, 24 + at, 10)).toISOString()
        return askFor(apiOf(at), offering, { start, resource: { id: school.plane.id } })
      }),
    )
    expect(new Set(statuses(outcomes))).toEqual(new Set([202]))
    const rows = await apis[0].core.database.db
      .selectFrom('booking_request')
      .select('held_until')
      .where('organization_id', '=', school.organizationId)
      .execute()
    expect(rows).toHaveLength(3)
    expect(rows.filter(({ held_until }) => held_until)).toHaveLength(1)
  })

  test('that confirm one request: one does', async () => {
    const token = await confirmationToken(apis[0], await asked(apis[0], offering))
    const outcomes = await Promise.all(numbers.map((at) => confirm(apiOf(at), token)))
    expect(statuses(outcomes)).toEqual([200, ...numbers.slice(1).map(() => 400)])
    expect(await expectOk(apis[0], school.dispatcher, 'GET', '/guests')).toHaveLength(1)
  })

  test('that convert one guest: one of them invites the guest', async () => {
    const id = await confirmedRequest(apis[0], offering)
    await expectOk(apis[0], school.dispatcher, 'POST', `/booking-requests/${id}/approve`, {})
    const outcomes = await Promise.all(
      numbers.map((at) =>
        apiOf(at).call('POST', `/booking-requests/${id}/convert`, {
          token: school.dispatcher.token,
          body: { role: 'student' },
        }),
      ),
    )
    expect(statuses(outcomes)).toEqual([200, ...numbers.slice(1).map(() => 409)])
  })
})

test('approvals of several guests at once give each an aircraft and an instructor of their own while there are some', async () => {
  const planes = await Promise.all([1, 2].map(() => buildPlane(apis[0], school)))
  await buildMember(apis[0], school.organizationId, ['instructor'])
  const wide = await offer(apis[0], school, { resourceIds: planes.map(({ id }) => id) })
  const ids = []
  for (const at of [1, 2, 3]) ids.push(await confirmedRequest(apis[0], wide, { email: `guest${at}@example.com` }))
  const outcomes = await Promise.all(
    ids.map((id, at) =>
      apiOf(at).call('POST', `/booking-requests/${id}/approve`, { token: school.dispatcher.token, body: {} }),
    ),
  )
  expect(statuses(outcomes)).toEqual([200, 200, 400])
  expect(outcomes.find(({ statusCode }) => statusCode === 400)?.json().code).toBe('RESOURCE_CLASH')
})
