import { type AskedList, list } from './asked-list.ts'
import { at, days, PAST } from './requests.ts'
import type { NamedRecords } from './seed-desk.ts'
import type { SeededSchool } from './seed-school.ts'

/** GET endpoints whose answer has a list that is not read from tables, with the reason. */
export const withoutRows: Record<string, string> = {
  '/orgUsers/{id}/paymentMethods': 'the payment processor is asked',
}

/** Rows for a fleet of 50: 500 maintenance items with one limit each, read for the page and again for the total. */
const ITEMS = 2_000
/** The rows that a report of revenue sums for a month: invoices, their lines and their refunds. */
const MONTH = 2_500
/** The bookings of one person or aircraft, with their seats; read when a second condition must match too. */
const OWN_BOOKINGS = 4_000
/** The report for insurers adds up every flight that each member ever made. */
const ALL_FLIGHTS = 20_000

/**
 * Returns every list, report and search of the interface with each of its filters. `test/endpoints/rows-read.test.ts`
 * compares them with `openapi.json`.
 */
export function everyList(seeded: SeededSchool, ids: NamedRecords): AskedList[] {
  const school = { ...seeded, ids }
  return [
    ...people(school),
    ...fleet(school),
    ...time(school),
    ...money(school),
    ...training(school),
    ...rest(school),
    ...reports(school),
  ]
}

/** A seeded school with its records. */
type Seeded = SeededSchool & { ids: NamedRecords }

function people({ until, student, instructor, ids }: Seeded): AskedList[] {
  const week = days(until, PAST + 7, PAST)
  const roles = ['owner', 'admin', 'dispatcher', 'instructor', 'student', 'renter', 'technician']
  const several = ['owner=true&admin=true', 'instructor=true&technician=true', 'student=true&renter=true']
  return [
    list('/users'),
    list('/users/availability'),
    list('/guests', ['q=olga', 'q=zzyzx']),
    list('/orgUsers', [
      ...['q=maria+lopez', 'q=zzyzx', `groupId=${ids.member_group}`, `instructorOrgUserId=${instructor.membershipId}`],
      ...['removed=true', ...roles.map((role) => `${role}=true`), ...several],
    ]),
    list('/orgUsers/{id}/availability', [], `/orgUsers/${instructor.membershipId}/availability`),
    list('/availability/timeOff', [`orgUserId=${instructor.membershipId}`, week]),
    list('/organizations'),
    list('/organizations/directory', ['q=school', 'q=zzyzx']),
    list('/organizations/invitations'),
    list('/organizations/joinRequests', ['status=all', 'status=approved', 'status=declined']),
    { ...list('/groups', ['q=group+7', 'q=zzyzx']), nested: 'orgUserIds' },
    list('/resources/{id}/approvedUsers', ['student=true', 'renter=true'], `/resources/${ids.resource}/approvedUsers`),
    list('/users/{userId}/approvedResources', [], `/users/${student.accountId}/approvedResources`),
    list('/approvals', [`orgUserId=${student.membershipId}`, `resourceId=${ids.resource}`]),
    list('/notifications', ['q=checkride', 'q=zzyzx', 'status=unread', 'status=read']),
    list('/notifications/preferences'),
    list('/announcements'),
  ]
}

function fleet({ ids }: Seeded): AskedList[] {
  const [plane, base] = [`resourceId=${ids.resource}`, `locationId=${ids.location}`]
  const kinds = ['q=n1005fl', 'q=zzyzx', base]
  return [
    list('/locations'),
    list('/resources'),
    list('/resources/aircraft', [...kinds, 'grounded=true', 'grounded=false']),
    list('/resources/simulators', [...kinds, 'grounded=true']),
    list('/resources/rooms', kinds),
    list('/resources/{id}/files', [], `/resources/${ids.resource}/files`),
    list('/maintenance/squawks', [plane, 'status=open', 'status=resolved']),
    list('/maintenance/forecast', [plane]),
    { ...list('/maintenance/reminders', [plane, 'status=overdue', 'status=ok']), examines: ITEMS },
    list('/maintenance/reminders/{id}/history', [], `/maintenance/reminders/${ids.maintenance_item}/history`),
    list('/board', [base]),
  ]
}

