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

export const evidenceKinds = ['flight', 'endorsement', 'test', 'record'] as const

/** What a currency is based on; `counted` says how much of it counts, such as three landings. */
export interface Evidence {
  kind: (typeof evidenceKinds)[number]
  id: number
  at: Date
  counted: number | null
}

export const needActions = [
  'flights',
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

/** An endorsement that renews a currency, or with which a student flies solo. */
export interface RenewingEndorsement {
  id: number
  renews: 'flight_review' | 'instrument' | 'solo'
  /** The training that it attests. */
  at: Date
  expiresAt: Date | null
}

/** What the regulations ask of one pilot: the log, the endorsements, and what staff verified of the profile. */
export interface PilotFacts {
  /** `YYYY-MM-DD`; null when it is not known or not verified. */
  birthDate: string | null
  /** Whether the pilot certificate is above a student's. */
  certificated: boolean
  /** The last day of the instructor certificate, as the profile names it. */
  instructorEnd: string | null
  flights: readonly PilotFlight[]
  endorsements: readonly RenewingEndorsement[]
}

/** How long a pilot is current, by a regulation. */
export interface Recency {
  /** The last good local day, `YYYY-MM-DD`; null for never current. */
  validUntil: string | null
  evidence: Evidence[]
  /** What would restore it, or keep it beyond `validUntil`. */
  needs: Need[]
}
