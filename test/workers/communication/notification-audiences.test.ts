import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type NotificationKind,
  notificationKinds,
} from '../../../src/shared/communication/notifications/notification-kinds.rules.ts'
import type { EventKind } from '../../../src/shared/platform/contracts/event-kinds.ts'
import type { SubjectKind } from '../../../src/shared/platform/contracts/subject-kinds.ts'
import { cents, hundredths, tenths } from '../../../src/shared/platform/kernel/units.ts'
import type { TestApp } from '../../support/app.ts'
import { testedBackends } from '../../support/backends.ts'
import { insertGuestRequest } from '../../support/booking-requests.ts'
import {
  buildAccount,
  buildLocation,
  buildMember,
  buildSchool,
  type Member,
  type School,
  writeSettings,
} from '../../support/builders.ts'
import { buildCurrency, insertLog } from '../../support/currencies.ts'
import { buildAnnouncement, buildDocument } from '../../support/desk.ts'
import { type NotificationEnv, startNotifying } from '../../support/domain-events.ts'
import { expectOk } from '../../support/flights.ts'
import { buildMaintenanceItem, buildSquawk } from '../../support/maintenance.ts'
import { buildManaged } from '../../support/managed.ts'
import { buildBooking, buildInvoice } from '../../support/records.ts'
import {
  buildTraining,
  enrol,
  insertEndorsement,
  insertKnowledgeTest,
  insertPlannedTest,
  insertQuietEnrollment,
  insertSignedRecord,
} from '../../support/training.ts'
import { enter, insertOffer } from '../../support/waitlist.ts'

