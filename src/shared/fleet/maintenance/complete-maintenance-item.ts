import { notify } from '../../communication/notifications/notify.ts'
import { assertTakesUploads } from '../../identity/members/member.access.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { formatReading } from '../../platform/kernel/hours.ts'
import { type Hundredths, hundredths, ZERO } from '../../platform/kernel/units.ts'
import { seal } from '../../platform/seals/seal.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { insertFiles } from '../resources/add-files.ts'
import { replaceLimits } from './add-maintenance-item.ts'
import { maintainers } from './change-squawk.ts'
import { findLastReadings } from './completion.queries.ts'
import { type BeforeCompletion, completionAnomalies } from './completion.rules.ts'
import { asksForDeferred } from './deferral.rules.ts'
import {
  endDeferrals,
  type LockedMaintenanceItem,
  loadMaintenanceItems,
  lockMaintenanceItem,
  metersOf,
} from './maintenance.access.ts'
import { dueOf, findMaintenanceItemsOf, type MaintenanceItemRow } from './maintenance-item.queries.ts'
import { limitAfter, type MeterReadings, meterBases, overrunOf } from './maintenance-item.rules.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { findUnresolvedSquawks } from './squawk.queries.ts'

export interface Completion {
  doneAt: Date | null
  /** The reading of the only meter that the item counts by, in hundredths. */
  reading: Hundredths | null
  /** The readings of the meters, in hundredths. A meter that is not given has its present reading. */
  readings: Partial<MeterReadings>
  notes: string | null
  /** The person who approved the aircraft for return to service (14 CFR 43.9, 43.11). */
  signedBy: { name: string; certificateNumber: string } | null
  workOrder: string | null
  /** The names of the files of the completion that will be uploaded. */
  files: string[]
  /** The ids of squawks that were inspected and stay deferred. */
  inspectedSquawkIds: number[]
  /** Whether readings that look like typos were confirmed. */
  confirmMeterAnomaly: boolean
}

/**
 * The hours past a due reading that 14 CFR 91.409(b) allows for a flight to the place of the inspection, in hundredths.
 */
const OVERRUN = hundredths(1000)

/**
 * Records a completion of an item and of the items that it satisfies directly, by default now and at the present
 * readings. The next interval of each limit starts at the completion, or at the due reading when the item has `carry`
 * and the work was done late. A limit without an interval does not come due again. Recomputes the hold. Returns
 * warnings about late work and about deferred squawks that were not inspected. Keeps what it changes, so that it can be undone.
 * Implements interface §Maintenance and docs/decisions/0024.
 */
export async function completeMaintenanceItem(
  tx: Tx,
  actor: Actor,
  id: number,
  input: Completion,
): Promise<{ id: number; fileIds: number[]; warnings: Sentence[] }> {
  const { organizationId, orgUserId } = actor
  if (input.files.length > 0) await assertTakesUploads(tx, actor, input.files.length, maintainers)
  const locked = await lockMaintenanceItem(tx, actor, id)
  const { resource } = locked
  const doneAt = input.doneAt ?? tx.now
  if (doneAt > tx.now) throw fleetErrors.doneInFuture()
  const meters = readingsOf(locked, input)
  if (!input.confirmMeterAnomaly) await assertIsPlausible(tx, locked, input)
  const rows = await findMaintenanceItemsOf(tx.db, organizationId, resource.id)
  const { satisfies = [] } = rows.find((row) => row.id === id) ?? {}
  const done = rows.filter((row) => row.id === id || satisfies.includes(row.id))
  const ended = await endPassedOver(tx, actor, locked, { done, inspectedIds: input.inspectedSquawkIds })
  const completionId = await recordAll(tx, actor, id, done, { ...input, doneAt, meters, endedSquawkIds: ended.ids })
  const fileIds = await addPapers(tx, actor, resource.id, completionId, input.files)
  for (const row of done) {
    const after = dueOf(row).limits.map((limit) => limitAfter(limit, { doneAt, meters, zone: row.zone }, row.carry))
    await replaceLimits(tx, { organizationId, id: row.id }, after)
  }
  for (const item of await loadMaintenanceItems(tx, resource)) {
    if (done.some((row) => row.id === item.id)) item.notifiedStatus = 'ok'
  }
  await recomputeHoldOf(tx, resource, orgUserId)
  const late = done.flatMap((row) => (row.carry ? overruns(row, meters) : []))
  return { id, fileIds, warnings: [...late, ...ended.warnings] }
}

/** Returns the readings of a completion: the given ones, otherwise the present ones. */
function readingsOf({ resource, limits }: LockedMaintenanceItem, { reading, readings }: Completion): MeterReadings {
  const bases = meterBases.filter((meter) => limits.some(({ basis }) => basis === meter))
  if (reading !== null && bases.length > 1) throw fleetErrors.readingOfSeveral()
  const [only] = bases
  if (only === 'landings' && (reading ?? 0) % 100 !== 0) throw fleetErrors.wholeLandings({ field: 'reading' })
  const meters = { ...metersOf(resource), ...readings, ...(only && reading !== null && { [only]: reading }) }
  if (bases.some((basis) => meters[basis] === null)) throw fleetErrors.readingMissing()
  return meters
}

