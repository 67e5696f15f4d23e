/** What pilots are current by class of aircraft in. A type is named when it needs a type rating. */
export interface AircraftScope {
  /** As on the pilot certificate, such as `airplane`. */
  category: string
  /** Such as `single_engine_land`. */
  class: string | null
  type: string | null
  tailwheel: boolean
}

/** An occurrence that counts toward a currency: its record, its instant and its local day, `YYYY-MM-DD`. */
interface Occurrence {
  id: number
  at: Date
  day: string
}

/** The part of one pilot in a flight, as their log says. */
export interface PilotFlight extends Occurrence {
  /** Of a simulator or training device the category is null when none is known, and it serves every category. */
  aircraft: Omit<AircraftScope, 'category'> & { category: string | null }
  device: boolean
  dayTakeoffs: number
  dayLandings: number
  dayFullStops: number
  /** Between one hour after sunset and one hour before sunrise, as those to a full stop by night are. */
  nightTakeoffs: number
  nightLandings: number
  nightFullStops: number
  approaches: number
  holds: number
}

/** A check, review or training that renews a currency by itself. */
export interface RenewingCheck extends Occurrence {
  kind: 'endorsement' | 'test' | 'record'
}

/** What a currency is based on; `counted` says how much of it counts, such as three landings. */
export interface Evidence {
  kind: 'flight' | RenewingCheck['kind']
  id: number
  at: Date
  counted: number | null
}

export const needActions = [
  'landings',
  'night_landings',
  'approaches',
  'holding',
  'check',
  'review',
  'record',
  'birth_date',
] as const

/** One thing that would restore or keep a currency: how many of it, and the last local day on which that is enough. */
export interface Need {
  action: (typeof needActions)[number]
  count: number | null
  by: string | null
}

/** How long a pilot is current, by a regulation. */
export interface Recency {
  /** The last good local day, `YYYY-MM-DD`; null for never current. */
  validUntil: string | null
  evidence: Evidence[]
  /** What would restore it, or keep it beyond `validUntil`. */
  needs: Need[]
}
