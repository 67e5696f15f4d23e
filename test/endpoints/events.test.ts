import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordCardRemoved } from '../../src/shared/billing/cards/record-card.ts'
import { lockInvoice } from '../../src/shared/billing/invoices/invoice.access.ts'
import { recordNotInvoiced } from '../../src/shared/billing/invoices/invoice-signed-off.ts'
import { recordDispute } from '../../src/shared/billing/payments/record-dispute.ts'
import { hashPassword } from '../../src/shared/identity/accounts/hash-password.ts'
import { recordWideReading } from '../../src/shared/identity/members/record-wide-reading.ts'
import type { Actor } from '../../src/shared/platform/authz/actor.ts'
import { eventKinds } from '../../src/shared/platform/contracts/event-kinds.ts'
import { inTransaction } from '../../src/shared/platform/db/transaction.ts'
import { emit } from '../../src/shared/platform/events/emit.ts'
import type { Cents } from '../../src/shared/platform/kernel/units.ts'
import { signOutOwner } from '../../src/shared/workflows/change-owners.ts'
import { matrix } from '../contract/authorization-matrix.ts'
import type { Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import { inOrder, send } from '../contract/support/walk.ts'
import type { TestApp } from '../support/app.ts'
import { buildAccount, buildMember, writeSettings } from '../support/builders.ts'
import { expectOk } from '../support/flights.ts'
import { mailedToken } from '../support/mailed-tokens.ts'
import { work } from '../support/operations.ts'
import { buildBooking, buildInvoice } from '../support/records.ts'
import { planned } from '../support/recoveries.ts'

/** What would take the log along, or its caller. */
const ending = new Set(['DELETE /organizations', 'DELETE /users'])

let api: TestApp
let records: Records
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
  await beside(records)
  const rows = inOrder(matrix.filter(({ endpoint }) => !ending.has(endpoint)))
  for (const row of rows) await send(api, row, records, records.everything.token)
})
afterAll(() => api.close())

