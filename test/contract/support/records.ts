import { sql } from 'kysely'
import { newStorageKey } from '../../../src/shared/platform/adapters/storage/file-types.ts'
import { roles } from '../../../src/shared/platform/authz/roles.ts'
import { NOW, type TestApp } from '../../support/app.ts'
import {
  buildAccount,
  buildLocation,
  buildMember,
  buildPlane,
  buildRoom,
  buildSchool,
  type Member,
  type School,
} from '../../support/builders.ts'
import { asOwner } from '../../support/database.ts'
import { bookDual, closedOutFlight, dualBody, expectOk, fly, setRates } from '../../support/flights.ts'
import { mailedToken } from '../../support/mailed-tokens.ts'
import { buildBooking, buildGuest, buildInvoice, buildNotification } from '../../support/records.ts'
import { type BookingRequestRecords, buildBookingRequests } from './booking-requests.ts'
import { buildOfferings, type OfferingRecords } from './offerings.ts'
import { buildTraining, type TrainingRecords } from './training.ts'
import { buildWaitlist, type WaitlistRecords } from './waitlist.ts'

/** One record of every kind in a school, for paths and bodies to name. Where it is somebody's, it is the student's. */
export interface Records extends TrainingRecords, BookingRequestRecords, OfferingRecords, WaitlistRecords {
  school: School
  /** Has all seven roles, and a verified address. */
  everything: Member
  /** A student whom no other record names. */
  pupil: Member
  /** Has an account, a verified address and no organization. */
  stranger: Pick<Member, 'token'>
  /** Of links that were mailed and not used yet. */
  resetToken: string
  verifyToken: string
  invitationToken: string
  organization: number
  pupilAccount: number
  pupilMember: number
  /** Members without an account: one present, and one who was merged into the student. */
  managedMember: number
  mergedMember: number
  /** A member without an account for whom the student is to pay. */
  paidForMember: number
  /** An owner beside the school's. */
  ownerAccount: number
  ownerMember: number
  location: number
  group: number
  guest: number
  timeOff: number
  invitation: number
  deskGrant: number
  joinRequest: number
  ownerRequest: number
  plane: number
  /** Not booked by anybody. */
  sparePlane: number
  room: number
  file: number
  /** Dual flights of the school's instructor and student, at each stage. */
  booked: number
  rampedOut: number
  rampedIn: number
  signedOff: number
  spare: number
  /** Cancelled by the dispatcher, who made it. */
  cancelled: number
  /** It was cancelled late, and its fee is proposed. */
  cancelledLate: number
  series: number
  squawk: number
  squawkFile: number
  reminder: number
  /** A completion of another reminder. */
  completion: number
  currency: number
  /** The pupil's, with dates that count; with dates that were ended. */
  heldCurrency: number
  endedCurrency: number
  closure: number
  /** A dry run that was cancelled, and one that waits. */
  operation: number
  openOperation: number
  recovery: number
  openRecovery: number
  import: number
  /** An export whose file is there. */
  exported: number
  aboutPerson: number
  /** The student's, which they added themselves; the organization's; the pupil's. */
  document: number
  policy: number
  pupilDocument: number
  announcement: number
  /** Shared by the admin. */
  reportView: number
  webhook: number
  /** The student's, open; the flight that it bills. */
  invoice: number
  billed: number
  /** Signed off and invoiced, with figures that an admin may correct. */
  correctable: number
  /** Corrected after it was signed; another one to whose correction the student objects. */
  corrected: number
  objected: number
  /** The pupil's, on a make and model. */
  approval: number
  voidable: number
  /** Paid; its refund waits. */
  refundable: number
  /** The student's, paid, with a credit note. */
  credited: number
  partlyPaid: number
  payment: number
  creditNote: number
  /** The pupil has bought it. */
  package: number
  prepaid: number
  /** A deposit of the student's. */
  ledgerEntry: number
  /** The ledger entry of a deposit that a cashier took, whose grant is withdrawn. */
  receipt: number
  payRun: number
  notification: number
  /** An id that no record has. */
  missing: number
}

