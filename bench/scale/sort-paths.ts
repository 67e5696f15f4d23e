import { creditNoteSortKeys } from '../../src/shared/billing/credit-notes/credit-note.queries.ts'
import { invoiceSortKeys } from '../../src/shared/billing/invoices/invoice-sort-keys.queries.ts'
import { ledgerSortKeys } from '../../src/shared/billing/ledger/ledger.queries.ts'
import { packageSortKeys, purchaseSortKeys } from '../../src/shared/billing/packages/package.queries.ts'
import { notificationSortKeys } from '../../src/shared/communication/notifications/notification.queries.ts'
import { webhookDeliverySortKeys } from '../../src/shared/communication/webhooks/webhook.queries.ts'
import { squawkSortKeys } from '../../src/shared/fleet/maintenance/squawk.queries.ts'
import { timeOffSortKeys } from '../../src/shared/identity/members/availability.queries.ts'
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
import { reservationSortKeys } from '../../src/shared/scheduling/reservations/reservation-sort-keys.queries.ts'
import { endorsementSortKeys } from '../../src/shared/training/endorsements/endorsement.queries.ts'
import { enrollmentSortKeys } from '../../src/shared/training/enrollments/enrollment.queries.ts'
import { testSortKeys } from '../../src/shared/training/knowledge-tests/training-test.queries.ts'
import type { AskedList } from './every-list.ts'
import { days, PAST } from './requests.ts'
import type { SeededSchool } from './seed-school.ts'

/** Who may sort by everything. */
const admin = { roles: { admin: true }, orgUserId: 1 } as Actor
const now = new Date()

/** The keys by which the database sorts, by their name in the service, with the lists that are sorted by them. */
export const sortedLists: Readonly<Record<string, { keys: SortKeys; endpoints: readonly string[] }>> = {
  auditSortKeys: { keys: auditSortKeys, endpoints: ['/audit'] },
  closureSortKeys: { keys: closureSortKeys, endpoints: ['/closures'] },
  creditNoteSortKeys: { keys: creditNoteSortKeys, endpoints: ['/invoices/{id}/credits'] },
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
  reservationSortKeys: {
    keys: reservationSortKeys(admin),
    endpoints: ['/reservations', '/reservations/resource/{resourceId}', '/reservations/user/{userId}'],
  },
  squawkSortKeys: { keys: squawkSortKeys, endpoints: ['/maintenance/squawks'] },
  testSortKeys: { keys: testSortKeys, endpoints: ['/training/tests'] },
  timeOffSortKeys: { keys: timeOffSortKeys(admin), endpoints: ['/availability/timeOff'] },
  todoSortKeys: { keys: todoSortKeys, endpoints: ['/todo', '/todo/me'] },
  userSortKeys: { keys: userSortKeys, endpoints: ['/users'] },
  webhookDeliverySortKeys: { keys: webhookDeliverySortKeys, endpoints: ['/webhooks/{id}/deliveries'] },
}

/** What a list is sorted by that is sorted in memory, whatever the path: each of its rows is read once. */
const IN_MEMORY = ['id']

/** Returns the paths by which the database sorts a list, each with the first element of a list inside of the row. */
function sortPathsOf(endpoint: string): string[] {
  const paths = Object.values(sortedLists).flatMap(({ keys, endpoints }) =>
    endpoints.includes(endpoint) ? Object.keys(keys) : [],
  )
  return (paths.length > 0 ? paths : IN_MEMORY).map((path) => path.replaceAll('*', '0'))
}

/**
 * Rows of ten years' bookings or invoices that a sort reads besides: the rule counts a total of 10,000 of them, and a key of
 * a row inside of each reads that too. The seats are two rows and a name is one, so a booking is four rows.
 */
const WHOLE = 200_000

/**
 * Rows that a list reads besides when it is sorted in memory: where students in training stand is judged by the rules of their
 * courses, some 140 rows for each of 5,000, once to sort them and once more for the page.
 */
const judged: Readonly<Record<string, number>> = { '/training/students': 1_500_000 }

/**
 * Returns each list that can be sorted (`sorts`) with a filter for each path: a year of bookings and of invoices, and all
 * of them by a path of each kind (of the row, of a row inside of it, of a person there).
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
      .map((asked) => ({
        ...asked,
        path: yearOf[asked.endpoint] ?? asked.path,
        filters: byPath(sortPathsOf(asked.endpoint)),
        examines: judged[asked.endpoint] ?? asked.examines ?? 0,
      })),
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
