import { creditNoteSortKeys } from '../../src/shared/billing/credit-notes/credit-note.queries.ts'
import { invoiceSortKeys } from '../../src/shared/billing/invoices/invoice-sort-keys.queries.ts'
import { ledgerSortKeys } from '../../src/shared/billing/ledger/ledger.queries.ts'
import { packageSortKeys, purchaseSortKeys } from '../../src/shared/billing/packages/package.queries.ts'
import { notificationSortKeys } from '../../src/shared/communication/notifications/notification.queries.ts'
import { webhookDeliverySortKeys } from '../../src/shared/communication/webhooks/webhook.queries.ts'
import { squawkSortKeys } from '../../src/shared/fleet/maintenance/squawk.queries.ts'
import { timeOffSortKeys } from '../../src/shared/identity/members/availability.queries.ts'
import { deskGrantSortKeys } from '../../src/shared/identity/members/desk-grant.queries.ts'
import { guestSortKeys } from '../../src/shared/identity/members/guest.queries.ts'
import { orgUserSortKeys } from '../../src/shared/identity/members/org-user.queries.ts'
import { userSortKeys } from '../../src/shared/identity/members/user.queries.ts'
import { logbookSortKeys } from '../../src/shared/insight/logbook/logbook.queries.ts'
import { todoSortKeys } from '../../src/shared/insight/todo/todo.queries.ts'
import type { Actor } from '../../src/shared/platform/authz/actor.ts'
import type { SortKeys } from '../../src/shared/platform/db/sort-keys.ts'
import { auditSortKeys } from '../../src/shared/platform/events/audit.queries.ts'
import { operationRowSortKeys, operationSortKeys } from '../../src/shared/platform/operations/operation.queries.ts'
import { documentSortKeys } from '../../src/shared/qualification/documents/document.queries.ts'
import { closureSortKeys } from '../../src/shared/scheduling/closures/closure.queries.ts'
import { recoverySortKeys } from '../../src/shared/scheduling/recoveries/recovery.queries.ts'
import { reservationSortKeys } from '../../src/shared/scheduling/reservations/reservation-sort-keys.queries.ts'
import { endorsementSortKeys } from '../../src/shared/training/endorsements/endorsement.queries.ts'
import { enrollmentSortKeys } from '../../src/shared/training/enrollments/enrollment.queries.ts'
import { studentSortKeys } from '../../src/shared/training/enrollments/students.queries.ts'
import { testSortKeys } from '../../src/shared/training/knowledge-tests/training-test.queries.ts'
import type { AskedList } from './asked-list.ts'
import { days, PAST } from './requests.ts'
import type { SeededSchool } from './seed-school.ts'

/** An actor who may sort by every key. */
const admin = { roles: { admin: true }, orgUserId: 1 } as Actor
const now = new Date()

/** The sort keys of the database, by the name of their constant, with the endpoints of the lists that use them. */
export const sortedLists: Readonly<Record<string, { keys: SortKeys; endpoints: readonly string[] }>> = {
  auditSortKeys: { keys: auditSortKeys, endpoints: ['/audit'] },
  closureSortKeys: { keys: closureSortKeys, endpoints: ['/closures'] },
  creditNoteSortKeys: { keys: creditNoteSortKeys, endpoints: ['/invoices/{id}/creditNotes'] },
  deskGrantSortKeys: { keys: deskGrantSortKeys, endpoints: ['/grants'] },
  documentSortKeys: { keys: documentSortKeys, endpoints: ['/documents'] },
  endorsementSortKeys: { keys: endorsementSortKeys, endpoints: ['/training/endorsements'] },
  enrollmentSortKeys: { keys: enrollmentSortKeys, endpoints: ['/training/enrollments'] },
  guestSortKeys: { keys: guestSortKeys, endpoints: ['/guests'] },
  invoiceSortKeys: { keys: invoiceSortKeys(now), endpoints: ['/invoices', '/invoices/orgUsers/{orgUserId}'] },
  ledgerSortKeys: { keys: ledgerSortKeys, endpoints: ['/orgUsers/{id}/ledger'] },
  logbookSortKeys: { keys: logbookSortKeys([]), endpoints: ['/orgUsers/{id}/logbook'] },
  notificationSortKeys: { keys: notificationSortKeys, endpoints: ['/notifications'] },
  operationRowSortKeys: { keys: operationRowSortKeys('import'), endpoints: ['/operations/{id}/rows'] },
  operationSortKeys: { keys: operationSortKeys, endpoints: ['/operations'] },
  orgUserSortKeys: { keys: orgUserSortKeys(admin), endpoints: ['/orgUsers', '/resources/{id}/approvedUsers'] },
  packageSortKeys: { keys: packageSortKeys, endpoints: ['/packages'] },
  purchaseSortKeys: { keys: purchaseSortKeys(now), endpoints: ['/orgUsers/{id}/packages'] },
  recoverySortKeys: { keys: recoverySortKeys(now), endpoints: ['/recoveries'] },
  reservationSortKeys: {
    keys: reservationSortKeys(admin),
    endpoints: ['/reservations', '/reservations/resource/{resourceId}', '/reservations/user/{userId}'],
  },
  squawkSortKeys: { keys: squawkSortKeys, endpoints: ['/maintenance/squawks'] },
  studentSortKeys: { keys: studentSortKeys(now), endpoints: ['/training/students'] },
  testSortKeys: { keys: testSortKeys, endpoints: ['/training/tests'] },
  timeOffSortKeys: { keys: timeOffSortKeys(admin), endpoints: ['/availability/timeOff'] },
  todoSortKeys: { keys: todoSortKeys, endpoints: ['/todo', '/todo/me'] },
  userSortKeys: { keys: userSortKeys, endpoints: ['/users'] },
  webhookDeliverySortKeys: { keys: webhookDeliverySortKeys, endpoints: ['/webhooks/{id}/deliveries'] },
}

