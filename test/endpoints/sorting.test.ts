import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { z } from 'zod'
import { CreditNote } from '../../src/api/billing/credit-notes/credit-note.view.ts'
import { Invoice } from '../../src/api/billing/invoices/invoice.view.ts'
import { LedgerEntry } from '../../src/api/billing/ledger/ledger.view.ts'
import { Package, PackagePurchase } from '../../src/api/billing/packages/package.view.ts'
import { Notification } from '../../src/api/communication/notifications/notification.view.ts'
import { Squawk } from '../../src/api/fleet/maintenance/squawk.view.ts'
import { listOf, listPage } from '../../src/api/http/lists.ts'
import { TimeOff } from '../../src/api/identity/members/availability.view.ts'
import { Guest } from '../../src/api/identity/members/guest.view.ts'
import { OrganizationUser } from '../../src/api/identity/members/org-user.view.ts'
import { User } from '../../src/api/identity/members/user.view.ts'
import { AuditEntry } from '../../src/api/insight/audit/audit.view.ts'
import { LogbookEntry } from '../../src/api/insight/logbook/logbook.view.ts'
import { Reservation } from '../../src/api/scheduling/reservations/reservation.view.ts'
import { Endorsement } from '../../src/api/training/endorsements/endorsement.view.ts'
import { Enrollment } from '../../src/api/training/enrollments/enrollment.view.ts'
import { Student } from '../../src/api/training/enrollments/students.routes.ts'
import { TrainingTest } from '../../src/api/training/knowledge-tests/test.view.ts'
import { creditNoteSortKeys } from '../../src/shared/billing/credit-notes/credit-note.queries.ts'
import { invoiceSortKeys } from '../../src/shared/billing/invoices/invoice-sort-keys.queries.ts'
import { ledgerSortKeys } from '../../src/shared/billing/ledger/ledger.queries.ts'
import { packageSortKeys, purchaseSortKeys } from '../../src/shared/billing/packages/package.queries.ts'
import { notificationSortKeys } from '../../src/shared/communication/notifications/notification.queries.ts'
import { squawkSortKeys } from '../../src/shared/fleet/maintenance/squawk.queries.ts'
import { timeOffSortKeys } from '../../src/shared/identity/members/availability.queries.ts'
import { guestSortKeys } from '../../src/shared/identity/members/guest.queries.ts'
import { orgUserSortKeys } from '../../src/shared/identity/members/org-user.queries.ts'
import { userSortKeys } from '../../src/shared/identity/members/user.queries.ts'
import { logbookSortKeys } from '../../src/shared/insight/logbook/logbook.queries.ts'
import type { Actor } from '../../src/shared/platform/authz/actor.ts'
import { orderOf, type SortKeys } from '../../src/shared/platform/db/sort-keys.ts'
import { auditSortKeys } from '../../src/shared/platform/events/audit.queries.ts'
import { reservationSortKeys, ruled } from '../../src/shared/scheduling/reservations/reservation-sort-keys.queries.ts'
import { endorsementSortKeys } from '../../src/shared/training/endorsements/endorsement.queries.ts'
import { enrollmentSortKeys } from '../../src/shared/training/enrollments/enrollment.queries.ts'
import { studentSortKeys } from '../../src/shared/training/enrollments/students.queries.ts'
import { testSortKeys } from '../../src/shared/training/knowledge-tests/training-test.queries.ts'
import type { Records } from '../contract/support/records.ts'
import { startOnRecords } from '../contract/support/records-database.ts'
import type { TestApp } from '../support/app.ts'
import type { Member } from '../support/builders.ts'
import { expectOk } from '../support/flights.ts'
import { buildInvoice, buildNotification } from '../support/records.ts'

let api: TestApp
let records: Records
beforeAll(async () => {
  ;({ api, records } = await startOnRecords())
  await vary(records)
})
afterAll(() => api.close())

/** Texts that are easy to sort wrongly: in two cases, with accents, with numbers, with signs, empty and none. */
const texts = ['Lesson 10', 'lesson 9', 'Émile', 'emile', 'Zoë', 'zoe', '_x', '10:00', '9:30', '', null]

/** Later elements, and a whole part, by the list whose rows have them. */
const more: Record<string, string[]> = {
  bookings: ['personnel.students.1.name'],
  invoices: ['items.1.amountCents', 'customer'],
  'credit notes': ['items.1.amountCents'],
}

/** What no row has. */
const absent = ['id.x', 'constructor', 'no.such', 'items.*.id', 'items.length', 'personnel.students.length']

/** Several rows on every list, with the same and with no values. */
async function vary({ school, guest }: Records): Promise<void> {
  const { db } = api.core.database
  const organization_id = school.organizationId
  for (const [index, memo] of texts.entries()) {
    const payer = index % 3 === 0 ? { guestId: guest } : index % 3 === 1 ? school.student : school.renter
    const status = (['open', 'paid', 'void', 'pending'] as const)[index % 4]!
    await buildInvoice(api, school, { payer, status, memo, number: 100 + index, totalCents: 1_000 * (index % 5) })
    await buildNotification(api, school.student, { title: memo ?? 'none', body: memo ?? '', minutesAgo: index % 4 })
    await db
      .insertInto('guest')
      .values({ organization_id, name: memo ?? 'Émile', phone: memo })
      .execute()
    const time = { starts_at: new Date(1e12 + index), ends_at: new Date(2e12) }
    const membership_id = index % 2 ? school.student.orgUserId : school.instructor.orgUserId
    await db
      .insertInto('time_off')
      .values({ organization_id, membership_id, ...time, reason: memo })
      .execute()
  }
  await db.updateTable('membership').set({ grounded_reason: 'Medical' }).where('id', '=', records.pupilMember).execute()
}

