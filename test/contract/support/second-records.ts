import type { TestApp } from '../../support/app.ts'
import { judgeSoFar } from '../../support/at-risk.ts'
import { buildLocation, buildRoom, buildSimulator } from '../../support/builders.ts'
import { bookDual, expectOk } from '../../support/flights.ts'
import { buildListedSchool, offer } from '../../support/offerings.ts'
import { buildBooking, buildGuest, buildInvoice, buildNotification } from '../../support/records.ts'
import type { Records } from './records.ts'

/** Adds a second record where `buildRecords` builds one, so that every list has more than one row. */
export async function buildSecondRecords(api: TestApp, records: Records): Promise<void> {
  const { school, reminder, pupil } = records
  const { admin, student, plane, organizationId } = school
  const post = (url: string, body: unknown, who = admin) => expectOk<unknown>(api, who, 'POST', url, body)
  await buildLocation(api, organizationId, { name: 'Ames' })
  await buildRoom(api, school)
  await buildSimulator(api, school)
  await buildSimulator(api, school)
  await buildGuest(api, school, 'zoe@example.com')
  const listed = await buildListedSchool(api)
  await offer(api, school)
  for (const member of [student, records.everything]) {
    for (const body of ['Tomorrow', 'The day after']) await buildNotification(api, member, { body })
    await post('/availability/timeOff', { start: '2027-02-04T00:00:00Z', end: '2027-02-05T00:00:00Z' }, member)
  }
  for (const fromHour of [600, 700]) {
    const id = await buildBooking(api, school, { seats: [{ side: 'students', member: pupil }], fromHour })
    await api.core.database.pool.query(
      'update reservation set ramped_out_at = now(), ramped_in_at = now(), hobbs_out = 0, hobbs_in = 140 where id = $1',
      [id],
    )
  }
  await buildInvoice(api, school, { payer: pupil, number: 77 })
  await post(`/invoices/${records.credited}/creditNotes`, { amountCents: 300, reason: 'And again', refund: 'none' })
  for (const month of ['10', '11'])
    await post('/payRuns', { startDate: `2026-${month}-01`, endDate: `2026-${month}-30` })
  await post('/packages', { name: 'Credit', priceCents: 90_000, grant: { amountCents: 100_000 } })
  await post(`/packages/${records.package}/purchases`, { orgUserId: pupil.orgUserId })
  await post('/groups', { name: 'Instrument pilots', orgUserIds: [] })
  const spare = { ...school, plane: { ...plane, id: records.sparePlane } }
  for (const day of ['2026-12-02', '2026-12-03'])
    await bookDual(api, spare, { start: `${day}T10:00:00Z`, end: `${day}T12:00:00Z` })
  const closed = { start: '2026-12-02T00:00:00Z', end: '2026-12-04T00:00:00Z', reason: 'In the paint shop' }
  await post('/closures', { ...closed, resourceId: records.sparePlane })
  await post('/orgUsers', {
    name: 'Second Managed',
    email: `managed.${admin.orgUserId}@example.com`,
    externalId: 'M-2',
  })
  await post('/organizations/invite', { email: `second.${admin.orgUserId}@example.com`, student: true })
  await post(`/resources/${plane.id}/files`, { category: 'poh', fileNames: ['second.pdf'] })
  for (const userId of [student.accountId, pupil.accountId]) {
    for (const id of [plane.id, records.sparePlane]) await post(`/resources/${id}/approve`, { userId })
  }
  await post('/maintenance/squawks', { resource: { id: plane.id }, title: 'Radio hums' })
  for (const name of ['Transponder', 'Annual']) {
    await post('/maintenance/reminders', { resource: { id: plane.id }, name, basis: 'calendar', intervalMonths: 24 })
  }
  for (const notes of ['First', 'Again']) {
    await post(`/maintenance/reminders/${reminder}/complete`, { doneAt: '2026-11-01T00:00:00Z', notes })
  }
  await post('/currencies', { name: 'Spin training', kind: 'expiring' })
  await post('/announcements', { title: 'Pancakes', body: 'On Sunday.', pinned: true })
  for (const amountCents of [5_000, 6_000]) {
    await post(`/orgUsers/${pupil.orgUserId}/ledger`, { kind: 'deposit', amountCents })
  }
  await post('/training/courses', { name: 'Instrument rating' })
  await post('/grants', { orgUserId: school.instructor.orgUserId, grant: 'cashier' })
  await post('/training/grants', { orgUserId: student.orgUserId, grant: 'auditor' })
  await post('/reports/views', { name: 'This month', report: 'utilization', shared: true })
  await post('/webhooks', { url: 'https://hooks.example.com/second', events: ['squawk.opened'] })
  for (let sent = 0; sent < 2; sent++) await api.as(admin).post(`/webhooks/${records.webhook}/test`)
  const pattern = [1, 2].map((dayOfWeek) => ({ dayOfWeek, startMinute: 480, endMinute: 720 }))
  for (const { orgUserId } of [pupil, school.renter]) {
    const written = await api.as(admin).patch(`/orgUsers/${orgUserId}/availability`, { availability: pattern })
    if (written.statusCode !== 200) throw new Error(written.body)
  }
  const { pool } = api.core.database
  await pool.query(
    `insert into offer (organization_id, source, entry_id, membership_id, type, starts_at, ends_at, resource_id, made_at,
       expires_at, holds_until, status, ended_at)
     select organization_id, 'waitlist', $1, membership_id, type, starts_at + interval '1 day', ends_at + interval '1 day',
       resource_id, made_at, expires_at, holds_until, 'expired', expires_at
     from offer where id = $2`,
    [records.waitlistEntry, records.offer],
  )
  await pool.query('insert into membership (organization_id, account_id, student) values ($1, $2, true)', [
    listed.organizationId,
    records.everything.accountId,
  ])
  await pool.query(
    `insert into endorsement (organization_id, membership_id, title, rendered_text, signed_by, signer_certificate_number)
     select organization_id, membership_id, 'Second', 'Second', signed_by, signer_certificate_number
     from endorsement where id = $1`,
    [records.endorsement],
  )
  for (const code of ['A.6', 'A.8']) {
    await pool.query(
      `insert into endorsement (organization_id, membership_id, title, rendered_text, signed_by, template_code,
         template_edition) values ($1, $2, 'Solo', 'Solo', $3, $4, 'AC 61-65K')`,
      [organizationId, student.orgUserId, pupil.orgUserId, code],
    )
  }
  for (const kind of ['reservation.confirmed', 'reservation.logged']) {
    await pool.query(
      `insert into event (organization_id, id, at, kind, actor_kind, subject_kind, subject_id)
       values ($1, gen_random_uuid(), now(), $2, 'system', 'reservation', $3)`,
      [organizationId, kind, records.booked],
    )
  }
  await pool.query(
    `insert into offering (organization_id, name, duration_minutes, price_cents, collection_style)
     select organization_id, 'Second flight', duration_minutes, price_cents, collection_style
     from offering where id = $1`,
    [records.publicOffering],
  )
  await judgeSoFar(api, organizationId)
}