/** The names of records that are an id. */
export type RecordName = {
  [Name in keyof Records]: Records[Name] extends number ? Name : never
}[keyof Records]

const medical = { title: 'Medical', category: 'medical', fileName: 'medical.pdf' }

/** Builds a school and its records, through the interface where it is short. */
export async function buildRecords(api: TestApp): Promise<Records> {
  const school = await buildSchool(api, { settings: { approvalRequired: { student: false, renter: true } } })
  const { organizationId, admin, student } = school
  await setRates(api, school)
  const everything = await buildMember(api, organizationId, [...roles])
  const pupil = await buildMember(api, organizationId, ['student'])
  const owner = await buildMember(api, organizationId, ['owner', 'admin'])
  await knowWeather(api)
  const post = async (url: string, body: unknown) => (await expectOk<{ id: number }>(api, admin, 'POST', url, body)).id
  return {
    school,
    everything,
    pupil,
    stranger: await buildAccount(api),
    ...(await tokensFor(api, pupil)),
    organization: organizationId,
    pupilAccount: pupil.accountId,
    pupilMember: pupil.orgUserId,
    managedMember: await insertManaged(api, school, null),
    mergedMember: await insertManaged(api, school, school.student),
    paidForMember: await insertManaged(api, school, null, school.student),
    ownerAccount: owner.accountId,
    ownerMember: owner.orgUserId,
    location: (await buildLocation(api, organizationId)).id,
    group: await post('/groups', { name: 'Private pilots', orgUserIds: [student.orgUserId] }),
    guest: await buildGuest(api, school, 'gia@example.com'),
    timeOff: await timeOffOf(api, student),
    ...(await invitationOf(api, admin)),
    deskGrant: await post('/grants', { orgUserId: everything.orgUserId, grant: 'cashier' }),
    joinRequest: await joinRequestOf(api, school),
    ownerRequest: await joinRequestOf(api, school),
    plane: school.plane.id,
    sparePlane: (await buildPlane(api, school)).id,
    room: (await buildRoom(api, school)).id,
    file: await fileOn(api, school),
    ...(await flightsOf(api, school)),
    ...(await squawkOn(api, school)),
    reminder: await post('/maintenance/reminders', {
      resource: { id: school.plane.id },
      name: 'Annual',
      basis: 'calendar',
      intervalMonths: 12,
    }),
    completion: await completionOn(api, school),
    operation: await endedBulk(api, school),
    openOperation: await post('/reservations/bulk', dryRun),
    recovery: await plannedRecovery(api, school),
    openRecovery: await insertRecovery(api, school.admin),
    exported: await insertExport(api, school.owner),
    aboutPerson: await insertExport(api, everything, 'person_export'),
    import: await post('/imports', { kind: 'locations', rows: [{ name: 'Palo Alto', airport: 'KPAO' }] }),
    closure: await post('/closures', {
      start: '2027-04-01T00:00:00Z',
      end: '2027-04-02T00:00:00Z',
      reason: 'Fly-in',
      resourceId: school.plane.id,
      recurrence: { frequency: 'weekly', count: 2 },
    }),
    currency: await post('/currencies', { name: 'Checkout', kind: 'expiring' }),
    heldCurrency: await heldCurrency(api, school, pupil, 'Ramp safety'),
    endedCurrency: await endedCurrency(api, school, pupil),
    document: (await expectOk<{ id: number }>(api, student, 'POST', '/documents', medical)).id,
    policy: await post('/documents', { ...medical, category: 'insurance', orgUserId: null }),
    pupilDocument: await post('/documents', { ...medical, orgUserId: pupil.orgUserId }),
    webhook: await post('/webhooks', { url: 'https://hooks.example.com/', events: ['squawk.opened'] }),
    announcement: await post('/announcements', { title: 'Ramp closed', body: 'On Friday, for repaving.' }),
    reportView: await post('/reports/views', { name: 'Last month', report: 'utilization', shared: true }),
    ...(await billedFlightOf(api, school)),
    approval: await post('/approvals', { orgUserId: pupil.orgUserId, make: 'Cessna', model: '172S' }),
    voidable: await buildInvoice(api, school, { payer: pupil, number: 32 }),
    refundable: await buildInvoice(api, school, { payer: pupil, number: 33, status: 'paid', refundWaiting: true }),
    ...(await creditOf(api, school)),
    package: await packageOf(api, school, pupil),
    ...(await partlyPaidOf(api, school)),
    prepaid: await prepaidOf(api, school),
    payRun: await paidOf(api, school),
    correctable: await correctableOf(api, school, 18),
    ...(await correctedOf(api, school)),
    receipt: await receiptOf(api, school),
    ledgerEntry: await post(`/orgUsers/${student.orgUserId}/ledger`, { kind: 'deposit', amountCents: 10_000 }),
    ...(await buildTraining(api, school, pupil)),
    ...(await buildBookingRequests(api, school)),
    ...(await buildOfferings(api, school)),
    ...(await buildWaitlist(api, school)),
    notification: await buildNotification(api, student),
    missing: 2_000_000_000,
  }
}