describe.each(testedBackends())('notifications, with queues in %s (§Notifications)', (kind) => {
  let env: NotificationEnv
  let api: TestApp
  let school: School
  beforeAll(async () => {
    env = await startNotifying(kind)
    api = env.api
  })
  afterAll(() => env.close())
  beforeEach(async () => {
    school = await buildSchool(api)
  })

  const dual = () =>
    buildBooking(api, school, {
      seats: [
        { side: 'instructors', member: school.instructor },
        { side: 'students', member: school.student },
      ],
    })

  /** A booking that the student cancelled late, with its proposed fee. */
  const lateCancellation = async () => {
    const id = await buildBooking(api, school, {
      cancelled: true,
      seats: [{ side: 'students', member: school.student }],
    })
    const { db } = api.core.database
    const { cancelled_at } = await db
      .selectFrom('reservation')
      .select('cancelled_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    await db
      .insertInto('cancellation_fee')
      .values({
        organization_id: school.organizationId,
        reservation_id: id,
        cancelled_at: cancelled_at!,
        membership_id: school.student.orgUserId,
        cents: cents(5_000),
      })
      .execute()
    return id
  }

  const ground = (grounded: boolean) =>
    api.core.database.db
      .updateTable('resource')
      .set({ grounded_by_person: grounded, grounded_reason: grounded ? 'Flat tire' : null })
      .where('id', '=', school.plane.id)
      .execute()

  /** A flight of 1.4 hours, of which the student logged so many tenths as dual received. */
  const flightLogged = async (dualReceived: number) => {
    const id = await dual()
    const { db } = api.core.database
    const figures = {
      hobbs_out: hundredths(100),
      hobbs_in: hundredths(240),
      ramped_out_at: api.clock.now,
      ramped_in_at: api.clock.now,
    }
    await db.updateTable('reservation').set(figures).where('id', '=', id).execute()
    await insertLog(api, school, {
      reservationId: id,
      of: school.student,
      figures: { dual_received_tenths: tenths(dualReceived) },
    })
    return id
  }

  /** An event of the log: a rule blocked until now. */
  const lowerRule = () =>
    api.core.database.db
      .insertInto('event')
      .values({
        id: randomUUID(),
        organization_id: school.organizationId,
        at: api.clock.now,
        kind: 'rule.changed',
        actor_kind: 'person',
        actor_name: 'Adam',
        subject_kind: 'organization',
        subject_id: school.organizationId,
        before: sql`${JSON.stringify({ key: 'availability', enforcement: 'block' })}::jsonb`,
        after: sql`${JSON.stringify({ key: 'availability', enforcement: 'off' })}::jsonb`,
      })
      .execute()

  /** A recovery of the dispatcher's that names the instructor, and was applied. */
  const recovery = async ({ asserted }: { asserted: boolean }) => {
    const { organizationId: organization_id, dispatcher, instructor } = school
    const { db } = api.core.database
    const { id: operation_id } = await db
      .insertInto('operation')
      .values({
        ...{ organization_id, kind: 'recovery', status: 'done', atomic: false, started_by: dispatcher.orgUserId },
        ...{ total: 60, ended_at: api.clock.now, input: sql`'{}'::jsonb` },
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    const cause = sql<object>`${JSON.stringify({ instructorOrgUserIds: [instructor.orgUserId] })}::jsonb`
    const [starts_at, ends_at] = [api.clock.now, new Date(api.clock.now.getTime() + 1)]
    await db
      .insertInto('recovery')
      .values({ organization_id, operation_id, cause, reach: sql`'{}'::jsonb`, starts_at, ends_at, asserted })
      .execute()
    await db
      .insertInto('event')
      .values({
        id: randomUUID(),
        organization_id,
        at: api.clock.now,
        kind: 'recovery.applied',
        actor_kind: 'person',
        actor_name: dispatcher.name,
        membership_id: dispatcher.orgUserId,
        subject_kind: 'operation',
        subject_id: operation_id,
        after: sql`'{"operationIds": [], "reservationIds": [1, 2]}'::jsonb`,
      })
      .execute()
    return operation_id
  }

  /** A bulk of the dispatcher's that cancelled 60 bookings. */
  const bulk = async () => {
    const { id } = await api.core.database.db
      .insertInto('operation')
      .values({
        organization_id: school.organizationId,
        kind: 'reservation_bulk',
        status: 'done',
        atomic: false,
        started_by: school.dispatcher.orgUserId,
        total: 60,
        done: 60,
        succeeded: 60,
        ended_at: api.clock.now,
        input: sql`${JSON.stringify({ action: { cancel: {} }, notify: true })}::jsonb`,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  const creditedInvoice = async () => {
    const id = await buildInvoice(api, school, { payer: school.student, status: 'paid' })
    const figures = { number: 1, amount_cents: 1_000 as never, refund_cents: 0 as never, items: '[]' as never }
    await api.core.database.db
      .insertInto('credit_note')
      .values({
        organization_id: school.organizationId,
        invoice_id: id,
        created_by: school.admin.orgUserId,
        ...figures,
        reason: 'Billed as wet',
        refund: 'none',
        refund_status: 'none',
      })
      .execute()
    return id
  }
  /** The event of the log that causes the notification, where its text is of that. */
  let eventId: string | undefined
  /** An invoice with an event of the log about it. */
  const eventOfInvoice = async (kind: EventKind, after: object, status: 'open' | 'paid' = 'open') =>
    eventOf(kind, { kind: 'invoice', id: await buildInvoice(api, school, { payer: school.student, status }) }, after)
  /** Writes an event into the log. Returns the id of its subject. */
  const eventOf = async (kind: EventKind, subject: { kind: SubjectKind; id: number }, after: object) => {
    eventId = randomUUID()
    await api.core.database.db
      .insertInto('event')
      .values({
        id: eventId,
        organization_id: school.organizationId,
        at: api.clock.now,
        kind,
        actor_kind: 'system' as const,
        subject_kind: subject.kind,
        subject_id: subject.id,
        after: sql`${JSON.stringify(after)}::jsonb`,
      })
      .execute()
    return subject.id
  }
  const disputedInvoice = async (dispute_status: 'open' | 'lost') => {
    const id = await buildInvoice(api, school, { payer: school.student, status: 'paid' })
    const dispute = { dispute_status, dispute_cents: 10_000 as never, disputed_at: new Date() }
    await api.core.database.db.updateTable('invoice').set(dispute).where('id', '=', id).execute()
    return id
  }
  /** A request of the student's, as it was decided. */
  const requestIn = async (status: 'approved' | 'declined', booking: () => Promise<number> = dual) => {
    const time = { starts_at: new Date('2026-11-23T10:00:00Z'), ends_at: new Date('2026-11-23T12:00:00Z') }
    const { id } = await api.core.database.db
      .insertInto('booking_request')
      .values({
        organization_id: school.organizationId,
        status,
        type: 'dual',
        title: 'Stalls',
        time_zone_name: 'UTC',
        ...time,
        requester_id: school.student.orgUserId,
        reservation_id: status === 'approved' ? await booking() : null,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    return id
  }

  /** The subject of each kind in these tests, who causes it, and its audience. */
  const audiences: Record<
    NotificationKind,
    { subject: () => Promise<number>; by: keyof School | null; told: string[] }
  > = {
    reservation_created: { subject: dual, by: 'dispatcher', told: ['instructor', 'student'] },
    slot_offered: { subject: async () => (await insertOffer(api, school)).id, by: null, told: ['student'] },
    offer_withdrawn: {
      subject: async () => (await insertOffer(api, school, { status: 'withdrawn' })).id,
      by: 'dispatcher',
      told: ['student'],
    },
    waitlist_booked: {
      subject: async () => (await insertOffer(api, school, { status: 'accepted' })).id,
      by: 'dispatcher',
      told: ['student'],
    },
    waitlist_ended: {
      subject: async () => {
        const id = await enter(api, school.student, {
          windows: [{ start: '2027-01-04T08:00:00Z', end: '2027-01-04T18:00:00Z' }],
        })
        const ended = { status: 'ended' as const, ended_at: api.clock.now, end_cause: 'over' as const }
        await api.core.database.db.updateTable('waitlist_entry').set(ended).where('id', '=', id).execute()
        return id
      },
      by: null,
      told: ['student'],
    },
    fee_proposed: { subject: lateCancellation, by: null, told: ['student'] },
    no_show_near: {
      subject: async () => {
        await writeSettings(api, school.organizationId, { noShowMinutes: 30 })
        return dual()
      },
      by: null,
      told: ['admin', 'dispatcher', 'owner'],
    },
    mail_given_up: {
      subject: async () => {
        const invoice_id = await buildInvoice(api, school, { payer: school.student })
        const { id } = await api.core.database.db
          .insertInto('undelivered_mail')
          .values({ organization_id: school.organizationId, invoice_id, reason: 'refused', given_up_at: new Date() })
          .returning('id')
          .executeTakeFirstOrThrow()
        return id
      },
      by: null,
      told: ['admin', 'owner'],
    },
    reservation_changed: { subject: dual, by: 'student', told: ['instructor'] },
    // A digest names its receiver; without one it is for nobody.
    reservations_changed: { subject: bulk, by: 'dispatcher', told: [] },
    // So does a notice of bookings at risk.
    reservation_at_risk: { subject: dual, by: null, told: [] },
    bulk_done: { subject: bulk, by: 'dispatcher', told: ['admin', 'owner'] },
    recovery_asserted: {
      subject: () => recovery({ asserted: true }),
      by: 'dispatcher',
      told: ['instructor', 'owner'],
    },
    recovery_large: { subject: () => recovery({ asserted: false }), by: null, told: ['owner'] },
    reservation_cancelled: {
      subject: () =>
        buildBooking(api, school, { cancelled: true, seats: [{ side: 'students', member: school.student }] }),
      by: 'owner',
      told: ['dispatcher', 'student'],
    },
    reservation_upcoming: { subject: dual, by: null, told: ['instructor', 'student'] },
    review_needed: {
      subject: async () => {
        const id = await dual()
        await api.core.database.db
          .insertInto('confirmation')
          .values({
            organization_id: school.organizationId,
            reservation_id: id,
            membership_id: school.instructor.orgUserId,
            side: 'instructors',
            confirmed_at: api.clock.now,
          })
          .execute()
        return id
      },
      by: null,
      told: ['student'],
    },
    // It goes to a member without an account, whom the event names.
    confirmed_on_behalf: { subject: dual, by: 'dispatcher', told: [] },
    flight_corrected: {
      subject: async () => {
        const id = await dual()
        const { admin } = school
        await api.core.database.pool.query(
          `update reservation set corrections = 1, corrected_by = $2, corrected_at = now(), correction_reason = 'Read wrong',
            signed_figures = '{"hobbsTimeOut":100,"hobbsTimeIn":200,"tachTimeOut":null,"tachTimeIn":null,"briefing":null}'
            where id = $1`,
          [id, admin.orgUserId],
        )
        return id
      },
      by: 'admin',
      told: ['instructor', 'student'],
    },
    log_contradicts: { subject: () => flightLogged(20), by: 'student', told: ['instructor'] },
    solo_beyond: {
      subject: async () => {
        const course = await buildTraining(api, school)
        await enrol(api, school, course, school.student, { instructorOrgUserId: school.instructor.orgUserId })
        return buildBooking(api, school, { seats: [{ side: 'students', member: school.student }] })
      },
      by: 'student',
      told: ['instructor'],
    },
    below_minimums: {
      subject: async () => {
        await expectOk(api, school.admin, 'PATCH', '/rules/pilot_minimums', { enforcement: 'block' })
        await expectOk(api, school.instructor, 'PUT', `/orgUsers/${school.student.orgUserId}/minimums`, {
          windKnots: 12,
        })
        const id = await buildBooking(api, school, {
          seats: [{ side: 'students', member: school.student }],
          fromHour: 1,
        })
        // Its schedule would tell of it too.
        await api.core.database.pool.query('update reservation set weather_judged_for = starts_at where id = $1', [id])
        return id
      },
      by: null,
      told: ['admin', 'dispatcher', 'owner', 'student'],
    },
    flight_overdue: {
      subject: async () => {
        const id = await dual()
        const left = { ramped_out_at: api.clock.now, expected_back_at: api.clock.now }
        await api.core.database.db.updateTable('reservation').set(left).where('id', '=', id).execute()
        return id
      },
      by: null,
      told: ['admin', 'dispatcher', 'instructor', 'owner'],
    },
    left_grounded: { subject: dual, by: 'instructor', told: ['admin', 'owner', 'technician'] },
    rules_overridden: {
      subject: async () => {
        const override = { rule: 'opening_hours' as const, reason: 'Agreed by phone', notified_at: api.clock.now }
        await api.core.database.db
          .insertInto('rule_override')
          .values({
            organization_id: school.organizationId,
            reservation_id: await dual(),
            ...override,
            starts_at: api.clock.now,
            overridden_by: school.admin.orgUserId,
          })
          .execute()
        return school.organizationId
      },
      by: null,
      told: ['admin', 'owner'],
    },
    booking_request_submitted: {
      subject: () => insertGuestRequest(api, school),
      by: 'dispatcher',
      told: ['admin', 'owner'],
    },
    booking_request_approved: { subject: () => requestIn('approved'), by: 'dispatcher', told: ['student'] },
    booking_request_declined: { subject: () => requestIn('declined'), by: 'owner', told: ['student'] },
    invoice_raised: {
      subject: () => buildInvoice(api, school, { payer: school.renter }),
      by: 'admin',
      told: ['renter'],
    },
    invoice_changed: {
      subject: () => eventOfInvoice('invoice.reissued', { dueCents: 10_000 }),
      by: null,
      told: ['student'],
    },
    payment_returned: {
      subject: () => eventOfInvoice('invoice.payment_returned', { amountCents: 500 }, 'paid'),
      by: null,
      told: ['student'],
    },
    paid_from_ledger: {
      subject: () => eventOfInvoice('invoice.payment_recorded', { amountCents: 500, method: 'ledger' }),
      by: 'admin',
      told: ['student'],
    },
    ledger_pays: {
      subject: async () => {
        await expectOk(api, school.admin, 'POST', `/orgUsers/${school.renter.orgUserId}/ledger`, {
          kind: 'deposit',
          amountCents: 5_000,
        })
        eventId = randomUUID()
        await api.core.database.db
          .insertInto('event')
          .values({
            id: eventId,
            organization_id: school.organizationId,
            at: api.clock.now,
            kind: 'organization.changed',
            actor_kind: 'system' as const,
            subject_kind: 'organization' as const,
            subject_id: school.organizationId,
            before: sql`'{"settings": {"payFromLedger": "ask"}}'::jsonb`,
            after: sql`'{"settings": {"payFromLedger": "auto"}}'::jsonb`,
          })
          .execute()
        return school.organizationId
      },
      by: 'admin',
      told: ['renter'],
    },
    invoice_failed: {
      subject: () =>
        buildBooking(api, school, {
          seats: [{ side: 'students', member: school.student }],
          fromHour: -30,
          signedOff: true,
        }),
      by: null,
      told: ['admin', 'owner'],
    },
    invoice_disputed: { subject: () => disputedInvoice('open'), by: null, told: ['admin', 'owner'] },
    dispute_lost: { subject: () => disputedInvoice('lost'), by: null, told: ['admin', 'owner'] },
    invoice_paid: {
      subject: () => buildInvoice(api, school, { payer: school.student, status: 'paid' }),
      by: 'admin',
      told: ['owner'],
    },
    invoice_reminder: {
      subject: () => buildInvoice(api, school, { payer: school.student }),
      by: 'admin',
      told: ['student'],
    },
    invoice_credited: { subject: creditedInvoice, by: 'admin', told: ['student'] },
    autopay_declined: {
      subject: () => buildInvoice(api, school, { payer: school.student }),
      by: null,
      told: ['student'],
    },
    autopay_asked: {
      subject: () => buildInvoice(api, school, { payer: school.student }),
      by: null,
      told: ['student'],
    },
    join_request: {
      subject: async () => {
        const stranger = await buildAccount(api)
        const { id } = await api.core.database.db
          .insertInto('join_request')
          .values({ organization_id: school.organizationId, account_id: stranger.accountId })
          .returning('id')
          .executeTakeFirstOrThrow()
        return id
      },
      by: null,
      told: ['admin', 'dispatcher', 'owner'],
    },
    member_claimed: { subject: async () => school.renter.orgUserId, by: 'renter', told: ['admin', 'owner'] },
    bill_to_changed: {
      subject: () =>
        eventOf(
          'member.bill_to_changed',
          { kind: 'member', id: school.student.orgUserId },
          { billToOrgUserId: school.renter.orgUserId, accepted: false },
        ),
      by: 'admin',
      told: ['renter', 'student'],
    },
    member_merged: {
      subject: async () => {
        const { orgUserId } = await buildManaged(api, school)
        const at = { merged_into: school.student.orgUserId, merged_at: new Date(), removed_at: new Date() }
        await api.core.database.db.updateTable('membership').set(at).where('id', '=', orgUserId).execute()
        return school.student.orgUserId
      },
      by: 'admin',
      told: ['owner', 'student'],
    },
    member_recognized: {
      subject: async () => {
        await buildManaged(api, school, { email: 'namesake@example.com' })
        const newcomer = await buildMember(api, school.organizationId, ['student'])
        const { db } = api.core.database
        await db
          .updateTable('account')
          .set({ email: 'namesake@example.com' })
          .where('id', '=', newcomer.accountId)
          .execute()
        return newcomer.orgUserId
      },
      by: null,
      told: ['admin', 'owner'],
    },
    record_to_countersign: {
      subject: () => insertSignedRecord(api, school),
      by: 'instructor',
      told: ['student'],
    },
    endorsement_issued: { subject: () => insertEndorsement(api, school), by: 'instructor', told: ['student'] },
    endorsement_to_confirm: {
      subject: () => insertEndorsement(api, school, { recordedBy: school.admin }),
      by: 'admin',
      told: ['instructor'],
    },
    endorsement_expiring: {
      subject: () => insertEndorsement(api, school, { expiresAt: new Date('2026-11-30T12:00:00Z') }),
      by: null,
      told: ['instructor', 'student'],
    },
    knowledge_test_expiring: {
      subject: () => insertKnowledgeTest(api, school, new Date('2026-11-30T12:00:00Z')),
      by: null,
      told: ['instructor', 'student'],
    },
    students_stalled: {
      subject: async () => {
        await insertQuietEnrollment(api, school, new Date('2026-10-31T12:00:00Z'))
        return school.instructor.orgUserId
      },
      by: null,
      told: ['instructor'],
    },
    test_not_ready: {
      subject: () => insertPlannedTest(api, school, new Date('2026-11-30T12:00:00Z')),
      by: null,
      told: ['instructor', 'student'],
    },
    currency_expiring: {
      subject: async () => (await buildCurrency(api, school, { holder: school.student, told: true })).noticeId,
      by: null,
      told: ['student'],
    },
    currency_self_recorded: {
      subject: async () => {
        const own = { holder: school.instructor, recordedBy: school.instructor }
        return (await buildCurrency(api, school, own)).recordId
      },
      by: 'instructor',
      told: ['admin', 'owner'],
    },
    currency_ended: {
      subject: async () => {
        const { currencyId } = await buildCurrency(api, school, { holder: school.student })
        return eventOf(
          'currency.ended',
          { kind: 'member', id: school.student.orgUserId },
          { currencyId, on: '2026-11-20' },
        )
      },
      by: 'instructor',
      told: ['admin', 'owner', 'student'],
    },
    rule_lowered: {
      subject: async () => {
        await lowerRule()
        return school.organizationId
      },
      by: 'admin',
      told: ['owner'],
    },
    document_expiring: {
      subject: () => buildDocument(api, school, { of: school.student }),
      by: null,
      told: ['student'],
    },
    announcement: {
      subject: () => buildAnnouncement(api, school, { roles: ['student', 'dispatcher'] }),
      by: 'dispatcher',
      told: ['student'],
    },
    squawk_opened: {
      subject: () => buildSquawk(api, school, { reportedBy: school.student }),
      by: 'student',
      told: ['admin', 'dispatcher', 'owner', 'technician'],
    },
    deferral_ended: {
      subject: () => buildSquawk(api, school, { reportedBy: school.student, status: 'deferred', deferralEnded: true }),
      by: null,
      told: ['admin', 'owner', 'technician'],
    },
    maintenance_due: {
      subject: () => buildMaintenanceItem(api, school, { dueAt: new Date('2026-11-01T00:00:00Z') }),
      by: null,
      told: ['admin', 'owner', 'technician'],
    },
    resource_grounded: {
      subject: async () => {
        await dual()
        await buildBooking(api, school, { fromHour: -72, seats: [{ side: 'renters', member: school.renter }] })
        await buildBooking(api, school, {
          fromHour: 48,
          cancelled: true,
          seats: [{ side: 'pilots', member: school.dispatcher }],
        })
        await ground(true)
        return school.plane.id
      },
      by: 'technician',
      told: ['admin', 'dispatcher', 'instructor', 'owner', 'student'],
    },
    endorsed_as_changed: {
      subject: async () => school.plane.id,
      by: 'admin',
      told: ['instructor'],
    },
    resource_returned: {
      subject: async () => {
        await dual()
        await ground(false)
        return school.plane.id
      },
      by: 'admin',
      told: ['dispatcher', 'instructor', 'owner', 'student'],
    },
  }

  test.each(notificationKinds)('%s goes to those it concerns, never to who caused it', async (happened) => {
    const { subject, by, told } = audiences[happened]
    const causer = by && (school[by] as Member).orgUserId
    eventId = undefined
    const subjectId = await subject()
    await env.happen(school, { kind: happened, subjectId, causedBy: causer, ...(eventId !== undefined && { eventId }) })
    expect(await env.notifiedInApp(school)).toEqual(told)
  })

  test.each([
    ['resource_grounded', 'admin', ['instructor', 'owner', 'student']],
    ['squawk_opened', 'student', ['admin', 'owner', 'technician']],
    ['reservation_cancelled', 'owner', ['student']],
  ] as const)('%s goes to no dispatcher who chose other locations', async (kind, by, told) => {
    const other = await buildLocation(api, school.organizationId, { name: 'Elsewhere' })
    const { dispatcher } = school
    const choose = async (ids: number[]) => {
      const body = { locationIds: ids }
      await expectOk(api, dispatcher, 'PATCH', '/notifications/preferences', body)
    }
    const subjectId = await audiences[kind].subject()
    const tell = async () => {
      await env.happen(school, { kind, subjectId, causedBy: (school[by] as Member).orgUserId })
      return env.notifiedInApp(school)
    }
    await choose([other.id])
    expect(await tell()).toEqual(told)
    await choose([school.location.id])
    expect(await tell()).toContain('dispatcher')
  })

  test('a member reads what they were told', async () => {
    const id = await dual()
    await env.happen(school, { kind: 'reservation_created', subjectId: id, causedBy: null })
    const list = await api.call('GET', '/notifications', { token: school.student.token })
    expect(list.json().data).toMatchObject([
      {
        kind: 'reservation_created',
        title: 'New booking: First solo',
        body: `Sun, Nov 22, 2026, 07:00–09:00 EST · ${school.plane.name} · ${school.instructor.name} (instructor), ${school.student.name} (student)`,
        data: { reservationId: id },
        readAt: null,
      },
    ])
  })

  test('the organization’s document that expires is the admins’ to renew', async () => {
    const subjectId = await buildDocument(api, school, { of: null })
    await env.happen(school, { kind: 'document_expiring', subjectId, causedBy: null })
    expect(await env.notifiedInApp(school)).toEqual(['admin', 'owner'])
  })

  test('a member who left is not told', async () => {
    const id = await dual()
    await api.core.database.db
      .updateTable('membership')
      .set({ removed_at: api.clock.now })
      .where('id', '=', school.student.orgUserId)
      .execute()
    await env.happen(school, { kind: 'reservation_changed', subjectId: id, causedBy: null })
    expect(await env.notifiedInApp(school)).toEqual(['instructor'])
    expect(env.workers.mails(school.student.email)).toEqual([])
  })

  test('what is overtaken is not told any more', async () => {
    const seats = [{ side: 'students' as const, member: school.student }]
    const overtaken: [NotificationKind, number][] = [
      ['reservation_created', await buildBooking(api, school, { seats, cancelled: true })],
      ['reservation_cancelled', await buildBooking(api, school, { seats, fromHour: 30 })],
      ['reservation_upcoming', await buildBooking(api, school, { seats, fromHour: -1 })],
      ['review_needed', await buildBooking(api, school, { seats, fromHour: -30, signedOff: true })],
      ['invoice_raised', await buildInvoice(api, school, { payer: school.student, status: 'void', number: 1 })],
      ['invoice_reminder', await buildInvoice(api, school, { payer: school.student, status: 'paid', number: 2 })],
      ['resource_grounded', school.plane.id],
      ['squawk_opened', await buildSquawk(api, school, { reportedBy: school.student, status: 'deferred' })],
      ['squawk_opened', 2_000_000_000],
      ['deferral_ended', await buildSquawk(api, school, { reportedBy: school.student, status: 'deferred' })],
      ['maintenance_due', await buildMaintenanceItem(api, school, { dueAt: new Date('2031-01-01T00:00:00Z') })],
      ['record_to_countersign', await insertSignedRecord(api, school, { countersigned: true })],
      ['record_to_countersign', 2_000_000_000],
      ['endorsement_expiring', await insertEndorsement(api, school, { expiresAt: new Date('2026-11-20T12:00:00Z') })],
      ['endorsement_issued', 2_000_000_000],
      ['log_contradicts', await flightLogged(10)],
      ['flight_overdue', 2_000_000_000],
      ['rules_overridden', school.organizationId],
      ['endorsement_to_confirm', await insertEndorsement(api, school)],
      ['currency_expiring', (await buildCurrency(api, school, { holder: school.student, told: false })).noticeId],
      [
        'currency_expiring',
        (
          await buildCurrency(api, school, {
            holder: school.student,
            told: true,
            expiresAt: new Date('2026-11-21T12:00:00Z'),
          })
        ).noticeId,
      ],
      ['currency_expiring', 2_000_000_000],
      ['knowledge_test_expiring', await insertKnowledgeTest(api, school, new Date('2026-11-20T12:00:00Z'))],
      ['test_not_ready', await insertPlannedTest(api, school, new Date('2026-11-20T12:00:00Z'))],
      ['test_not_ready', await insertPlannedTest(api, school, null)],
      ['students_stalled', school.admin.orgUserId],
      ['document_expiring', await buildDocument(api, school, { of: school.student, told: false })],
      ['document_expiring', 2_000_000_000],
      ['currency_self_recorded', (await buildCurrency(api, school, { holder: school.instructor })).recordId],
      ['currency_ended', school.student.orgUserId],
      ['bill_to_changed', school.student.orgUserId],
      ['rule_lowered', school.organizationId],
      ['announcement', await buildAnnouncement(api, school, { fromHour: 1 })],
      ['announcement', await buildAnnouncement(api, school, { fromHour: -2, toHour: -1 })],
      ['announcement', 2_000_000_000],
      ['reservation_created', 2_000_000_000],
      ['booking_request_submitted', await requestIn('declined')],
      ['booking_request_approved', await requestIn('declined')],
      [
        'booking_request_approved',
        await requestIn('approved', () => buildBooking(api, school, { seats, cancelled: true })),
      ],
      ['booking_request_declined', await insertGuestRequest(api, school)],
      ['booking_request_submitted', 2_000_000_000],
    ]
    for (const [happened, subjectId] of overtaken)
      await env.happen(school, { kind: happened, subjectId, causedBy: null })
    expect(await env.notifiedInApp(school)).toEqual([])
  })

  test('a record of another organization is never told', async () => {
    const elsewhere = await buildSchool(api)
    const foreign = await buildBooking(api, elsewhere, { seats: [{ side: 'students', member: elsewhere.student }] })
    await env.happen(school, { kind: 'reservation_created', subjectId: foreign, causedBy: null })
    expect(env.workers.mails(elsewhere.student.email)).toEqual([])
  })

  test('a solo flight beyond the plan of a student whom nobody teaches is told to admins', async () => {
    const subjectId = await buildBooking(api, school, { seats: [{ side: 'students', member: school.student }] })
    await env.happen(school, { kind: 'solo_beyond', subjectId, causedBy: school.student.orgUserId })
    expect(await env.notifiedInApp(school)).toEqual(['admin', 'owner'])
  })

  test('a whole class is told of its ground lesson', async () => {
    const students = await Promise.all(
      Array.from({ length: 12 }, () => buildMember(api, school.organizationId, ['student'])),
    )
    const seats = students.map((member) => ({ side: 'students' as const, member }))
    const subjectId = await buildBooking(api, school, { seats })
    await env.happen(school, { kind: 'reservation_created', subjectId, causedBy: null })
    expect(await env.notifiedInApp(school)).toHaveLength(12)
    for (const { email } of students) expect(env.workers.mails(email)).toHaveLength(1)
  })
})