/**
 * The sort path to request for a list that is sorted in memory: `id`, or a field of its rows that have none. One is enough: with any
 * path each row is read once.
 */
const inMemory: Readonly<Record<string, string>> = {
  '/users/availability': 'dayOfWeek',
  '/orgUsers/{id}/availability': 'dayOfWeek',
  '/rules': 'key',
  '/currencies/me': 'currencyId',
  '/orgUsers/{id}/currencies': 'currencyId',
  '/training/templates': 'templateKey',
  '/training/candidates': 'enrollmentId',
  '/reports/stalled': 'days',
  '/training/endorsements/templates': 'code',
  '/training/instructors/{orgUserId}/records': 'endorsementId',
  '/training/grants/catalog': 'grant',
}

/** Returns the paths by which the database sorts a list, with index 0 for each `*`; one path for a list that is sorted in memory. */
function sortPathsOf(endpoint: string): string[] {
  const paths = Object.values(sortedLists).flatMap(({ keys, endpoints }) =>
    endpoints.includes(endpoint) ? Object.keys(keys) : [],
  )
  return (paths.length > 0 ? paths : [inMemory[endpoint] ?? 'id']).map((path) => path.replaceAll('*', '0'))
}

/**
 * Rows that a sort of all bookings or invoices of ten years may read above the limit. The limit counts a total of at
 * most 10,000 rows, but a sort by a value of a nested row reads that row of each booking or invoice. A booking takes
 * four rows: itself, two seats and a name.
 */
const WHOLE = 200_000

/**
 * Rows that a sort by a computed field may read above the limit, by list and path. The next lesson of a student in training takes about 60
 * rows for each of 5,000 students. Who must act is decided by the requirements of the courses, about 110 rows for each.
 */
const computed: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '/training/students': { 'nextLesson.id': 200_000, 'nextLesson.name': 200_000, waitingFor: 400_000 },
}

/**
 * Returns each list that can be sorted (`sorts`), with a filter per sort path. Bookings and invoices are of one year.
 * Adds lists of all bookings and of all invoices with one path of each kind: of the row, of a nested row, of a person
 * in a nested row.
 */
export function everySort({ until }: SeededSchool, lists: readonly AskedList[], sorts: (endpoint: string) => boolean) {
  const year = days(until, PAST + 365, PAST)
  const yearOf: Record<string, string> = { '/reservations': `/reservations?${year}`, '/invoices': `/invoices?${year}` }
  const byPath = (paths: readonly string[]) => paths.map((path) => `sort=${path}`)
  const each = [...Map.groupBy(lists, ({ endpoint }) => endpoint).values()].map(([asked]) => asked!)
  const decade = `/reservations?${days(until, 3_700, 0)}`
  return [
    ...each
      .filter(({ endpoint }) => sorts(endpoint))
      .flatMap((asked) => {
        const list = { ...asked, path: yearOf[asked.endpoint] ?? asked.path }
        const more = computed[asked.endpoint] ?? {}
        const paths = sortPathsOf(asked.endpoint).filter((path) => !(path in more))
        return [
          { ...list, filters: byPath(paths) },
          ...Object.entries(more).map(([path, examines]) => ({ ...list, filters: byPath([path]), examines })),
        ]
      }),
    { endpoint: '/reservations', path: decade, filters: byPath(['status', 'resource.name']) },
    {
      endpoint: '/reservations',
      path: decade,
      examines: WHOLE,
      filters: byPath(['personnel.instructors.0.name', 'invoices.0.payer.name']),
    },
    { endpoint: '/invoices', path: '/invoices', filters: byPath(['customer.name', 'items.0.description']) },
    {
      endpoint: '/invoices',
      path: '/invoices',
      examines: WHOLE,
      filters: byPath(['payments.0.recordedBy.name']),
    },
  ]
}