async function heldCurrency(api: TestApp, { admin }: School, pupil: Member, name: string): Promise<number> {
  const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/currencies', { name, kind: 'expiring' })
  const body = { completedAt: '2026-11-02T15:00:00Z', expiresAt: null }
  await expectOk(api, admin, 'PUT', `/orgUsers/${pupil.orgUserId}/currencies/${id}`, body)
  return id
}

async function endedCurrency(api: TestApp, school: School, pupil: Member): Promise<number> {
  const id = await heldCurrency(api, school, pupil, 'Security awareness')
  const url = `/orgUsers/${pupil.orgUserId}/currencies/${id}/end`
  await expectOk(api, school.admin, 'POST', url, { on: '2026-11-10', because: 'condition' })
  return id
}

/** Two hours of a day of December 2026. */
function on(day: number) {
  return { start: `2026-12-${day}T10:00:00Z`, end: `2026-12-${day}T12:00:00Z` }
}

async function flightsOf(api: TestApp, school: School) {
  const signedOff = await closedOutFlight(api, school, on(11))
  const rampedIn = await bookDual(api, school, on(12))
  await fly(api, school, rampedIn)
  const other = await buildPlane(api, school)
  const rampedOut = await bookDual(api, school, { ...on(13), extra: { resource: { id: other.id } } })
  const readings = { hobbsTimeOut: 1002.8, tachTimeOut: 902.4 }
  await expectOk(api, school.instructor, 'POST', `/reservations/${rampedOut}/rampOut`, readings)
  return {
    signedOff,
    rampedIn,
    rampedOut,
    booked: await bookDual(api, school, on(14)),
    spare: await bookDual(api, school, on(15)),
    cancelled: await cancelledOf(api, school),
    cancelledLate: await cancelledLateOf(api, school),
    series: await seriesOf(api, school),
  }
}

async function cancelledOf(api: TestApp, school: School): Promise<number> {
  const id = await bookDual(api, school, on(17))
  await api.as(school.dispatcher).delete(`/reservations/${id}`, { reason: 'Fog', category: 'weather' })
  return id
}

/** A booking that the student cancelled late, with its proposed fee. */
async function cancelledLateOf(api: TestApp, school: School): Promise<number> {
  const id = await bookDual(api, school, on(19))
  await api.as(school.dispatcher).delete(`/reservations/${id}`, { reason: 'Overslept', category: 'student' })
  await api.core.database.pool.query(
    `insert into cancellation_fee (organization_id, reservation_id, cancelled_at, membership_id, cents, charge_at)
     select organization_id, id, cancelled_at, $2, 5000, cancelled_at + interval '24 hours' from reservation where id = $1`,
    [id, school.student.orgUserId],
  )
  return id
}

async function seriesOf(api: TestApp, school: School): Promise<number> {
  const weekly = { recurrence: { frequency: 'weekly', count: 3 } }
  const body = dualBody(school, { start: '2027-01-10T10:00:00Z', end: '2027-01-10T12:00:00Z', extra: weekly })
  const [first] = await expectOk<{ series: { id: number } }[]>(api, school.dispatcher, 'POST', '/reservations', body)
  return first?.series.id ?? 0
}

