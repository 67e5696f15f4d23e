import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { messageIds } from '../../../src/shared/communication/notifications/templates/message.rules.ts'
import { todoSubjects } from '../../../src/shared/insight/todo/todo.types.ts'
import { eventKinds } from '../../../src/shared/platform/contracts/event-kinds.ts'
import { type SubjectKind, subjectKinds } from '../../../src/shared/platform/contracts/subject-kinds.ts'
import { type Document, jsonOf, responseOf } from '../support/document.ts'

const document: Document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../interface/openapi.json'), 'utf8'),
)

/** Where a part is read that is changed on a path of its own, or as a whole that is no record. */
const readElsewhere: Record<string, string> = {
  '/resources/{id}/grounding': '/resources/{id}',
  '/groups/{id}/members': '/groups/{id}',
  '/orgUsers/{id}/currencies/{currencyId}': '/orgUsers/{id}/currencies',
  '/reservations/{id}/payers': '/reservations/{id}',
  '/training/versions/{versionId}/gradingScale': '/training/versions/{versionId}',
  '/training/versions/{versionId}/deviceCeilings': '/training/versions/{versionId}',
  '/training/versions/{versionId}/stages': '/training/versions/{versionId}',
  '/training/versions/{versionId}/lessons': '/training/versions/{versionId}',
  '/training/versions/{versionId}/lessons/{lessonId}/tasks': '/training/versions/{versionId}',
  '/training/versions/{versionId}/requirements': '/training/versions/{versionId}',
}

/** Where the subject of an event is read by its id. */
const readOf: Record<SubjectKind, string> = {
  reservation: '/reservations/{id}',
  invoice: '/invoices/{id}',
  booking_request: '/booking-requests/{id}',
  training_record: '/training/records/{recordId}',
  enrollment: '/training/enrollments/{enrollmentId}',
  endorsement: '/training/endorsements/{id}',
  resource: '/resources/{id}',
  squawk: '/maintenance/squawks/{id}',
  member: '/orgUsers/{id}',
  organization: '/organizations/{orgId}',
  webhook: '/webhooks/{id}',
  document: '/documents/{id}',
  invitation: '/organizations/invitations/{id}',
  join_request: '/organizations/joinRequests/{id}',
  currency: '/currencies/{id}',
  training_test: '/training/tests/{id}',
  closure: '/closures/{id}',
  pay_run: '/payRuns/{id}',
  package: '/packages/{id}',
  operation: '/operations/{id}',
  waitlist_entry: '/waitlist/{id}',
  offer: '/offers/{id}',
}

/** Where a record is read that an event or a notification names beside its subject. */
const readByName: Record<string, string> = {
  announcementId: '/announcements/{id}',
  billToOrgUserId: readOf.member,
  bookingRequestId: readOf.booking_request,
  courseId: '/training/courses/{courseId}',
  currencyId: readOf.currency,
  documentId: readOf.document,
  waitlistEntryId: readOf.waitlist_entry,
  endorsementId: readOf.endorsement,
  enrollmentId: readOf.enrollment,
  fromOrgUserId: readOf.member,
  guestId: '/guests/{id}',
  invitationId: readOf.invitation,
  instructorOrgUserId: readOf.member,
  invoiceId: readOf.invoice,
  joinRequestId: readOf.join_request,
  locationId: '/locations/{id}',
  managedOrgUserId: readOf.member,
  operationId: '/operations/{id}',
  offerId: readOf.offer,
  orgUserId: readOf.member,
  recordId: readOf.training_record,
  reminderId: '/maintenance/reminders/{id}',
  reservationId: readOf.reservation,
  resourceId: readOf.resource,
  squawkId: readOf.squawk,
  testId: readOf.training_test,
  // Parts that are read with their whole.
  acknowledgedSquawkId: readOf.squawk,
  completionId: '/maintenance/reminders/{id}/history',
  entryId: '/orgUsers/{id}/ledger',
  feeId: readOf.reservation,
  overrideId: readOf.reservation,
}

const reads = (path: string) => document.paths[path]?.get !== undefined
const schemaOf = (path: string, verb: string) =>
  JSON.stringify(
    jsonOf(responseOf(document, document.paths[path]?.[verb]?.responses[200] ?? {}))?.schema?.properties?.data,
  )

describe('what can be changed', () => {
  const changing = Object.entries(document.paths).filter(([, { patch, put }]) => patch ?? put)

  test('is read on the same path, or with its whole', () => {
    const unread = changing.filter(([path]) => !reads(path) && !reads(readElsewhere[path] ?? ''))
    expect(unread.map(([path]) => path)).toEqual([])
    expect(Object.keys(readElsewhere).filter((path) => reads(path) || !document.paths[path])).toEqual([])
  })

  test('is answered by the change as a read answers it', () => {
    const records = changing.filter(([path]) => /\}$/.test(path) && reads(path))
    const verbOf = (path: string) => (document.paths[path]?.patch ? 'patch' : 'put')
    const other = records.filter(([path]) => schemaOf(path, 'get') !== schemaOf(path, verbOf(path)))
    expect(other.map(([path]) => path).sort()).toEqual([
      // A change answers these without what a read adds of other records.
      '/resources/{id}',
      '/training/enrollments/{enrollmentId}',
    ])
  })
})

describe('an id that the service sends', () => {
  test.for(subjectKinds.map((kind) => [kind] as const))('of the subject of an event about a %s is read', ([kind]) => {
    expect(reads(readOf[kind]), readOf[kind]).toBe(true)
  })

  test('beside the subject of an event is read', () => {
    const keys = [...new Set(Object.values(eventKinds).flatMap(({ keys }) => keys as readonly string[]))]
    const ids = keys.filter((key) => /Ids?$/.test(key)).map((key) => key.replace(/s$/, ''))
    expect(ids.filter((id) => !reads(readByName[id] ?? ''))).toEqual([])
  })

  test('in a notification, a push or a mail is read', () => {
    expect(messageIds.filter((id) => !reads(readByName[id] ?? ''))).toEqual([])
  })

  test('in the to-do list is read', () => {
    expect(todoSubjects.filter((kind) => !reads(readOf[kind]))).toEqual([])
  })
})
