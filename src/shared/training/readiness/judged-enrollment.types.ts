import type { Interval } from '../../platform/kernel/instants.ts'

/** The organization whose enrollments are judged, its zone, and the present. */
export interface JudgedScope {
  organizationId: number
  zone: string
  now: Date
}

/** An enrollment to judge, and the instants at which it is judged. */
export interface WantedReadiness {
  id: number
  at: Date
  applicationAt: Date
}

/** What the sources need to know of an enrollment. */
export interface JudgedRow extends WantedReadiness {
  membershipId: number
  versionId: number
  resourceId: number | null
}

/** The facts of a source by the id of the enrollment. */
export type FactsById<Facts> = ReadonlyMap<number, Facts>

/** The time of a booking, as JSON has it. */
export type JsonInterval = Record<keyof Interval, string>