/** What the calls of the matrix leave out. */
async function beside(records: Records): Promise<void> {
  const { school, everything, pupil, pupilDocument, sparePlane, endorsementToConfirm, endorsementToDisown } = records
  const endorsements = '/training/endorsements'
  await expectOk(api, school.instructor, 'POST', `${endorsements}/${endorsementToConfirm}/confirm`, {})
  await expectOk(api, school.instructor, 'POST', `${endorsements}/${endorsementToDisown}/disown`, {})
  const member = `/orgUsers/${pupil.orgUserId}`
  await expectOk(api, everything, 'PATCH', member, { externalId: 'P-1' })
  await expectOk(api, everything, 'PATCH', member, { grounded: true, groundedReason: 'Heart surgery' })
  await expectOk(api, everything, 'PATCH', member, {
    grounded: false,
    instructionRates: { flight: 6_000 },
    payRates: { sim: 3_500 },
  })
  for (const grounded of [true, false]) {
    await expectOk(api, everything, 'PATCH', `/resources/${sparePlane}/grounding`, { grounded, reason: 'Oil leak' })
  }
  const described = { type: { plane: {} }, endorsedAs: ['Trainer'], pool: 'Spare aircraft' }
  await expectOk(api, everything, 'PATCH', `/resources/${sparePlane}`, described)
  await planned(api, everything, { reservationIds: [records.booked] })
  await expectOk(api, everything, 'GET', '/reports/insurance')
  await expectOk(api, everything, 'GET', '/reports/stalled')
  const packet = `/training/enrollments/${records.enrollment}/packetDocuments`
  await expectOk(api, school.student, 'PUT', packet, { documents: [] })
  await refusedRampOut(records)
  await expectOk(api, everything, 'PATCH', `/documents/${pupilDocument}`, { status: 'rejected' })
  await joining(everything)
  await claiming(everything)
  await exporting(everything)
  await overridden(records)
  await atTheCounter(records)
  for (const instructorOrgUserId of [null, school.instructor.orgUserId]) {
    await expectOk(api, everything, 'PATCH', `/training/enrollments/${records.enrollment}`, { instructorOrgUserId })
  }
  const preferences = [{ kind: 'squawk_opened', email: false }]
  await expectOk(api, everything, 'PATCH', '/notifications/preferences', { preferences })
  const grant = { orgUserId: school.instructor.orgUserId, grant: 'auditor' }
  const { id } = await expectOk<{ id: number }>(api, everything, 'POST', '/training/grants', grant)
  await api.call('DELETE', `/training/grants/${id}`, { token: everything.token })
  const leaving = await buildMember(api, school.organizationId, ['student'])
  const seats = [
    { side: 'instructors' as const, member: school.instructor },
    { side: 'students' as const, member: school.student },
    { side: 'students' as const, member: leaving },
  ]
  await buildBooking(api, school, { seats, fromHour: 24 * 60 })
  await api.call('DELETE', `/orgUsers/${leaving.orgUserId}?cancelBookings=true`, { token: everything.token })
  const password_hash = await hashPassword('correct horse battery')
  const { db } = api.core.database
  await db.updateTable('account').set({ password_hash }).where('id', '=', pupil.accountId).execute()
  await api.call('POST', '/auth', { body: { email: pupil.email, password: 'a wrong one' } })
  const { email } = school.owner
  await inTransaction(api.core.database, api.core.clock, (tx) => signOutOwner(tx, { osUser: 'root' }, email))
  const { organizationId } = school
  const reader = { ...pupil, roles: {} } as unknown as Actor
  await inTransaction(api.core.database, api.core.clock, (tx) => recordWideReading(tx, reader))
  const admin = { ...everything, roles: {} } as unknown as Actor
  await inTransaction(api.core.database, api.core.clock, (tx) => recordCardRemoved(tx, admin, pupil.orgUserId))
  await expectOk(api, pupil, 'PATCH', member, { autopay: true })
  await notifyOfAutopay(organizationId)
  const reason = 'There is nothing to bill.'
  await inTransaction(api.core.database, api.core.clock, async (tx) =>
    recordNotInvoiced(tx, { organizationId, reservationId: 1, reason }),
  )
  await inTransaction(api.core.database, api.core.clock, async (tx) => {
    const invoice = await lockInvoice(tx, organizationId, records.partlyPaid)
    recordDispute(tx, invoice!, {
      disputes: [{ status: 'open', amountCents: 1_000 as Cents, evidenceDueAt: new Date('2026-12-05T23:59:59Z') }],
    })
  })
}

/** Somebody on a booking of a school with no-shows is refused its ramp-out. */
async function refusedRampOut({ school }: Records): Promise<void> {
  const seats = [{ side: 'students' as const, member: school.student }]
  const id = await buildBooking(api, school, { seats, fromHour: 400 })
  await writeSettings(api, school.organizationId, { noShowMinutes: 30 })
  const refused = await api.as(school.student).post(`/reservations/${id}/rampOut`, { hobbsTimeOut: 1 })
  expect(refused.statusCode, refused.body).toBe(400)
  await writeSettings(api, school.organizationId, { noShowMinutes: null })
}

/** A cashier reads accounts, and asks for the reversal of a payment. */
async function atTheCounter({ school, everything }: Records): Promise<void> {
  const { dispatcher, student, organizationId } = school
  await expectOk(api, everything, 'POST', '/grants', { orgUserId: dispatcher.orgUserId, grant: 'cashier' })
  await expectOk(api, dispatcher, 'GET', `/orgUsers/${student.orgUserId}/statement`)
  await expectOk(api, dispatcher, 'GET', '/reports/balances')
  const id = await buildInvoice(api, school, { payer: student, number: 91, totalCents: 900 })
  const body = { amountCents: 900, method: 'cash' }
  type Paid = { payments: { id: number }[] }
  const { payments } = await expectOk<Paid>(api, dispatcher, 'POST', `/invoices/${id}/payments`, body)
  await writeSettings(api, organizationId, { refundApprovalCents: 1 })
  const reason = { reason: 'Typed twice' }
  await expectOk(api, dispatcher, 'POST', `/invoices/${id}/payments/${payments[0]!.id}/reverse`, reason)
  await writeSettings(api, organizationId, { refundApprovalCents: null })
}