function prepaidOf(api: TestApp, school: School): Promise<number> {
  const extra = { collectionStyle: 'prepaid_fixed', prepaidAmountCents: 19_900 }
  return bookDual(api, school, { start: '2026-12-16T10:00:00Z', end: '2026-12-16T12:00:00Z', extra })
}

async function paidOf(api: TestApp, school: School): Promise<number> {
  const payRates = { flight: 4_500, ground: 3_000 }
  await expectOk(api, school.admin, 'PATCH', `/orgUsers/${school.instructor.orgUserId}`, { payRates })
  const december = { startDate: '2026-12-01', endDate: '2026-12-31' }
  return (await expectOk<{ id: number }>(api, school.admin, 'POST', '/payRuns', december)).id
}

async function creditOf(api: TestApp, school: School) {
  const credited = await buildInvoice(api, school, { payer: school.student, number: 34, status: 'paid' })
  const body = { amountCents: 500, reason: 'The headset failed', refund: 'none' }
  const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', `/invoices/${credited}/creditNotes`, body)
  return { credited, creditNote: id }
}

async function packageOf(api: TestApp, school: School, { orgUserId }: Member): Promise<number> {
  const body = { name: 'Ten hours', priceCents: 160_000, grant: { deciHours: 100 } }
  const { id } = await expectOk<{ id: number }>(api, school.admin, 'POST', '/packages', body)
  await expectOk(api, school.admin, 'POST', `/packages/${id}/purchases`, { orgUserId })
  return id
}

async function partlyPaidOf(api: TestApp, school: School) {
  const partlyPaid = await buildInvoice(api, school, { payer: school.student, number: 35 })
  const body = { amountCents: 2_000, method: 'check', reference: 'Check 1042' }
  const path = `/invoices/${partlyPaid}/payments`
  const { payments } = await expectOk<{ payments: { id: number }[] }>(api, school.admin, 'POST', path, body)
  return { partlyPaid, payment: payments[0]!.id }
}

async function billedFlightOf(api: TestApp, school: School) {
  const seats = [
    { side: 'instructors' as const, member: school.instructor },
    { side: 'students' as const, member: school.student },
  ]
  const billed = await buildBooking(api, school, { seats, fromHour: 48, signedOff: true })
  const invoice = await buildInvoice(api, school, { payer: school.student })
  await api.core.database.db.updateTable('invoice').set({ reservation_id: billed }).where('id', '=', invoice).execute()
  return { billed, invoice }
}

/** A flight of an aircraft of its own, whose invoice stands: here no job issues it. */
async function correctableOf(api: TestApp, school: School, day: number): Promise<number> {
  const plane = await buildPlane(api, school)
  const flown = { ...school, plane }
  const id = await closedOutFlight(api, flown, on(day))
  const invoices = await expectOk<{ id: number }[]>(api, school.admin, 'POST', `/reservations/${id}/invoices`)
  const { db } = api.core.database
  const issued = { status: 'open' as const, number: 100 + day }
  await db
    .updateTable('invoice')
    .set(issued)
    .where(
      'id',
      'in',
      invoices.map((invoice) => invoice.id),
    )
    .execute()
  return id
}

async function correctedOf(api: TestApp, school: School): Promise<{ corrected: number; objected: number }> {
  const [corrected, objected] = [await correctableOf(api, school, 22), await correctableOf(api, school, 23)]
  // Who corrected a flight closes no objection to it.
  const corrector = await buildMember(api, school.organizationId, ['admin'])
  for (const id of [corrected, objected]) {
    const { hobbsTimeOut } = await expectOk<{ hobbsTimeOut: number }>(api, school.admin, 'GET', `/reservations/${id}`)
    const readings = { hobbsTimeOut, hobbsTimeIn: hobbsTimeOut + 1 }
    const body = { readings, reason: 'Read wrong', refund: 'none' }
    await expectOk(api, corrector, 'POST', `/reservations/${id}/correct`, body)
  }
  await expectOk(api, school.student, 'POST', `/reservations/${objected}/objections`, { note: 'It was 1.4 h' })
  return { corrected, objected }
}

