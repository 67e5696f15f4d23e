import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

/**
 * What a process keeps in memory beyond a request, and by what it is found. A cache of an organization's records is
 * marked `organization`: then every key that is written begins with the organization's id.
 */
const kept: Record<string, 'organization' | 'no records of an organization'> = {
  'src/api/http/bounded-lists.ts bounded': 'no records of an organization',
  // Sockets, each with the request and the answer under way on it: they go with the connection, found by no id.
  'src/api/http/drain.ts connections': 'no records of an organization',
  'src/api/http/drain.ts connectionsOf': 'no records of an organization',
  'src/api/http/drain.ts ending': 'no records of an organization',
  // When each app last logged why the database cannot be used.
  'src/api/http/error-handler.ts reported': 'no records of an organization',
  'src/api/http/rate-limit.ts underWay': 'no records of an organization',
  // What the requests of one turn of the event loop count.
  'src/api/http/count-together.ts waiting': 'no records of an organization',
  // The parameter `format` of each choice of formats that an endpoint declares.
  'src/api/http/formats.ts parameters': 'no records of an organization',
  'src/api/http/ignored-fields.ts schemas': 'no records of an organization',
  // The names of all organizations, for operators, read anew by each request for jobs.
  'src/api/service/queue-dashboard.ts organizationNames': 'no records of an organization',
  'src/api/insight/reports/cached-charts.ts cache': 'organization',
  'src/api/identity/members/wide-reading.ts readings': 'organization',
  // How many requests write a record now, and who waits for a turn.
  'src/api/http/admission.ts records': 'no records of an organization',
  // How many requests of an account are under way.
  'src/api/http/admission.ts turns': 'no records of an organization',
  // How many reports run, and of whom.
  'src/api/insight/reports/report-places.ts taken': 'no records of an organization',
  // How many streams of progress are open, and of whom.
  'src/api/platform/operations/progress-events.ts streams': 'no records of an organization',
  'src/api/http/read-places.ts own': 'no records of an organization',
  'src/api/http/serializer.ts compiled': 'no records of an organization',
  'src/shared/platform/adapters/mail/smtp.ts inHand': 'no records of an organization',
  'src/shared/platform/adapters/tokens/access-tokens.ts verified': 'no records of an organization',
  'src/shared/platform/adapters/tokens/access-tokens.ts verifiers': 'no records of an organization',
  'src/shared/platform/db/auto-prepare.ts runs': 'no records of an organization',
  // The notification of each kind of event.
  'src/shared/communication/notifications/notified-events.rules.ts notified': 'no records of an organization',
  // The facts of tables, by their declarations.
  'src/shared/platform/db/declare-table.ts tables': 'no records of an organization',
  // The threads that solve a plan.
  'src/shared/platform/adapters/solver/highs-solver.ts working': 'no records of an organization',
  // What the ORM found out about the entities.
  'src/shared/platform/db/database.ts discovered': 'no records of an organization',
  // How refusals are completed after the rollback.
  'src/shared/platform/db/transaction.ts completions': 'no records of an organization',
  'src/shared/platform/db/lost-connections.ts inUse': 'no records of an organization',
  // Whom a notification of the queues is passed on to: one of each worker.
  'src/workers/outbox-acknowledger.ts reasons': 'no records of an organization',
  'src/workers/workers.ts told': 'no records of an organization',
  'src/shared/platform/operations/run-operation.ts runs': 'no records of an organization',
  'src/shared/platform/jobs/queue-listener.ts clients': 'no records of an organization',
  'src/shared/platform/jobs/watch-outbox.ts awaited': 'no records of an organization',
  'src/shared/platform/kernel/money.ts formats': 'no records of an organization',
  // When a delayed job was seen first, by its id; why a connection was lost, and when that was logged.
  'src/shared/platform/jobs/overdue-retries.ts seen': 'no records of an organization',
  // The queues of the process, by name.
  'src/shared/platform/jobs/queue-backend.ts queues': 'no records of an organization',
  'src/shared/platform/kernel/report-once.ts told': 'no records of an organization',
  'src/shared/platform/kernel/zones.ts clocks': 'no records of an organization',
  'src/shared/platform/kernel/zones.ts dates': 'no records of an organization',
  'src/shared/platform/kernel/zones.ts instants': 'no records of an organization',
  'src/shared/platform/kernel/zones.ts zones': 'no records of an organization',
  'src/shared/communication/notifications/templates/when.rules.ts formats': 'no records of an organization',
  // Always empty.
  'src/shared/qualification/currencies/currency.queries.ts nobody': 'no records of an organization',
  'src/workers/outbox-acknowledger.ts done': 'no records of an organization',
  'src/workers/outbox-acknowledger.ts failed': 'no records of an organization',
  // The work under way, and whether each queue is paused.
  'src/workers/run-inline.ts lanes': 'no records of an organization',
  'src/workers/run-inline.ts paused': 'no records of an organization',
}