function time({ organizationId, until, student, instructor, ids }: Seeded): AskedList[] {
  const [decade, ahead] = [days(until, 3_700, 0), days(until, 14, 0)]
  const [plane, base] = [`resourceId=${ids.resource}`, `locationId=${ids.location}`]
  const [cancelled, own] = ['includeCanceled=true', `orgUserId=${student.membershipId}`]
  return [
    list(
      '/reservations',
      [
        ...['q=maria', 'q=lopez+13', 'q=zzyzx', plane, base, 'status=cancelled', 'status=booked,ramped_out'],
        ...['status=invoiced', 'type=rental', 'type=dual', own, cancelled],
        ...[`instructorOrgUserId=${instructor.membershipId}`, 'ongoing=true', 'orderBy=asc', 'uninvoiced=true'],
        ...['uninvoiced=true&orderBy=asc', `endedBefore=${at(until, PAST).toISOString()}`],
      ],
      `/reservations?${decade}`,
    ),
    {
      ...list(
        '/reservations',
        [`q=maria&${plane}`, `uninvoiced=true&${own}`, `q=headset&${own}`],
        `/reservations?${decade}`,
      ),
      examines: OWN_BOOKINGS,
    },
    list('/reservations/resource/{resourceId}', [decade, cancelled], `/reservations/resource/${ids.resource}`),
    list('/reservations/user/{userId}', [decade, cancelled], `/reservations/user/${student.accountId}`),
    list('/reservations/{id}/history', [], `/reservations/${ids.reservation}/history`),
    list('/reports/cancellations/categories'),
    list('/reservations/atRisk', [ahead, base, 'rule=closed_period', 'include=warnings']),
    list(
      '/reservations/openings',
      [plane, own, 'pool=trainers', 'startsPerDay=4', 'earliestMinute=540', 'latestMinute=960'],
      `/reservations/openings?${ahead}&durationMinutes=120&type=dual`,
    ),
    list(
      '/reservations/openings',
      ['soloAirport=KMRY&soloCrossCountry=within25&soloClassB=true'],
      `/reservations/openings?${ahead}&durationMinutes=120&type=solo`,
    ),
    list(
      '/maintenance/slots',
      [`reminderIds=${ids.maintenance_item}`],
      `/maintenance/slots?${days(until, PAST - 7, PAST - 14)}&hours=4&resourceId=${ids.resource}`,
    ),
    list('/closures', [days(until, PAST + 91, PAST), plane, base]),
    list('/recoveries', ['status=ready']),
    list('/waitlist', ['status=waiting', 'status=ended']),
    list('/offers', ['status=open', 'status=expired']),
    list('/rules'),
    list('/booking-requests'),
    { ...list('/booking-requests/me'), as: 'student' },
    list('/offerings'),
    list('/public/organizations/{orgId}/offerings', [], `/public/organizations/${organizationId}/offerings`),
    list('/public/offerings/{id}/openings', [], `/public/offerings/${ids.offering}/openings?${ahead}`),
  ]
}

function money({ until, student, ids }: Seeded): AskedList[] {
  const quarter = days(until, PAST + 91, PAST)
  const states = [quarter, 'paid=true', 'paid=false', 'voided=true', 'overdue=true']
  const day = (ago: number) => at(until, ago).toISOString().slice(0, 10)
  const quarterOfDays = `startDate=${day(PAST + 91)}&endDate=${day(PAST)}`
  return [
    list('/invoices', [...states, 'q=maria', 'q=flight+77', 'q=zzyzx']),
    list('/invoices/orgUsers/{orgUserId}', states, `/invoices/orgUsers/${student.membershipId}`),
    list('/invoices/{id}/creditNotes', [], `/invoices/${ids.credited}/creditNotes`),
    list('/packages'),
    list('/orgUsers/{id}/packages', [], `/orgUsers/${student.membershipId}/packages`),
    list('/orgUsers/{id}/ledger', [], `/orgUsers/${student.membershipId}/ledger`),
    list('/orgUsers/{id}/statement', [], `/orgUsers/${student.membershipId}/statement?${quarterOfDays}`),
    { ...list('/payRuns'), nested: 'reservationIds' },
    list('/orgUsers/{id}/logbook', [quarterOfDays], `/orgUsers/${student.membershipId}/logbook`),
  ]
}