const reader = { roles: { admin: true }, orgUserId: 1 } as Actor
const everything = () => false
const window = 'startDate=2000-01-01T00:00:00Z&endDate=2100-01-01T00:00:00Z&includeCanceled=true'

/** The lists that the database sorts: their rows, their keys, what is left to the view, and where they are. */
const lists: [string, z.ZodType, SortKeys, (path: string) => boolean, () => string][] = [
  ['invoices', Invoice, invoiceSortKeys(new Date()), everything, () => '/invoices?'],
  [
    'credit notes',
    CreditNote,
    creditNoteSortKeys,
    (path) => /^(items|pdfUrl)/.test(path),
    () => `/invoices/${records.credited}/creditNotes?`,
  ],
  ['packages', Package, packageSortKeys, (path) => /^(resourceIds|lineKinds)/.test(path), () => '/packages?'],
  [
    'purchased packages',
    PackagePurchase,
    purchaseSortKeys(new Date()),
    (path) => /^(resourceIds|lineKinds)/.test(path),
    () => `/orgUsers/${records.pupilMember}/packages?`,
  ],
  ['bookings', Reservation, reservationSortKeys(reader), (path) => ruled.test(path), () => `/reservations?${window}`],
  [
    'ledger entries',
    LedgerEntry,
    ledgerSortKeys,
    everything,
    () => `/orgUsers/${records.school.student.orgUserId}/ledger?`,
  ],
  ['notifications', Notification, notificationSortKeys, everything, () => '/notifications?'],
  ['members', OrganizationUser, orgUserSortKeys(reader), everything, () => '/orgUsers?'],
  ['users', User, userSortKeys, everything, () => '/users?'],
  ['guests', Guest, guestSortKeys, everything, () => '/guests?'],
  ['absences', TimeOff, timeOffSortKeys(reader), everything, () => '/availability/timeOff?'],
  ['squawks', Squawk, squawkSortKeys, everything, () => '/maintenance/squawks?'],
  [
    'entries of a logbook',
    LogbookEntry,
    logbookSortKeys([]),
    everything,
    () => `/orgUsers/${records.school.student.orgUserId}/logbook?`,
  ],
  ['enrollments', Enrollment, enrollmentSortKeys, everything, () => '/training/enrollments?'],
  [
    'students in training',
    Student,
    studentSortKeys(new Date()),
    (path) => /^(missing|waitingFor|readiness)/.test(path),
    () => '/training/students?',
  ],
  ['audit entries', AuditEntry, auditSortKeys, (path) => /^(before|after)\b/.test(path), () => '/audit?'],
  ['tests', TrainingTest, testSortKeys, everything, () => '/training/tests?'],
  ['endorsements', Endorsement, endorsementSortKeys, everything, () => '/training/endorsements?'],
]

describe('every path of the answer sorts', () => {
  test.each(lists)('%s', (_name, schema, keys, leftToView) => {
    const paths = pathsOf(schema).filter((path) => !leftToView(path))
    expect(paths.filter((path) => !orderOf(keys, { by: path, order: 'asc' }))).toEqual([])
  })
})

describe('as the rows say when they are sorted in memory', () => {
  test.each(lists)('%s', async (name, schema, _keys, _leftToView, url) => {
    const { admin, student } = records.school
    const wrong: string[] = []
    for (const who of [admin, student]) {
      const plain = await api.call('GET', url(), { token: who.token })
      if (plain.statusCode !== 200) continue
      const rows = plain.json<{ data: Listed[] }>().data
      for (const path of [...pathsOf(schema), ...(more[name] ?? [])]) {
        for (const order of who === admin ? (['asc', 'desc'] as const) : (['desc'] as const)) {
          const inMemory = await listPage(listOf(rows), { limit: 1000, offset: 0, sort: path, order }, (row) => row)
          const ids = inMemory.rows.map(idOf)
          const got = await idsOf(who, `${url()}&sort=${path}&order=${order}`)
          if (got.join() !== ids.join()) wrong.push(`${path} ${order} for ${who.name}: ${got} instead of ${ids}`)
        }
      }
    }
    expect(wrong).toEqual([])
  })
})

test.each(lists)('a path that no row has is refused: %s', async (_name, _schema, _keys, _leftToView, url) => {
  for (const path of absent) {
    const { statusCode, body } = await api.call('GET', `${url()}&sort=${path}`, { token: records.school.admin.token })
    expect([path, statusCode, JSON.parse(body).message]).toEqual([path, 400, 'sort: no row has a field at this path'])
  }
})

async function idsOf(who: Member, url: string): Promise<number[]> {
  return (await expectOk<Listed[]>(api, who, 'GET', url)).map(idOf)
}

/** A row of a list: with an id, or with the enrollment that it is about. */
interface Listed {
  id?: number
  enrollmentId?: number
}

function idOf({ id, enrollmentId }: Listed): number {
  return id ?? enrollmentId ?? 0
}

/** The dot paths of everything in an answer that is neither object nor list; of lists the first element. */
function pathsOf(schema: z.ZodType, at = ''): string[] {
  const { def } = schema as unknown as { def: Def }
  const join = (part: string) => (at === '' ? part : `${at}.${part}`)
  if (def.innerType) return pathsOf(def.innerType, at)
  if (def.shape) return Object.entries(def.shape).flatMap(([key, inner]) => pathsOf(inner, join(key)))
  if (def.element) return pathsOf(def.element, join('0'))
  return def.type === 'record' ? [] : [at]
}

interface Def {
  type: string
  innerType?: z.ZodType
  shape?: Record<string, z.ZodType>
  element?: z.ZodType
}
