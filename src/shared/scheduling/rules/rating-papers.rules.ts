import type { MakeAndModel } from '../../fleet/resources/model-names.rules.ts'
import type { SoloEndorsement } from './solo-flight.rules.ts'

/** A solo endorsement of a student. */
export interface EndorsementFacts extends SoloEndorsement {
  /** Null when the endorsement names none; it then covers no aircraft whose make or model is known. */
  makeAndModel: string | null
  expiresAt: Date | null
}

/** What is proven of a pilot: the verified parts of the profile, proven endorsements, and the log of this school. */
export interface RatingFacts {
  /** Null without a verified certificate; ratings are codes or words as they were written. */
  pilot: { grade: string | null; ratings: readonly string[] } | null
  instructor: { ratings: readonly string[] } | null
  /** The codes of the additional training that was logged before an endorsement was asked for: 14 CFR 61.31(e)(2). */
  loggedBefore: readonly string[]
  /** Tenths of an hour as pilot in command elsewhere, by make and model. */
  hours: readonly { makeAndModel: string; picDeciHours: number }[]
  /** The endorsements of additional training, by the code of its rating. */
  endorsed: readonly { rating: string; expiresAt: Date | null }[]
  /** Of an instructor: tenths of an hour as pilot in command that are logged here in multiengine airplanes and helicopters. */
  logged: readonly (MakeAndModel & { picTenths: number })[]
}

/**
 * The additional training of 14 CFR 61.31(e), (f) and (i): the code of the rating, its endorsement by edition of AC 61-65,
 * and the paragraph that asks for it.
 */
export const additionalTraining = [
  { code: 'CPX', endorsement: 'A.72', codes: { 'AC 61-65K': 'A.72', 'AC 61-65H': 'A.68' }, rule: '61.31(e)' },
  { code: 'HP', endorsement: 'A.73', codes: { 'AC 61-65K': 'A.73', 'AC 61-65H': 'A.69' }, rule: '61.31(f)' },
  { code: 'TW', endorsement: 'A.75', codes: { 'AC 61-65K': 'A.75', 'AC 61-65H': 'A.71' }, rule: '61.31(i)' },
] as const

/** The instrument ratings of pilots and of instructors, of all categories. */
export const instruments: readonly string[] = ['IR-A', 'IR-H', 'IR-PL']
export const instrumentInstructors: readonly string[] = ['CFII-A', 'CFII-H']

/** The papers as messages name them, by code. */
export const paperNames: Readonly<Record<string, string>> & { certificate: string } = {
  certificate: 'pilot certificate above student',
  ASEL: 'airplane single-engine land rating',
  AMEL: 'airplane multiengine land rating',
  ASES: 'airplane single-engine sea rating',
  AMES: 'airplane multiengine sea rating',
  RH: 'helicopter rating',
  GL: 'glider rating',
  'IR-A': 'instrument airplane rating',
  'IR-H': 'instrument helicopter rating',
  'CFI-ASE': 'single-engine instructor rating',
  'CFI-AME': 'multiengine instructor rating',
  'CFI-H': 'helicopter instructor rating',
  'CFI-G': 'glider instructor rating',
  'CFII-A': 'instrument instructor rating',
  'CFII-H': 'instrument helicopter instructor rating',
  CPX: 'endorsement for complex airplanes',
  HP: 'endorsement for high-performance airplanes',
  TW: 'endorsement for tailwheel airplanes',
}