function training({ until, student, instructor, ids }: Seeded): AskedList[] {
  const person = `orgUserId=${student.membershipId}`
  const [since, before] = [at(until, 365).toISOString(), at(until, 0).toISOString()]
  return [
    list('/currencies'),
    { ...list('/currencies/me'), as: 'student' },
    list('/orgUsers/{id}/currencies', [], `/orgUsers/${student.membershipId}/currencies`),
    list('/documents', [person, 'category=medical', 'category=insurance', 'status=pending', 'status=verified']),
    list('/ratings'),
    list('/training/courses', ['includeArchived=true']),
    list('/training/templates', ['regulatoryPart=part141']),
    list(
      '/training/enrollments/{enrollmentId}/packetDocuments',
      [],
      `/training/enrollments/${ids.enrollment}/packetDocuments`,
    ),
    list('/training/enrollments', [person, `courseId=${ids.training_course}`, 'status=enrolled', 'status=graduated']),
    list('/training/students', [`instructorOrgUserId=${instructor.membershipId}`]),
    list('/training/candidates', ['type=dual'], `/training/candidates?${person}`),
    list('/training/tests', [`enrollmentId=${ids.enrollment}`, person, 'kind=knowledge', 'kind=practical']),
    list('/training/endorsements', [
      ...[
        person,
        'includeSuperseded=true',
        `signedBy=${instructor.membershipId}`,
        `startDate=${since}`,
        `endDate=${since}`,
      ],
      ...['code=A.6', `expiringBefore=${before}`],
    ]),
    list('/training/endorsements/templates', ['edition=AC+61-65H', person]),
    list(
      '/training/instructors/{orgUserId}/records',
      ['startDate=2020-01-01&endDate=2020-12-31'],
      `/training/instructors/${instructor.membershipId}/records`,
    ),
    list('/training/grants'),
    list('/grants'),
    list('/training/grants/catalog'),
  ]
}

function rest({ until, student, ids }: Seeded): AskedList[] {
  const quarter = days(until, PAST + 91, PAST)
  return [
    list('/operations', [
      ...['kind=import', 'kind=export', 'kind=import,export', 'kind=import&status=failed'],
      ...['status=done', 'status=failed', 'status=queued,running'],
    ]),
    list('/operations/{id}/rows', ['outcome=refused', 'outcome=done'], `/operations/${ids.operation}/rows`),
    list('/webhooks'),
    list('/webhooks/{id}/deliveries', [], `/webhooks/${ids.webhook_endpoint}/deliveries`),
    list('/integrations'),
    list('/reports/views'),
    list('/audit', [
      ...['action=invoice.paid', 'action=reservation.created', `orgUserId=${student.membershipId}`, quarter],
      `subject=reservation:${ids.reservation}`,
    ]),
    list('/search', ['kind=member', 'kind=booking', 'kind=invoice,course', 'kind=resource'], '/search?q=maria'),
    list('/todo/me'),
    list('/todo', [], `/todo?orgUserId=${student.membershipId}`),
  ]
}

function reports({ until, ids, instructor }: Seeded): AskedList[] {
  const week = days(until, PAST + 7, PAST)
  const ofWeek = (name: string, filters: readonly string[] = []) =>
    list(`/reports/${name}`, filters, `/reports/${name}?${week}`)
  return [
    ...['utilization', 'instructors', 'students', 'receivables', 'cancellations'].map((name) => ofWeek(name)),
    ...['training-mismatch', 'instructorPay'].map((name) => ofWeek(name)),
    ofWeek('payments', ['recordedBy=me']),
    { ...ofWeek('maintenance'), examines: ITEMS },
    ofWeek('revenue', ['groupBy=day']),
    ...['balances', 'currencies'].map((name) => list(`/reports/${name}`)),
    ofWeek('tests'),
    { ...list('/reports/insurance'), examines: ALL_FLIGHTS },
    {
      ...list('/reports/stalled', ['days=30', `instructorOrgUserId=${instructor.membershipId}`]),
      examines: ALL_FLIGHTS,
    },
    {
      ...list(
        '/reports/views/{id}/run',
        [`${week}&groupBy=day`, 'period=last_month'],
        `/reports/views/${ids.report_view}/run`,
      ),
      examines: MONTH,
    },
  ]
}
