import type { ExcludedOperation } from '../../fleet/maintenance/deferral.rules.ts'
import type { Interval } from '../../platform/kernel/instants.ts'
import type { MedicalClass } from '../../qualification/currencies/medical.rules.ts'
import type { Coordinates } from '../../scheduling/rules/night.rules.ts'
import type { SoloFlight } from '../../scheduling/rules/solo-flight.rules.ts'
import type { RegulatoryPart, RequirementSource } from '../courses/syllabus.rules.ts'
import type { RequirementProgress } from '../enrollments/requirement-progress.rules.ts'
import type { TestKind, TestResult } from '../knowledge-tests/training-test.rules.ts'
import type { JudgedTest, UnknownReason } from './readiness.types.ts'

/** The facts of a source, or `failed` when they could not be read: its items are then unknown. */
export type Loaded<Facts> = Facts | 'failed'

/** A value of a profile; null: none. A value that is not verified by somebody else counts for nothing. */
export interface StatedFact<Value> {
  value: Value | null
  weak: 'unverified' | 'self_recorded' | null
}

export interface PilotCertificate {
  grade: string | null
  ratings: readonly string[]
}

export interface PersonFacts {
  orgUserId: number
  /** `YYYY-MM-DD`. */
  birthDate: StatedFact<string>
  pilotCertificate: StatedFact<PilotCertificate>
  instructorCertificate: StatedFact<true>
  identifications: readonly { id: number; verified: boolean; expiresAt: Date | null }[]
}

/** A medical of the student. Days are `YYYY-MM-DD`; the last two decide whether it counts. */
export interface MedicalFact {
  id: number
  class: MedicalClass | null
  examinedOn: string
  courseOn: string | null
  endedOn: string | null
  selfRecorded: boolean
}

export interface EndorsementFact {
  id: number
  /** The code of the current edition of AC 61-65. */
  code: string
  signedAt: Date
  trainingAt: Date | null
  expiresAt: Date | null
  /** Why it counts for nothing; null when it counts. */
  weak: Extract<UnknownReason, 'unproven' | 'disowned' | 'superseded'> | null
  makeAndModel: string | null
  /** The airports and the local day that an endorsement for solo flight names; null where it names none. */
  airport: string | null
  otherAirport: string | null
  flightOn: string | null
  /** Whether it belongs to another course of the student. */
  ofOtherCourse: boolean
}

export interface TestFact {
  id: number
  kind: TestKind
  code: string | null
  takenAt: Date
  result: TestResult
  score: number | null
  deficiencies: string | null
  /** Whether it belongs to the enrollment, or to another one for the same certificate and rating; null: to no course. */
  ofCourse: boolean | null
  selfRecorded: boolean
}

/** The progress in a requirement: by the credits that count and by all of them at the test, and by all of them today. */
export interface RequirementFact {
  id: number
  code: string
  label: string
  source: RequirementSource
  inHours: boolean
  proven: RequirementProgress
  atTest: RequirementProgress
  today: RequirementProgress
  creditIds: readonly number[]
  /** What lessons did not credit: transfers, and what was posted by hand. */
  brought: number
  /** Why credits of it do not count; null when all count. */
  weak: Extract<UnknownReason, 'posted_by_hand' | 'without_proof' | 'self_recorded' | 'contradicts_meters'> | null
  /** The lessons left that credit it, and how many of them are booked. */
  lessonIds: readonly number[]
  booked: number
}

export interface ExperienceFacts {
  requirements: readonly RequirementFact[]
  /** The graduation from the course; null before it. */
  graduation: { at: Date; certificateId: number | null } | null
}

export interface RecordFacts {
  /** Ids of graded records that are not signed, and of signed ones that the student has not countersigned. */
  unsigned: readonly number[]
  uncountersigned: readonly number[]
  /** The last stage check of the syllabus, and the record that completes it; null when the syllabus has none. */
  stageCheck: { lessonId: number; name: string; recordId: number | null } | null
  /** Whether an end-of-course test is required, and the id of the passed one. */
  finalTest: { owed: boolean; passedId: number | null }
}

/** The kinds of maintenance item that a practical test asks for. */
export const inspectionKinds = ['annual', 'hundred_hour', 'elt', 'transponder', 'altimeter', 'vor'] as const
export type InspectionKind = (typeof inspectionKinds)[number]

export interface AircraftFacts {
  id: number
  name: string
  category: string | null
  /** As on a pilot certificate, such as `single_engine_land`; null: not on record. */
  class: string | null
  /** Why it is grounded now; null: it is not. */
  grounded: string | null
  modelKeys: readonly string[]
  /** `endsAt`: when the work is expected to be due; null when that is unknown. */
  inspections: readonly { id: number; kind: InspectionKind; name: string; endsAt: Date | null; known: boolean }[]
  files: readonly { id: number; category: string; expiresAt: Date | null }[]
  deferrals: readonly { id: number; title: string; excludes: readonly ExcludedOperation[]; until: string | null }[]
  place: { zone: string; coordinates: Coordinates | null }
  /** The booking of the student for the aircraft at the test, whether an instructor is on it, and where a solo flight goes; null: none. */
  booking: (Interval & { id: number; type: string; ifr: boolean; supervised: boolean; solo: SoloFlight | null }) | null
}

/** Everything that the rules judge of one enrollment. Instants and local days are of the organization's zone. */
export interface ReadinessFacts {
  sought: JudgedTest | null
  /** Whether the test is one of an airplane for which the requirements are known. */
  covered: boolean
  /** The code of the rating that the course is for; null: none. */
  rating: string | null
  regulatoryPart: RegulatoryPart
  graduationWithinDays: number
  at: Date
  applicationAt: Date
  now: Date
  zone: string
  person: Loaded<PersonFacts>
  medicals: Loaded<readonly MedicalFact[]>
  experience: Loaded<ExperienceFacts>
  endorsements: Loaded<readonly EndorsementFact[]>
  tests: Loaded<readonly TestFact[]>
  record: Loaded<RecordFacts>
  /** Null without a planned aircraft. */
  aircraft: Loaded<AircraftFacts | null>
}
