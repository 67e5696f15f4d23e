import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bookingHits } from '../../src/shared/insight/search/bookings.queries.ts'
import { invoiceHits } from '../../src/shared/insight/search/invoices.queries.ts'
import { courseHits, namedGuests, namedMembers } from '../../src/shared/insight/search/named.queries.ts'
import { resourceHits } from '../../src/shared/insight/search/resources.queries.ts'
import { matchText } from '../../src/shared/insight/search/text-match.queries.ts'
import { type Role, roles } from '../../src/shared/platform/authz/roles.ts'
import { readLimited } from '../../src/shared/platform/db/read-limited.ts'
import type { TestApp } from '../support/app.ts'
import { buildSchool, type School } from '../support/builders.ts'
import { buildBooking, buildGuest, buildInvoice } from '../support/records.ts'
import { buildTraining } from '../support/training.ts'
import { startLoneApp } from './support/app.ts'

let api: TestApp
let school: School
beforeAll(async () => {
  api = await startLoneApp()
  school = await furnishedSchool()
  await furnishedSchool()
})
afterAll(() => api.close())

/** A school in which everything is named after a falcon. */
async function furnishedSchool(): Promise<School> {
  const made = await buildSchool(api)
  const { pool } = api.core.database
  const [guestId, strangerId] = [await buildGuest(api, made, null), await buildGuest(api, made, 'falcon@example.com')]
  await pool.query("update guest set name = 'Falcon Guest' where id = $1", [guestId])
  const seats = [{ side: 'students' as const, member: made.student }]
  for (const fromHour of [24, 48, 72]) await buildBooking(api, made, { seats, fromHour })
  await buildBooking(api, made, { seats, fromHour: 96, cancelled: true })
  await buildBooking(api, made, { seats: [{ side: 'guests', guestId: strangerId }], fromHour: 120 })
  const payers = [made.student, made.instructor, made.renter, made.dispatcher, { guestId }, { guestId: strangerId }]
  for (const [index, payer] of payers.entries()) await buildInvoice(api, made, { payer, number: index + 1 })
  await buildInvoice(api, made, { payer: made.student, number: null, status: 'failed' })
  await buildTraining(api, made)
  const id = [made.organizationId]
  await pool.query("update account set name = 'Falcon ' || name where name not like 'Falcon %'")
  await pool.query("update reservation set title = 'Falcon flight' where organization_id = $1", id)
  await pool.query("update resource set name = 'Falcon ' || name where organization_id = $1", id)
  await pool.query("update guest set name = 'Falcon ' || name where organization_id = $1", id)
  await pool.query("update training_course set name = 'Falcon course' where organization_id = $1", id)
  return made
}

const window = 'startDate=2026-11-01T00:00:00Z&endDate=2026-12-31T00:00:00Z'

/** The lists that the kinds of a search are held against. */
const lists: Record<string, (role: Role) => string> = {
  member: () => '/orgUsers',
  resource: () => '/resources',
  booking: () => `/reservations?${window}`,
  invoice: (role) => (['owner', 'admin'].includes(role) ? '/invoices' : `/invoices/orgUsers/${school[role].orgUserId}`),
  course: () => '/training/courses',
}

describe('a search finds what its caller lists, and nothing else', () => {
  const cases = roles.flatMap((role) => Object.keys(lists).map((kind) => ({ role, kind })))
  test.each(cases)('of $kind when a $role asks', async ({ role, kind }) => {
    const { token } = school[role]
    const searched = await api.call('GET', `/search?q=falcon&kind=${kind}`, { token })
    expect(searched.statusCode, searched.body).toBe(200)
    const found: { kind: string; id: number }[] = searched.json().data
    const listed = await api.call('GET', lists[kind]!(role), { token })
    const rows: { id: number }[] = listed.statusCode === 200 ? listed.json().data : []
    if (listed.statusCode !== 200) expect(listed.statusCode).toBe(403)
    expect(found.map(({ id }) => id).sort(byNumber)).toEqual(rows.map(({ id }) => id).sort(byNumber))
    expect(found.every((hit) => hit.kind === kind)).toBe(true)
  })
})

const byNumber = (a: number, b: number) => a - b

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Index Name'?: string
  Plans?: Plan[]
}

const nodesOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]

describe('the plan of a search', () => {
  const person = [{ id: 1, score: 1 }]
  const named = { members: person, guests: person }
  const queries = {
    member: (text: string, id: number) => namedMembers(matchText(text), id),
    'own name': (text: string, id: number) => namedMembers(matchText(text), id, 1),
    guest: (text: string, id: number) => namedGuests(matchText(text), id),
    resource: (text: string, id: number) => resourceHits(matchText(text), id),
    booking: (text: string, id: number) => bookingHits(matchText(text), id, named),
    invoice: (text: string, id: number) => invoiceHits(matchText(text), id, named),
    'own invoice': (text: string, id: number) => invoiceHits(matchText(text), id, named, 1),
    course: (text: string, id: number) => courseHits(matchText(text), id),
  }
  const cases = Object.keys(queries).flatMap((kind) => ['fa', 'falcon'].map((text) => ({ kind, text })))
  test.each(cases)('reads rows of $kind for $text by an index that begins with the organization', async (one) => {
    const make = queries[one.kind as keyof typeof queries]
    // Tables this small are read whole, whatever indexes they have; this asks whether there is an index.
    const settings = { enable_seqscan: 'off' }
    const [row] = await readLimited(api.core.database, { statementMs: 10_000, settings }, (read) =>
      read(sql<{ 'QUERY PLAN': [{ Plan: Plan }] }>`explain (format json) ${make(one.text, school.organizationId)}`),
    )
    const nodes = nodesOf(row!['QUERY PLAN'][0].Plan)
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([])
    const scans = nodes.filter((node) => node['Index Name'])
    expect(scans.length).toBeGreaterThan(0)
    // Seats are found by a booking that was found, which the organization owns.
    const loose = scans.filter((node) => !/organization_id|\(reservation_id = r\.id\)/.test(node['Index Cond'] ?? ''))
    expect(loose.map((node) => `${node['Index Name']}: ${node['Index Cond']}`)).toEqual([])
  })
})
