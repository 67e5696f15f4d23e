import { createPayRun } from '../../../src/shared/billing/pay-runs/create-pay-run.ts'
import { testWebhook } from '../../../src/shared/communication/webhooks/test-webhook.ts'
import { createWebhook } from '../../../src/shared/communication/webhooks/write-webhook.ts'
import { operationWorks } from '../../../src/shared/composition/operation-works.ts'
import { createConnectionSecrets } from '../../../src/shared/platform/adapters/tokens/connection-secrets.ts'
import { createMailTokens } from '../../../src/shared/platform/adapters/tokens/mail-tokens.ts'
import { publicEventKinds } from '../../../src/shared/platform/contracts/event-kinds.ts'
import type { Database } from '../../../src/shared/platform/db/database.ts'
import { inTransaction } from '../../../src/shared/platform/db/transaction.ts'
import type { Clock } from '../../../src/shared/platform/kernel/clock.ts'
import { addDays, localDate, wallToInstant } from '../../../src/shared/platform/kernel/zones.ts'
import { runRest } from '../../../src/shared/platform/operations/run-operation.ts'
import { judgeMarked } from '../../../src/shared/scheduling/at-risk/judge-marked.ts'
import { addClosure } from '../../../src/shared/scheduling/closures/write-closure.ts'
import { startRecovery } from '../../../src/shared/scheduling/recoveries/start-recovery.ts'
import { startBulk } from '../../../src/shared/workflows/start-bulk.ts'
import { prepareForTest } from './before-the-test.ts'
import { addCourses, type CourseKey, type DemoCourse } from './courses.ts'
import { daysFrom } from './days.ts'
import { fillWeek, type MeterMap } from './fill-week.ts'
import { type DemoSchool, foundSchool, ZONE } from './found-school.ts'
import { runDesk } from './front-desk.ts'
import { leaveOverdue } from './leave-overdue.ts'
import { addMaintenance, reportSquawks } from './maintenance.ts'
import { notifyMembers } from './notify-members.ts'
import { type DemoFile, filePapers, postAnnouncements } from './papers.ts'
import { addParent } from './parent.ts'
import { fillPastWeeks } from './past-weeks.ts'
import { qualifyPilots } from './qualify-pilots.ts'
import { receiveRequests } from './requests.ts'
import { type SchoolTransaction, schoolTransaction } from './school-transaction.ts'
import { addStalled } from './stalled.ts'
import { endorse, enrolStudents, graduate } from './training.ts'
import { fillWaitlist } from './waitlist.ts'

const FOUNDED_DAYS_AGO = 95

/** No subscribers: events of the past notify nobody. */
const nobody = new Set<never>()

/** The inputs of the demo school. */
export interface SchoolParts {
  database: Database
  clock: Clock
  /** The keys of the service (JWK set). */
  keys: Parameters<typeof createMailTokens>[0]
  /** Whether flights and fees are invoiced at the payment gateway. */
  invoices: boolean
  /** The URL of the school's webhook. */
  receiverUrl: string
  /** Whether documents and files are added. The caller stores their contents after the commit. */
  files: boolean
}

/** The created school. */
export interface BuiltSchool extends DemoSchool {
  courses: Record<CourseKey, DemoCourse>
  /** Ids of the invoices to pay at the gateway. */
  toPay: number[]
  files: DemoFile[]
}

/**
 * Creates the demo school in one transaction with the real use cases, each at its own time: people, fleet, three months
 * of flights, lessons and documents, a week of bookings around today, and requests to decide. Then adds its members'
 * in-app notifications of the last two weeks.
 */
export async function buildDemoSchool(parts: SchoolParts): Promise<BuiltSchool> {
  const { database, clock, keys } = parts
  const mailTokens = createMailTokens(keys)
  const { result } = await inTransaction({ ...database, subscribed: nobody }, clock, async (tx) => {
    const { now } = tx
    const school = schoolTransaction(tx)
    const foundedAt = daysFrom(now, -FOUNDED_DAYS_AGO)
    const founded = await foundSchool(school, mailTokens, foundedAt)
    const courses = await addCourses(school, founded, daysFrom(now, -91))
    const enrollments = await enrolStudents(school, founded, courses, now)
    const meters: MeterMap = new Map()
    await fillPastWeeks(school, founded, enrollments, { now, meters })
    await runDesk(school, founded, mailTokens, now)
    await qualifyPilots(school, founded, now)
    await graduate(school, founded, enrollments, now)
    await endorse(school, founded, enrollments, now)
    await prepareForTest(school, founded, enrollments, now)
    await addParent(school, founded, mailTokens, now)
    const toPay = await fillWeek(school, founded, enrollments, { now, meters, invoices: parts.invoices })
    await payInstructors(school, founded, now)
    await addMaintenance(school, founded, now, meters)
    await reportSquawks(school, founded, now)
    await closeBooked(school, founded, now)
    await tryBulk(school, founded, now)
    await planAhead(school, founded, now)
    await receiveRequests(school, founded, mailTokens, now)
    if (parts.invoices) await leaveOverdue(school, founded, headsetOf(founded), now)
    await addWebhook(school, founded, parts, now)
    await postAnnouncements(school, founded, now)
    await addStalled(school, founded, courses.private, { now, invoices: parts.invoices })
    await school.at(now, (of) => judgeMarked(of, founded.actors.dana.organizationId))
    await fillWaitlist(school, founded, mailTokens, now)
    const files = parts.files ? await filePapers(school, founded, enrollments, now) : []
    return { ...founded, courses, toPay, files, notified: school.notified }
  })
  const { notified, ...built } = result
  await notifyMembers(database, notified, clock())
  return built
}

