import { z } from 'zod'
import { hundredthsFromTenths, readingToNumber } from '../../../shared/platform/kernel/hours.ts'
import { hundredths, tenths } from '../../../shared/platform/kernel/units.ts'
import type { HistoryRow } from '../../../shared/scheduling/reservations/history.queries.ts'
import { iso } from '../../http/iso.ts'
import { personView } from '../../http/persons.ts'
import { Id, Instant, Person } from '../../http/schemas.ts'
import { type StoredStake, stakeFigures } from './stake.view.ts'

const Figures = z.record(z.string(), z.unknown()).nullable()

/** An action on a booking. */
export const HistoryEntry = z
  .object({
    id: Id,
    action: z.string(),
    at: Instant,
    by: Person.nullable(),
    reason: z.string().nullable(),
    before: Figures,
    after: Figures,
  })
  .meta({ id: 'HistoryEntry' })

/** Returns an action with the names and units of the interface. */
export function historyView(row: HistoryRow): z.input<typeof HistoryEntry> {
  return {
    id: row.id,
    action: row.action,
    at: iso(row.at),
    by: personView(row.membership_id, row.name),
    reason: row.reason ?? null,
    before: figures(row.before),
    after: figures(row.after),
  }
}

/** The names of readings in the interface, by stored key. The stored values are hundredths of an hour. */
const readings: Record<string, string> = {
  hobbsOut: 'hobbsTimeOut',
  hobbsIn: 'hobbsTimeIn',
  tachOut: 'tachTimeOut',
  tachIn: 'tachTimeIn',
  hobbsTimeOut: 'hobbsTimeOut',
  hobbsTimeIn: 'hobbsTimeIn',
  tachTimeOut: 'tachTimeOut',
  tachTimeIn: 'tachTimeIn',
}

/** Returns stored figures with the names and units of the interface: hours and per cent. */
export function figures(stored: Record<string, unknown> | null): Record<string, unknown> | null {
  if (!stored) return null
  return Object.fromEntries(Object.entries(stored).map(([name, value]) => figure(name, value)))
}

function figure(name: string, value: unknown): [string, unknown] {
  const reading = readings[name]
  if (reading) return [reading, typeof value === 'number' ? readingToNumber(hundredths(value)) : value]
  if (name === 'briefing')
    return [name, typeof value === 'number' ? readingToNumber(hundredthsFromTenths(tenths(value))) : value]
  if (name === 'payers' && Array.isArray(value)) return [name, value.map(payer)]
  return [name, value]
}

function payer({ orgUserId, guestId, ...stake }: StoredStake) {
  return { orgUserId, guestId, ...stakeFigures(stake) }
}