/** What is made for one call and ends with it. */
const ofOneCall = [
  'src/api/http/ignored-fields.ts names',
  'src/api/http/json-shape.rules.ts names',
  'src/api/http/openapi-examples.ts values',
  'src/api/http/share-parts.ts shared',
  'src/api/http/run-read.ts counted',
  'src/api/http/lists.ts found',
  'src/api/insight/reports/instructor-pay.routes.ts instructors',
  'src/shared/communication/notifications/unproven-mail.access.ts most',
  'src/shared/communication/webhooks/record-event.ts wanted',
  'src/shared/communication/webhooks/sent-events.rules.ts changed',
  'src/shared/fleet/maintenance/copy-maintenance-items.ts resources',
  'src/shared/identity/profiles/profile.rules.ts fields',
  'src/shared/platform/db/write-seals.ts found',
  'src/shared/platform/jobs/add-to-queues.ts groups',
  'src/shared/platform/events/fan-out.ts subjects',
  'src/shared/platform/events/predecessors.rules.ts subjects',
  'src/shared/portability/imports/write-courses.ts ids',
  'src/shared/portability/imports/read-import.ts seen',
  'src/shared/portability/reading/read-json.ts header',
  'src/shared/portability/reading/header.rules.ts known',
  'src/shared/scheduling/at-risk/at-risk.rules.ts notices',
  'src/shared/scheduling/at-risk/find-other-resources.ts fixes',
  'src/shared/scheduling/at-risk/find-other-resources.ts idsOf',
  'src/shared/scheduling/waitlist/withdraw-impossible.ts refused',
  'src/shared/scheduling/openings/openings.rules.ts known',
  'src/shared/scheduling/openings/openings.rules.ts ofCrews',
  'src/shared/scheduling/openings/openings.rules.ts people',
  'src/shared/communication/notifications/reached.access.ts reached',
  'src/shared/scheduling/recoveries/find-places.ts atStart',
  'src/shared/scheduling/recoveries/make-recovery-offers.ts told',
  'src/shared/scheduling/recoveries/find-places.ts crews',
  'src/shared/scheduling/recoveries/places-to-try.rules.ts found',
  'src/shared/scheduling/recoveries/plan-problem.rules.ts open',
  'src/shared/scheduling/recoveries/plan-problem.rules.ts takers',
  'src/shared/scheduling/openings/place-members.rules.ts seated',
  'src/shared/scheduling/reservations/plan-together.rules.ts planned',
  'src/shared/scheduling/rules/balance.rules.ts owed',
  'src/shared/scheduling/rules/near-times.rules.ts longest',
  'src/shared/scheduling/rules/pool-order.rules.ts days',
  'src/shared/workflows/bulk-groups.rules.ts group',
  'src/shared/workflows/bulk-groups.rules.ts groups',
  'src/shared/workflows/change-in-bulk.ts outcomes',
  'src/shared/training/courses/syllabus.rules.ts seen',
  'src/shared/training/readiness/readiness.access.ts withheld',
  'src/shared/training/records/record.access.ts seen',
]

const root = join(import.meta.dirname, '../..')
const files = ['api', 'shared', 'workers'].flatMap((part) => globSync(`src/${part}/**/*.ts`, { cwd: root }))
/** A collection that starts empty, at the top of a module or of a function. */
const collection =
  /^(?: {2})?(?:const|let) (\w+)(?:: [^=]+)? = new (?:(?:Map|Set|WeakMap|WeakSet|LRUCache)(?:<.*>)?\(\)|LeastRecentlyUsed<)/gm

/** Whether each key that a text writes into a collection begins with the organization's id. */
function beginsWithOrganization(text: string, name: string): boolean {
  const keys = [...text.matchAll(new RegExp(`\\b${name}\\.(?:set|add)\\(\\s*([^,)]+)`, 'g'))].map(([, key = '']) => key)
  return keys.length > 0 && keys.every((key) => /^(`\$\{)?(\w+\.)*organizationId\b/.test(key))
}

const source = (file: string) => readFileSync(join(root, file), 'utf8')

describe('what a process keeps in memory', () => {
  test('is listed here, each with what it holds', () => {
    const found = files.flatMap((file) => [...source(file).matchAll(collection)].map(([, name]) => `${file} ${name}`))
    expect(found.sort()).toEqual([...Object.keys(kept), ...ofOneCall].sort())
  })

  test('is found by the organization first, when it holds records of one', () => {
    const holding = Object.entries(kept).filter(([, holds]) => holds === 'organization')
    for (const [place] of holding) {
      const [file = '', name = ''] = place.split(' ')
      expect(beginsWithOrganization(source(file), name), place).toBe(true)
    }
  })

  test.each([
    ['cache.set(organizationId, rows)', true],
    ['cache.set(actor.organizationId, rows)', true],
    ['cache.set(organizationId + id, row)', true],
    ['cache.set(id + organizationId, row)', false],
    ['cache.set(organizationId, row); cache.set(id, row)', false],
    ['cache.get(organizationId)', false],
  ])('the check of keys tells %j apart', (text, right) => {
    expect(beginsWithOrganization(text, 'cache')).toBe(right)
  })
})