/** A card is declined, a payer is asked, and other things that no request does alone. */
async function notifyOfAutopay(organizationId: number): Promise<void> {
  const { database, clock } = api.core
  const by = { organizationId, orgUserId: null }
  const [{ id } = { id: 0 }] = await query<{ id: number }>(
    'select id from invoice where membership_id is not null limit 1',
  )
  const subject = { kind: 'invoice', id } as const
  await inTransaction(database, clock, async (tx) =>
    emit(tx, by, { kind: 'autopay.payer_asked', subject, after: { because: 'bank' } }),
  )
  await inTransaction(database, clock, async (tx) => {
    // A payer's late cancellation, their objection, and the job that charges.
    const fee = { kind: 'reservation', id: 1 } as const
    emit(tx, by, { kind: 'fee.proposed', subject: fee, after: {} })
    emit(tx, by, { kind: 'fee.objected', subject: fee, after: {} })
    emit(tx, by, { kind: 'fee.charged', subject: fee, after: {} })
  })
  await inTransaction(database, clock, async (tx) =>
    emit(tx, by, { kind: 'autopay.declined', subject, after: { attempt: 1, last: false } }),
  )
  // Lines change while a payer pays, and what is too much goes back: jobs and the payment gateway do that.
  await inTransaction(database, clock, async (tx) => {
    emit(tx, by, { kind: 'invoice.changed', subject, after: { totalCents: 1_000, own: false } })
    emit(tx, by, { kind: 'invoice.reissued', subject, after: { totalCents: 1_000, dueCents: 500 } })
    emit(tx, by, { kind: 'invoice.payment_returned', subject, after: { amountCents: 500 } })
  })
  const [document = { id: 0 }] = await query<{ id: number }>('select id from document limit 1')
  const verified = { kind: 'document', id: document.id } as const
  // The file of a document is in the storage only after an upload.
  await inTransaction(database, clock, async (tx) =>
    emit(tx, by, { kind: 'document.verified', subject: verified, after: { status: 'verified' } }),
  )
  // A job makes offers and ends them, and an earlier call of the matrix may have withdrawn the one that is there.
  const [offer = { id: 0 }] = await query<{ id: number }>('select id from offer limit 1')
  await inTransaction(database, clock, async (tx) => {
    const kinds = ['offer.made', 'offer.accepted', 'offer.declined', 'offer.expired', 'offer.withdrawn'] as const
    for (const kind of kinds) {
      emit(tx, by, { kind, subject: { kind: 'offer', id: offer.id }, after: { start: clock() } })
    }
    const [booking = { id: 0 }] = await query<{ id: number }>('select id from reservation limit 1')
    const booked = { kind: 'reservation', id: booking.id } as const
    emit(tx, by, { kind: 'reservation.offer_accepted', subject: booked, after: { how: 'phone' } })
    emit(tx, by, { kind: 'reservation.consent_given', subject: booked, after: { how: 'phone' } })
  })
}

/** The desk books an instructor who is away. */
async function overridden({ school, everything }: Records): Promise<void> {
  const away = { start: '2027-01-20T00:00:00Z', end: '2027-01-21T00:00:00Z', reason: 'Away' }
  await expectOk(api, school.instructor, 'POST', '/availability/timeOff', away)
  const personnel = {
    instructors: [{ orgUserId: school.instructor.orgUserId }],
    students: [{ orgUserId: school.student.orgUserId }],
  }
  await expectOk(api, everything, 'POST', '/reservations', {
    title: 'Ground school',
    type: 'ground',
    timeZoneName: 'UTC',
    personnel,
    start: '2027-01-20T10:00:00Z',
    end: '2027-01-20T11:00:00Z',
    overrides: [{ rule: 'availability', reason: 'Comes in for it, agreed by phone' }],
  })
}

