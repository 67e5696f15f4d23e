/** The aircraft that a pilot is current in. `type` is set when the aircraft needs a type rating. */
export interface AircraftScope {
  /** As on the pilot certificate, such as `airplane`. */
  category: string
  /** Such as `single_engine_land`. */
  class: string | null
  type: string | null
  tailwheel: boolean
  /** For hours in the make and model: what it is called, and the keys of all its names. */
  model?: string | null
  modelKeys?: readonly string[]
}

/** An occurrence that counts toward a currency: the id of its row, its instant and its local day, `YYYY-MM-DD`. */
interface Occurrence {
  id: number
  at: Date
  day: string
}

/** One pilot's logged part of a flight. */
export interface PilotFlight extends Occurrence {
  /** The category of a simulator or training device is null when it is not known; it then counts for every category. */
  aircraft: Omit<AircraftScope, 'category'> & { category: string | null }
  device: boolean
  dayTakeoffs: number
  dayLandings: number
  dayFullStops: number
  /** Takeoffs and landings between one hour after sunset and one hour before sunrise. */
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

/** An item that a currency is based on; `counted` is how much of it counts, such as three landings. */
export interface Evidence {
  kind: (typeof evidenceKinds)[number]
  id: number
  at: Date
  counted: number | null
}

export const needActions = [
  'flights',
  'hours',
  'landings',
  'night_landings',
  'approaches',
  'holding',
  'check',
  'review',
  'record',
  'birth_date',
] as const

/** One action that restores or keeps a currency, `count` times (or tenths of an hour) if it is set, until the local day `by` if it is set. */
export interface Need {
  action: (typeof needActions)[number]
  count: number | null
  by: string | null
}

/** An endorsement that renews a currency, or that permits a student's solo flights. */
export interface RenewingEndorsement {
  id: number
  renews: 'flight_review' | 'instrument' | 'solo'
  /** When the endorsed training took place; the time of the signature when that is not recorded. */
  at: Date
  expiresAt: Date | null
}

/**
 * The facts of one pilot that regulations need: the log, the endorsements, the tests, and the verified parts of the profile.
 */
export interface PilotFacts {
  /** `YYYY-MM-DD`; null when it is not known or not verified. */
  birthDate: string | null
  /** Whether the pilot certificate is above a student's. */
  certificated: boolean
  /** The last day of the instructor certificate, from the verified profile. */
  instructorEnd: string | null
  flights: readonly PilotFlight[]
  endorsements: readonly RenewingEndorsement[]
  /** Practical tests that were passed. */
  tests: readonly { id: number; at: Date }[]
}

/** How long a pilot is current under a regulation. */
export interface Recency {
  /** The last local day on which the pilot is current, `YYYY-MM-DD`; null when the pilot never was. */
  validUntil: string | null
  evidence: Evidence[]
  /** The actions that restore it, or keep it beyond `validUntil`. */
  needs: Need[]
}