/** Creates two pay runs for the instructors; the second ends eight days ago. */
async function payInstructors(school: SchoolTransaction, { actors }: DemoSchool, now: Date): Promise<void> {
  const day = (before: number) => addDays(localDate(now, ZONE), -before)
  for (const [from, to] of [
    [94, 38],
    [37, 8],
  ] as const) {
    await school.at(daysFrom(now, 1 - to), (tx) =>
      createPayRun(tx, actors.adam, { startDate: day(from), endDate: day(to) }),
    )
  }
}

/** The headset that a renter has not paid for. */
const headsetOf = ({ actors }: DemoSchool) => ({
  orgUserId: actors.rita.orgUserId,
  item: { description: 'Headset rental, one month', unit: 'month', priceCents: 12_500 },
  memo: 'Headset rental',
  createdDaysAgo: 24,
  dueDaysAgo: 10,
})

/** Adds a webhook for all events and sends it a test event. */
async function addWebhook(
  school: SchoolTransaction,
  { actors: { adam } }: DemoSchool,
  { keys, receiverUrl }: SchoolParts,
  now: Date,
): Promise<void> {
  const secrets = createConnectionSecrets(keys)
  const webhook = { url: receiverUrl, events: [...publicEventKinds] }
  const { id } = await school.at(daysFrom(now, -30), (tx) => createWebhook(tx, adam, secrets, webhook))
  await school.at(now, (tx) => testWebhook(tx, adam, id))
}

/** Closes an aircraft on a morning on which a student has booked it, so that the booking is at risk. */
async function closeBooked(school: SchoolTransaction, { actors, resourceIds }: DemoSchool, now: Date): Promise<void> {
  const at = (hour: number) => wallToInstant(addDays(localDate(now, ZONE), 3), hour * 60, ZONE)
  const closure = { start: at(7), end: at(12), reason: 'Door latch', resourceId: resourceIds.N518FL }
  await school.at(daysFrom(now, -1), (tx) =>
    addClosure(tx, actors.dana, { ...closure, locationId: null, recurrence: null, zone: null }),
  )
}

/** Starts a bulk operation as a dry run: the dispatcher moves tomorrow's bookings by three hours. */
async function tryBulk(school: SchoolTransaction, { actors }: DemoSchool, now: Date): Promise<void> {
  const at = (minute: number) => wallToInstant(addDays(localDate(now, ZONE), 1), minute, ZONE)
  const { dana } = actors
  const { id: operationId } = await school.at(now, (tx) =>
    startBulk(tx, dana, {
      selection: { start: at(0), end: at(1440), match: 'starts' },
      hasChoices: false,
      expectedCount: null,
      atomic: false,
      action: { move: { minutes: 180 } },
      dryRun: true,
      notify: true,
      overrides: [],
    }),
  )
  const transaction: Parameters<typeof runRest>[0]['transaction'] = (work) => school.at(now, work)
  await runRest({ transaction }, operationWorks, { organizationId: dana.organizationId, operationId })
}

/** Plans where the bookings of N734FL could go from tomorrow on, for the days when the shop wants it. Nobody has applied the plan. */
async function planAhead(school: SchoolTransaction, { actors, resourceIds }: DemoSchool, now: Date): Promise<void> {
  const at = (day: number) => wallToInstant(addDays(localDate(now, ZONE), day), 0, ZONE)
  const { dana } = actors
  const { id: operationId } = await school.at(now, (tx) =>
    startRecovery(tx, dana, {
      cause: { resourceIds: [resourceIds.N734FL] },
      start: at(1),
      end: at(5),
      reach: { days: 3, instructors: 'own', pools: 'model' },
    }),
  )
  const transaction: Parameters<typeof runRest>[0]['transaction'] = (work) => school.at(now, work)
  await runRest({ transaction }, operationWorks, { organizationId: dana.organizationId, operationId })
}
