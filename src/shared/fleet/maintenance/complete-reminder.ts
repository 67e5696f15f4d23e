import type { Actor } from '../../platform/authz/actor.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import type { Sentence } from '../../platform/kernel/errors.ts'
import { formatReading } from '../../platform/kernel/hours.ts'
import { type Hundredths, hundredths } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import { replaceLimits } from './add-reminder.ts'
import { type LockedReminder, lockReminder, metersOf } from './maintenance.access.ts'
import { recomputeHoldOf } from './recompute-hold.ts'
import { type Limit, limitAfter, type MeterBasis, type MeterReadings, overrunOf } from './reminder.rules.ts'

export interface Completion {
  doneAt: Date | null
  /** Of the one meter that the item counts by, in hundredths. */
  reading: Hundredths | null
  /** Of each meter, in hundredths; those left out are the present ones. */
  readings: Partial<MeterReadings>
  notes: string | null
}

/** Hours beyond a due reading that 14 CFR 91.409(b) allows, to reach the place of the inspection. */
const OVERRUN = hundredths(1000)

/**
 * Records a completion: now and at the present readings unless given. The next interval of each limit starts there, or
 * where a meter was due when the item carries the excess; a limit without one does not come due again. The hold is
 * recomputed.
 * @throws NotFound when the organization has no such item.
 * @throws Invalid for a completion in the future, a reading of no limit, and when a reading is neither given nor known.
 */
export async function completeReminder(
  tx: Tx,
  actor: Actor,
  id: number,
  input: Completion,
): Promise<{ id: number; warnings: Sentence[] }> {
  const { organizationId, orgUserId } = actor
  const locked = await lockReminder(tx, actor, id)
  const { reminder, resource, limits, zone } = locked
  const doneAt = input.doneAt ?? tx.now
  if (doneAt > tx.now) throw fleetErrors.doneInFuture()
  const meters = readingsOf(locked, input)
  const [metered] = limits.filter((limit) => limit.basis !== 'calendar')
  await tx.db
    .insertInto('maintenance_completion')
    .values({
      organization_id: organizationId,
      reminder_id: id,
      membership_id: orgUserId,
      done_at: doneAt,
      reading_hundredths: metered ? meters[metered.basis as MeterBasis] : input.reading,
      notes: input.notes,
    })
    .execute()
  await replaceLimits(
    tx,
    reminder,
    limits.map((limit) => limitAfter(limit, { doneAt, meters, zone }, reminder.carry)),
  )
  reminder.toldStatus = 'ok'
  await recomputeHoldOf(tx, resource, orgUserId)
  return { id, warnings: reminder.carry ? overruns(limits, meters) : [] }
}

/**
 * Returns the readings of a completion: as given, else the present ones.
 * @throws Invalid when a meter that a limit counts by has none, or `reading` stands for several
 */
function readingsOf({ resource, limits }: LockedReminder, { reading, readings }: Completion): MeterReadings {
  const bases = limits.flatMap(({ basis }) => (basis === 'calendar' ? [] : [basis]))
  if (reading !== null && bases.length > 1) throw fleetErrors.readingOfSeveral()
  const [only] = bases
  const meters = { ...metersOf(resource), ...readings, ...(only && reading !== null && { [only]: reading }) }
  if (bases.some((basis) => meters[basis] === null)) throw fleetErrors.readingMissing()
  return meters
}

function overruns(limits: readonly Limit[], meters: MeterReadings): Sentence[] {
  const late = limits.map((limit) => overrunOf(limit, meters)).filter((overrun) => overrun > OVERRUN)
  return late.map((overrun) => fleetErrors.overrun({ hours: formatReading(overrun) }))
}
