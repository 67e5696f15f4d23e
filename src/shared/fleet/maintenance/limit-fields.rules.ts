import { type Hundredths, hundredths, ZERO } from '../../platform/kernel/units.ts'
import { fleetErrors } from '../fleet.errors.ts'
import type { ResourceKind } from '../resources/resource.rules.ts'
import { type Limit, type LimitBasis, limitAfter, type MeterReadings } from './maintenance-item.rules.ts'

/** The fields of a limit in a body. Readings and hours are hundredths; a count of landings is whole. */
export interface LimitFields {
  intervalMonths?: number | null | undefined
  intervalDays?: number | null | undefined
  intervalHours?: Hundredths | null | undefined
  intervalCount?: number | null | undefined
  lastDoneAt?: Date | null | undefined
  lastDoneReading?: Hundredths | null | undefined
  dueAt?: Date | null | undefined
  dueReading?: Hundredths | null | undefined
  usedHours?: Hundredths | null | undefined
}

export interface LimitInput extends LimitFields {
  basis: LimitBasis
}

/** The names of a limit's fields. A body with one of them adds or changes a limit. */
export const limitFields = [
  'intervalMonths',
  'intervalDays',
  'intervalHours',
  'intervalCount',
  'lastDoneAt',
  'lastDoneReading',
  'dueAt',
  'dueReading',
  'usedHours',
] as const satisfies (keyof LimitFields)[]

/** The fields that determine the start and the length of an interval. */
const counting = limitFields.filter((name) => !name.startsWith('due') && name !== 'usedHours')

/** The default start of an interval: the present time and meters, with the time zone of the aircraft. */
interface From {
  now: Date
  meters: MeterReadings
  zone: string
}

const calendarOnly = ['intervalMonths', 'intervalDays', 'dueAt'] as const
const hoursOnly = ['intervalHours'] as const
const landingsOnly = ['intervalCount'] as const
const useOnly = ['usedHours'] as const
const ofReadings = ['lastDoneReading', 'dueReading'] as const

const foreignFields: Record<LimitBasis, readonly (keyof LimitFields)[]> = {
  calendar: [...hoursOnly, ...landingsOnly, ...useOnly, 'dueReading'],
  hobbs: [...calendarOnly, ...landingsOnly, ...useOnly],
  tach: [...calendarOnly, ...landingsOnly, ...useOnly],
  landings: [...calendarOnly, ...hoursOnly, ...useOnly],
  use: [...calendarOnly, ...landingsOnly, ...ofReadings],
}

const basesOf: Record<ResourceKind, readonly LimitBasis[]> = {
  plane: ['calendar', 'hobbs', 'tach', 'landings', 'use'],
  simulator: ['calendar', 'hobbs', 'use'],
  room: ['calendar'],
}

/**
 * Returns a limit with the given fields; absent fields keep their stored values. The due date or reading is the given
 * one. When none is given, a new limit, and a stored one whose interval or last completion is given, is due one
 * interval after the last completion or, without one, after now. Otherwise the stored due date or reading stays.
 * Implements interface §Maintenance and docs/decisions/0024.
 * @param field the path of the fields in the body, such as `limits.0.`
 */
export function limitFrom(input: LimitInput, stored: Limit | null, at: From, field = ''): Limit {
  const { basis } = input
  const foreign = foreignFields[basis].find((name) => input[name] != null)
  if (foreign) throw fleetErrors.notOfThisBasis({ field: `${field}${foreign}`, basis })
  const part = ofReadings.find((name) => (input[name] ?? 0) % 100 !== 0)
  if (basis === 'landings' && part) throw fleetErrors.wholeLandings({ field: `${field}${part}` })
  const kept = stored ?? blank(basis)
  const limit: Limit = {
    ...kept,
    intervalMonths: given(input.intervalMonths, kept.intervalMonths),
    intervalDays: given(input.intervalDays, kept.intervalDays),
    interval: given(basis === 'landings' ? ofLandings(input.intervalCount) : input.intervalHours, kept.interval),
    lastDoneAt: given(input.lastDoneAt, kept.lastDoneAt),
    lastDone: given(input.lastDoneReading, kept.lastDone),
    used: basis === 'use' ? given(input.usedHours, kept.used ?? ZERO) : null,
  }
  if (basis === 'use') return byUse(limit, field)
  if (limit.intervalMonths !== null && limit.intervalDays !== null) {
    throw fleetErrors.oneInterval({ field: `${field}intervalDays` })
  }
  const recounts = !stored || counting.some((name) => input[name] !== undefined)
  const counted = recounts ? countedFrom(limit, at) : kept
  if (stored) return { ...limit, dueAt: given(input.dueAt, counted.dueAt), due: given(input.dueReading, counted.due) }
  const due = { dueAt: input.dueAt ?? counted.dueAt, due: input.dueReading ?? counted.due }
  if (due.dueAt === null && due.due === null) throw notDue(basis, field)
  return { ...limit, ...due }
}

/** Returns a limit by use: it is due when its hours of use reach its interval. */
function byUse(limit: Limit, field: string): Limit {
  if (limit.interval === null) throw fleetErrors.meterNotDue({ field: `${field}intervalHours` })
  return { ...limit, due: limit.interval }
}

/**
 * Returns the limits of a body, at most one per basis. In a limit whose basis is stored already, absent fields keep
 * their stored values.
 * Implements interface §Maintenance and docs/decisions/0024.
 */
export function limitsFrom(inputs: readonly LimitInput[], stored: readonly Limit[], at: From): Limit[] {
  return inputs.map((input, index) => {
    const field = `limits.${index}.`
    if (inputs.slice(0, index).some(({ basis }) => basis === input.basis)) {
      throw fleetErrors.limitTwice({ field: `${field}basis`, basis: input.basis })
    }
    return limitFrom(input, stored.find(({ basis }) => basis === input.basis) ?? null, at, field)
  })
}

/** Ensures that a resource has the meters that its limits count by. */
export function assertHasMeters({ kind, name }: { kind: ResourceKind; name: string }, limits: readonly Limit[]): void {
  const missing = limits.find(({ basis }) => !basesOf[kind].includes(basis))
  if (missing) throw fleetErrors.noSuchMeter({ resource: name, basis: missing.basis })
}

function countedFrom(limit: Limit, { now, meters, zone }: From): Limit {
  const { basis, lastDoneAt, lastDone } = limit
  const read = lastDone === null || basis === 'calendar' ? meters : { ...meters, [basis]: lastDone }
  return limitAfter(limit, { doneAt: lastDoneAt ?? now, meters: read, zone }, false)
}

function notDue(basis: LimitBasis, field: string) {
  if (basis === 'calendar') return fleetErrors.calendarNotDue({ field: `${field}intervalMonths` })
  return fleetErrors.meterNotDue({ field: `${field}${basis === 'landings' ? 'intervalCount' : 'intervalHours'}` })
}

function blank(basis: LimitBasis): Limit {
  const none = { intervalMonths: null, intervalDays: null, interval: null }
  return { basis, ...none, lastDoneAt: null, lastDone: null, dueAt: null, due: null, used: null }
}

function ofLandings(count: number | null | undefined): Hundredths | null | undefined {
  return typeof count === 'number' ? hundredths(count * 100) : count
}

/** Returns the sent value, null included; undefined keeps the stored value. */
function given<T>(sent: T | undefined, stored: T): T {
  return sent === undefined ? stored : sent
}