async function timeOffOf(api: TestApp, member: Member): Promise<number> {
  const body = { start: '2027-01-04T00:00:00Z', end: '2027-01-05T00:00:00Z', reason: 'Skiing' }
  return (await expectOk<{ id: number }>(api, member, 'POST', '/availability/timeOff', body)).id
}

async function tokensFor(api: TestApp, pupil: Member) {
  const newcomer = await buildAccount(api, { verified: false })
  await expectOk(api, newcomer, 'POST', '/auth/verify-email/resend')
  await expectOk(api, pupil, 'POST', '/auth/forgot-password', { email: pupil.email })
  return {
    verifyToken: await mailedToken(api, newcomer.email, 'verify_email'),
    resetToken: await mailedToken(api, pupil.email, 'reset_password'),
  }
}

async function invitationOf(api: TestApp, admin: Member) {
  const email = `invited.${admin.orgUserId}@example.com`
  await expectOk(api, admin, 'POST', '/organizations/invite', { email, student: true })
  const [invitation] = await expectOk<{ id: number }[]>(api, admin, 'GET', '/organizations/invitations')
  return { invitation: invitation?.id ?? 0, invitationToken: await mailedToken(api, email, 'invitation') }
}

async function joinRequestOf(api: TestApp, { organizationId }: School): Promise<number> {
  const { db } = api.core.database
  const stranger = await buildMember(api, organizationId, [])
  await asOwner(api, 'delete from membership where id = $1', [stranger.orgUserId])
  const { id } = await db
    .insertInto('join_request')
    .values({ organization_id: organizationId, account_id: stranger.accountId })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function fileOn(api: TestApp, { admin, plane }: School): Promise<number> {
  const body = { category: 'poh', fileNames: ['handbook.pdf'] }
  const [file] = await expectOk<{ id: number }[]>(api, admin, 'POST', `/resources/${plane.id}/files`, body)
  return file?.id ?? 0
}

/** A squawk that the student reported, with a picture. */
async function squawkOn(api: TestApp, { student, plane }: School): Promise<Pick<Records, 'squawk' | 'squawkFile'>> {
  const url = '/maintenance/squawks'
  const { id } = await expectOk<{ id: number }>(api, student, 'POST', url, {
    resource: { id: plane.id },
    title: 'Left brake drags',
  })
  const body = { fileNames: ['brake.jpg'] }
  const [file] = await expectOk<{ id: number }[]>(api, student, 'POST', `${url}/${id}/files`, body)
  return { squawk: id, squawkFile: file?.id ?? 0 }
}

/** A completion that counts, of a reminder whose later one was undone. */
async function completionOn(api: TestApp, { admin, plane }: School): Promise<number> {
  const body = { resource: { id: plane.id }, name: 'Oil', basis: 'calendar', intervalMonths: 6 }
  const url = '/maintenance/reminders'
  const { id } = await expectOk<{ id: number }>(api, admin, 'POST', url, body)
  for (const notes of ['First', 'Again']) await expectOk(api, admin, 'POST', `${url}/${id}/complete`, { notes })
  const [later, first] = await expectOk<{ id: number }[]>(api, admin, 'GET', `${url}/${id}/history`)
  const undone = { token: admin.token, body: { reason: 'Typing error' } }
  await api.call('DELETE', `/maintenance/completions/${later?.id}`, undone)
  return first?.id ?? 0
}

/** Reports of the school's airport, as the source gave them now. */
async function knowWeather({ core }: TestApp): Promise<void> {
  await core.database.pool.query(
    `insert into weather_station (station, metar, fetched_at)
     values ('KHWD', 'METAR KHWD 211154Z 28008KT 10SM CLR 18/11 A3002', now())
     on conflict (station) do update set fetched_at = now()`,
  )
}

const dryRun = {
  filter: { startDate: '2026-01-01T00:00:00Z', endDate: '2026-12-31T00:00:00Z' },
  action: { move: { minutes: 30 } },
  dryRun: true,
}

async function endedBulk(api: TestApp, { admin }: School): Promise<number> {
  const { id } = await expectOk<{ id: number }>(api, admin, 'POST', '/reservations/bulk', dryRun)
  await api.as(admin).delete(`/operations/${id}`)
  return id
}

/** Inserts a recovery whose plan gives a booking a later start, to which nobody has to agree. */
async function plannedRecovery(api: TestApp, school: School): Promise<number> {
  const id = await insertRecovery(api, school.admin)
  const { start, end } = on(19)
  const booking = await bookDual(api, school, { start, end })
  const place = { resourceId: school.plane.id, instructorOrgUserId: school.instructor.orgUserId }
  const detail = {
    from: { ...place, start, end },
    to: { ...place, start: end, end: '2026-12-19T14:00:00Z' },
    consent: [],
    points: 100,
    problems: [],
  }
  await api.core.database.pool.query(
    `with counted as (update operation set total = 1 where id = $2)
     insert into operation_row (organization_id, operation_id, number, subject_id, outcome, detail)
     values ($1, $2, 1, $3, 'time', $4)`,
    [school.organizationId, id, booking, JSON.stringify(detail)],
  )
  return id
}

/** Inserts a recovery whose plan is ready, without rows. */
async function insertRecovery(api: TestApp, { organizationId, orgUserId }: Member): Promise<number> {
  const { rows } = await api.core.database.pool.query(
    `with made as (
       insert into operation (organization_id, kind, status, started_by, atomic, total, input, ended_at)
       values ($1, 'recovery', 'done', $2, false, 0, '{}', now()) returning id)
     insert into recovery (organization_id, operation_id, cause, reach, starts_at, ends_at, status, basis, gap_tenths, planned_at)
     select $1, id, '{"reservationIds":[]}', '{"days":3,"instructors":"own","pools":"model"}', $3, $3::timestamptz + interval '1 day',
       'ready', 'exact', 0, $3 from made returning operation_id`,
    [organizationId, orgUserId, NOW],
  )
  return rows[0].operation_id
}

/** Inserts an export that is done, with its file: of the organization, or about who started it. */
async function insertExport(
  api: TestApp,
  { organizationId: organization_id, orgUserId }: Member,
  kind: 'export' | 'person_export' = 'export',
): Promise<number> {
  const { db } = api.core.database
  const { id: operation_id } = await db
    .insertInto('operation')
    .values({
      organization_id,
      kind,
      status: 'done',
      started_by: orgUserId,
      atomic: false,
      total: 0,
      input: sql`'{}'` as never,
      started_at: api.clock.now,
      ended_at: api.clock.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const storage_key = newStorageKey(organization_id, 'export.zip')
  await db.insertInto('operation_file').values({ organization_id, operation_id, storage_key, size_bytes: 22 }).execute()
  return operation_id
}

/** Inserts a member without an account, present or merged into another. */
async function insertManaged(
  api: TestApp,
  school: School,
  mergedInto: Member | null,
  billTo: Member | null = null,
): Promise<number> {
  const at = mergedInto && api.clock.now
  const row = await api.core.database.db
    .insertInto('membership')
    .values({
      organization_id: school.organizationId,
      search_name: 'Mia Managed',
      student: true,
      bill_to_id: billTo?.orgUserId ?? null,
      merged_into: mergedInto?.orgUserId ?? null,
      merged_at: at,
      removed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

async function receiptOf(api: TestApp, { admin, dispatcher, technician }: School): Promise<number> {
  const body = { orgUserId: dispatcher.orgUserId, grant: 'cashier' }
  const grant = await expectOk<{ id: number }>(api, admin, 'POST', '/grants', body)
  const deposit = { kind: 'deposit', amountCents: 100 }
  const path = `/orgUsers/${technician.orgUserId}/ledger`
  const { id } = await expectOk<{ id: number }>(api, dispatcher, 'POST', path, deposit)
  await api.as(admin).delete(`/grants/${grant.id}`)
  return id
}