/**
 * Ensures that the given readings fit those of the aircraft and of the last completion. The reading of an item that counts by no meter
 * is compared with the hour meter of the aircraft that reads most.
 */
async function assertIsPlausible(
  tx: Tx,
  { item, resource, limits }: LockedMaintenanceItem,
  { reading, readings }: Completion,
): Promise<void> {
  if (reading === null && Object.keys(readings).length === 0) return
  const aircraft = metersOf(resource)
  const only = meterBases.find((meter) => limits.some(({ basis }) => basis === meter))
  const given = { ...readings, ...(only && reading !== null && { [only]: reading }) }
  const most = (aircraft.hobbs ?? ZERO) >= (aircraft.tach ?? ZERO) ? 'hobbs' : 'tach'
  const anomalies = [
    ...completionAnomalies(given, aircraft, await findLastReadings(tx.db, item.organizationId, item.id)),
    ...(only ? [] : completionAnomalies({ [most]: reading }, aircraft, {})),
  ]
  if (anomalies.length > 0) throw fleetErrors.meterAnomaly({}, { anomalies })
}

/**
 * Records the completions of an item and of those that it satisfies. Returns the id of the item's own, which is recorded last and keeps
 * what all of them changed.
 */
async function recordAll(
  tx: Tx,
  actor: Actor,
  id: number,
  rows: readonly MaintenanceItemRow[],
  { endedSquawkIds, ...done }: Done & { endedSquawkIds: number[] },
): Promise<number> {
  const own = rows.find((row) => row.id === id)!
  const before: BeforeCompletion = { limits: own.limits, satisfied: [], endedSquawkIds }
  for (const row of rows.filter((one) => one !== own)) {
    const completionId = await record(tx, actor, row, { ...done, satisfiedById: id, before: null })
    before.satisfied.push({ completionId, reminderId: row.id, limits: row.limits })
  }
  return record(tx, actor, own, { ...done, satisfiedById: null, before })
}

type Done = Completion & { doneAt: Date; meters: MeterReadings }

async function record(
  tx: Tx,
  actor: Actor,
  row: MaintenanceItemRow,
  { meters, signedBy, ...done }: Done & { satisfiedById: number | null; before: BeforeCompletion | null },
): Promise<number> {
  const metered = meterBases.find((meter) => row.limits.some(({ basis }) => basis === meter))
  const { id } = await tx.db
    .insertInto('maintenance_completion')
    .values({
      organization_id: actor.organizationId,
      reminder_id: row.id,
      membership_id: actor.orgUserId,
      done_at: done.doneAt,
      reading_hundredths: metered ? meters[metered] : done.reading,
      hobbs_hundredths: meters.hobbs,
      tach_hundredths: meters.tach,
      landings: meters.landings && Math.trunc(meters.landings / 100),
      notes: done.notes,
      signer_name: signedBy?.name ?? null,
      signer_certificate_number: signedBy?.certificateNumber ?? null,
      work_order: done.workOrder,
      satisfied_by_id: done.satisfiedById,
      before: done.before && (JSON.stringify(done.before) as never),
      created_at: tx.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  seal(tx, actor, 'maintenance.completed', { id, of: null })
  return id
}

async function addPapers(tx: Tx, actor: Actor, resourceId: number, completionId: number, fileNames: string[]) {
  const papers = { category: 'logbook_scan', visibility: 'bookers', fileNames, completionId } as const
  return (await insertFiles(tx, actor, resourceId, papers, 'files')).ids
}

/**
 * When a completed item is an inspection, ends the deferrals of all squawks that were not inspected: they hold the
 * aircraft until they are resolved or deferred again (14 CFR 91.405(c)). Returns their ids, and a warning about them.
 */
async function endPassedOver(
  tx: Tx,
  { organizationId, orgUserId }: Actor,
  { resource }: LockedMaintenanceItem,
  { done, inspectedIds }: { done: readonly MaintenanceItemRow[]; inspectedIds: readonly number[] },
): Promise<{ ids: number[]; warnings: Sentence[] }> {
  const squawks = await findUnresolvedSquawks(tx.db, organizationId, resource.id, tx.now)
  const deferred = new Set(squawks.filter(({ status }) => status === 'deferred').map((squawk) => squawk.id))
  const unknown = inspectedIds.findIndex((squawkId) => !deferred.has(squawkId))
  if (unknown >= 0) throw fleetErrors.inspectedUndeferred({ field: `inspectedSquawkIds.${unknown}` })
  if (!done.some(asksForDeferred)) return { ids: [], warnings: [] }
  const ended = await endDeferrals(tx, resource, (squawk) => !inspectedIds.includes(squawk.id))
  for (const { id: subjectId } of ended) {
    notify(tx, { organizationId, kind: 'deferral_ended', subjectId, causedBy: orgUserId })
  }
  const titles = ended.map(({ title }) => title).join(', ')
  return { ids: ended.map((one) => one.id), warnings: ended.length > 0 ? [fleetErrors.passedOver({ titles })] : [] }
}

function overruns(row: MaintenanceItemRow, meters: MeterReadings): Sentence[] {
  const late = dueOf(row)
    .limits.map((limit) => overrunOf(limit, meters))
    .filter((overrun) => overrun > OVERRUN)
  return late.map((overrun) => fleetErrors.overrun({ item: row.name, hours: formatReading(overrun) }))
}