/** Two ask to join: one is declined, one is let in. */
async function joining(admin: Records['everything']): Promise<void> {
  const { code } = await expectOk<{ code: string }>(api, admin, 'PATCH', '/organizations', { private: true })
  for (const decision of ['decline', 'approve']) {
    const stranger = await buildAccount(api)
    const asked = await api.call('POST', `/organizations/join/${code}`, { token: stranger.token })
    const path = `/organizations/joinRequests/${asked.json().data.id}/${decision}`
    expect((await api.call('POST', path, { token: admin.token, body: {} })).statusCode).toBe(200)
  }
}

/** One takes over a managed membership; another joins, whose address a managed member has, who is merged. */
async function claiming(admin: Records['everything']): Promise<void> {
  const [claiming, joins] = [await buildAccount(api), await buildAccount(api)]
  const { id: orgUserId } = await expectOk<{ id: number }>(api, admin, 'POST', '/orgUsers', {
    name: 'Claimed',
    email: claiming.email,
  })
  const kept = await expectOk<{ id: number }>(api, admin, 'POST', '/orgUsers', { name: 'Namesake', email: joins.email })
  await expectOk(api, admin, 'POST', '/organizations/invite', { orgUserId })
  const token = await mailedToken(api, claiming.email, 'invitation')
  await expectOk(api, claiming, 'POST', '/organizations/invitations/accept', { token })
  const { code } = await expectOk<{ code: string }>(api, admin, 'PATCH', '/organizations', { private: false })
  await expectOk(api, joins, 'POST', `/organizations/join/${code}`)
  await expectOk(api, admin, 'POST', `/orgUsers/${kept.id}/merge`, { intoOrgUserId: orgUserId })
  await expectOk(api, admin, 'POST', `/orgUsers/${kept.id}/erase`, { reason: 'Asked for it' })
}

/** All records are exported and downloaded, and what is held about one person. */
async function exporting(admin: Records['everything']): Promise<void> {
  for (const path of ['/exports', '/users/export']) {
    const { id } = await expectOk<{ id: number }>(api, admin, 'POST', path, {})
    await work(api, { organizationId: admin.organizationId, operationId: id })
    await expectOk(api, admin, 'POST', `/exports/${id}/download`, {})
  }
}

async function query<Row>(text: string): Promise<Row[]> {
  return (await api.core.database.pool.query(text)).rows as Row[]
}

describe('the event log, after every call of the interface', () => {
  test('has an event of every kind', async () => {
    const rows = await query<{ kind: string }>('select distinct kind from event')
    const kinds = new Set(rows.map(({ kind }) => kind))
    expect(Object.keys(eventKinds).filter((kind) => !kinds.has(kind))).toEqual([])
  })

  test('has listed keys only, and in them no address, telephone number, token, text of a person or medical detail', async () => {
    const rows = await query<{ kind: keyof typeof eventKinds; keys: string[]; figures: string }>(`
      select kind, figures::text, array(select jsonb_object_keys(figures)) as keys
        from event cross join lateral (select coalesce(before, '{}') || coalesce(after, '{}')) as e (figures)`)
    expect(rows.length).toBeGreaterThan(50)
    const listed = (kind: keyof typeof eventKinds): readonly string[] => eventKinds[kind].keys
    expect(rows.filter(({ kind, keys }) => keys.some((key) => !listed(kind).includes(key)))).toEqual([])
    const texts = rows.map(({ figures }) => figures).join('\n')
    expect(texts).not.toMatch(/@|\+1 |eyJ|argon|scrypt|\$|Heart|surgery|Oil leak|Bounced|brake/)
  })
})
