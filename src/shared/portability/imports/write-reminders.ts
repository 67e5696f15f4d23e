import { addMaintenanceItem } from '../../fleet/maintenance/add-maintenance-item.ts'
import { changeMaintenanceItem } from '../../fleet/maintenance/change-maintenance-item.ts'
import { lastDoneAnomalies } from '../../fleet/maintenance/completion.rules.ts'
import { type LimitBasis, limitBases } from '../../fleet/maintenance/maintenance-item.rules.ts'
import { type MaintenanceKind, maintenanceKinds } from '../../fleet/maintenance/maintenance-kind.rules.ts'
import { type Hundredths, hundredths } from '../../platform/kernel/units.ts'
import { portabilityErrors } from '../portability.errors.ts'
import type { RowProblem } from '../reading/cells.rules.ts'
import { optional, required } from '../reading/columns.rules.ts'
import { flag, line, moment, reading, whole, word } from '../reading/parsers.rules.ts'
import { loadResources, onlyOf, resourceName, resourceWords } from './find-named.ts'
import { importKind } from './import.types.ts'
import { findKnownItems } from './known-work.queries.ts'
import { changesOf, isNamed, isNothing, nameKey, tailKey } from './match.rules.ts'

/** How long before its limit a new item is due soon: in days, and in hundredths of an hour of its meter. */
const WARN_DAYS = 30
const WARN_HOURS = hundredths(1000)

const columns = {
  resource: required(resourceName, resourceWords),
  name: required(line(200), {
    example: 'Annual inspection',
    doc: 'Its name',
    aliases: ['item', 'inspection', 'reminder'],
  }),
  kind: optional(word(maintenanceKinds), {
    example: 'annual',
    doc: 'Which inspection it is: annual, hundred_hour, elt, transponder, altimeter, vor or other; blank: by the words in its name',
    aliases: ['inspection kind'],
  }),
  basis: required(word(limitBases), {
    example: 'calendar',
    doc: 'What it counts by: calendar, hobbs, tach or use. Several limits of one item are several rows',
    aliases: ['counts by'],
  }),
  intervalMonths: optional(whole(1, 1200), {
    example: '12',
    doc: 'Calendar months from one to the next',
    aliases: ['months'],
  }),
  intervalDays: optional(whole(1, 36_500), { example: '', doc: 'Days from one to the next', aliases: ['days'] }),
  intervalHours: optional(reading, { example: '', doc: 'Hours of the meter from one to the next', aliases: ['hours'] }),
  lastDoneAt: optional(moment, {
    example: '2026-03-14',
    doc: 'When it was last done',
    aliases: ['last done', 'last date'],
    isDate: true,
  }),
  lastDoneReading: optional(reading, { example: '', doc: 'What the meter read then', aliases: ['last reading'] }),
  grounding: optional(flag, { example: 'yes', doc: 'Whether it grounds the aircraft when it is overdue: yes or no' }),
}

/**
 * Imports maintenance items. Each row is one limit of an item. A row is matched with a stored item by aircraft and
 * name.
 */
export const importReminders = importKind({
  columns,
  bringsAddresses: false,
  namesOf: ({ resource, name, basis }) => [`${tailKey(resource)} ${nameKey(name)} by ${basis}`],
  externalIdOf: () => null,
  async open(tx, actor, rows) {
    const { organizationId } = actor
    const resourceOf = await loadResources(
      tx,
      organizationId,
      rows.map(({ resource }) => resource),
    )
    return async ({ resource, name, kind, grounding, ...row }) => {
      const { id: resourceId, ...meters } = resourceOf('resource', resource)
      const known = await findKnownItems(tx.db, organizationId, resourceId)
      const stored = onlyOf('name', known, (one) => isNamed(one.name, name))
      const limit = stored?.limits.find(({ basis }) => basis === row.basis)
      const problems = problemsOf(row, meters, limit?.lastDoneReading ?? null)
      if (!stored) {
        const item = {
          resourceId,
          name,
          kind,
          grounding: grounding ?? false,
          warnDays: WARN_DAYS,
          warnHours: WARN_HOURS,
        }
        const { id } = await addMaintenanceItem(tx, actor, { ...item, ...row, confirmMeterAnomaly: true })
        return { outcome: 'created', id, problems }
      }
      const { id } = stored
      const kept = stored.limits.map(({ basis }) => ({ basis }))
      const changed = changesOf<object>(limit ?? {}, row)
      const changes = {
        ...changesOf<{ grounding?: boolean; kind?: MaintenanceKind }>(
          { grounding: stored.grounding, kind: stored.kind },
          { grounding, kind },
        ),
        ...(!isNothing(changed) && {
          limits: [...kept.filter(({ basis }) => basis !== row.basis), { ...changed, basis: row.basis }],
        }),
      }
      if (isNothing(changes)) return { outcome: 'unchanged', id }
      await changeMaintenanceItem(tx, actor, id, { ...changes, confirmMeterAnomaly: true })
      return { outcome: 'updated', id, problems }
    }
  },
})

/**
 * Returns the problem of a reading that looks like a typo, as by `PATCH /maintenance/reminders/{id}`. The meters of the aircraft can be
 * older than the file, and nobody is there to confirm it: it is stored.
 */
function problemsOf(
  { basis, lastDoneReading }: { basis: LimitBasis; lastDoneReading?: Hundredths | undefined },
  { hobbsTime: hobbs, tachTime: tach }: Record<'hobbsTime' | 'tachTime', Hundredths | null>,
  lastDone: Hundredths | null,
): RowProblem[] {
  const stored = [{ basis, lastDone }]
  const anomalies = lastDoneAnomalies([{ basis, lastDoneReading }], { hobbs, tach, landings: null }, stored)
  return anomalies.map(({ kind, compared }) => {
    const isAbove = kind === 'above_aircraft'
    const message = isAbove
      ? portabilityErrors.aboveAircraft({ compared })
      : portabilityErrors.belowLastDone({ compared })
    return { column: 'lastDoneReading', message }
  })
}
