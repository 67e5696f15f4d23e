import type { FlownAircraft } from '../../qualification/currencies/hours-in-model.rules.ts'

/** An aircraft as the insurer asks about it. */
export interface InsuredAircraft extends Pick<FlownAircraft, 'model' | 'modelKeys'> {
  complex: boolean
  highPerformance: boolean
  tailwheel: boolean
}

/** The time of a member in an aircraft of the school, in tenths of an hour. */
export interface TimeIn {
  aircraft: InsuredAircraft
  tenths: number
  /** Of the last 90 days. */
  recentTenths: number
}

/** Verified time as pilot in command elsewhere. */
export interface PriorTime {
  /** As it was written, with its key. */
  name: string
  key: string
  picDeciHours: number
}

/** The time of a member in one make and model; null: it is not known. `priorPicDeciHours` is no part of the others. */
export interface ModelHours {
  model: string | null
  deciHours: number
  last90DaysDeciHours: number
  priorPicDeciHours: number
}

/** The times of a member as an insurer asks for them, in tenths of an hour. */
export interface InsuredHours {
  totalDeciHours: number
  last90DaysDeciHours: number
  complexDeciHours: number
  highPerformanceDeciHours: number
  tailwheelDeciHours: number
  priorPicDeciHours: number
  models: ModelHours[]
}

/**
 * Returns the times of a member: all of them, those in complex, high-performance and tailwheel aircraft, and those of each make and
 * model, whose aircraft share a name. Verified time elsewhere stands beside them and is added to none.
 */
export function insuredHours(flown: readonly TimeIn[], prior: readonly PriorTime[]): InsuredHours {
  const sumOf = (times: readonly TimeIn[], part: 'tenths' | 'recentTenths' = 'tenths') =>
    times.reduce((sum, one) => sum + one[part], 0)
  const groups: { model: string | null; keys: Set<string>; times: TimeIn[]; prior: PriorTime[] }[] = []
  for (const time of [...flown].sort((a, b) => (a.aircraft.model ?? '').localeCompare(b.aircraft.model ?? '', 'en'))) {
    const { model, modelKeys } = time.aircraft
    const known = groups.find(({ keys }) => (model === null ? keys.size === 0 : modelKeys.some((key) => keys.has(key))))
    if (known) known.times.push(time)
    else groups.push({ model, keys: new Set(modelKeys), times: [time], prior: [] })
  }
  for (const one of prior) {
    const known = groups.find(({ keys }) => keys.has(one.key))
    if (known) known.prior.push(one)
    else groups.push({ model: one.name, keys: new Set([one.key]), times: [], prior: [one] })
  }
  const priorOf = (all: readonly PriorTime[]) => all.reduce((sum, { picDeciHours }) => sum + picDeciHours, 0)
  const inAircraft = (is: (aircraft: InsuredAircraft) => boolean) => sumOf(flown.filter(({ aircraft }) => is(aircraft)))
  return {
    totalDeciHours: sumOf(flown),
    last90DaysDeciHours: sumOf(flown, 'recentTenths'),
    complexDeciHours: inAircraft(({ complex }) => complex),
    highPerformanceDeciHours: inAircraft(({ highPerformance }) => highPerformance),
    tailwheelDeciHours: inAircraft(({ tailwheel }) => tailwheel),
    priorPicDeciHours: priorOf(prior),
    models: groups.map(({ model, times, prior: elsewhere }) => ({
      model,
      deciHours: sumOf(times),
      last90DaysDeciHours: sumOf(times, 'recentTenths'),
      priorPicDeciHours: priorOf(elsewhere),
    })),
  }
}
