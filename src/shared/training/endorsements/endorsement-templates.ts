import { certificates } from './catalog/certificates.ts'
import type { EndorsementTemplate } from './catalog/endorsement-template.ts'
import { furtherPrivileges } from './catalog/further-privileges.ts'
import { helicopters } from './catalog/helicopters.ts'
import { instructors } from './catalog/instructors.ts'
import { practicalTests } from './catalog/practical-tests.ts'
import { recreationalPilots } from './catalog/recreational-pilots.ts'
import { reviews } from './catalog/reviews.ts'
import { sportPilots } from './catalog/sport-pilots.ts'
import { studentPilots } from './catalog/student-pilots.ts'
import { visionSystems } from './catalog/vision-systems.ts'
import { withdrawn } from './catalog/withdrawn.ts'

/**
 * The editions of the advisory circular in the catalog, the current edition first. A number can stand for a different
 * endorsement in each edition.
 */
export const editions = ['AC 61-65K', 'AC 61-65H'] as const
export type Edition = (typeof editions)[number]

/** The edition that new endorsements are signed under, and the first local day on which it is in force. */
export const CURRENT_EDITION: Edition = 'AC 61-65K'
export const CURRENT_SINCE = '2025-11-14'

const current: readonly EndorsementTemplate[] = [
  ...practicalTests,
  ...studentPilots,
  ...sportPilots,
  ...recreationalPilots,
  ...certificates,
  ...instructors,
  ...helicopters,
  ...reviews,
  ...furtherPrivileges,
  ...visionSystems,
].sort((a, b) => numberOf(a) - numberOf(b))

/**
 * The templates of AC 61-65H: current templates under their previous numbers, and the two that AC 61-65K withdrew. They
 * exclude no aircraft: the regulation excludes airplanes and helicopters from proficiency checks since the current edition.
 */
const previous: readonly EndorsementTemplate[] = [
  ...current.flatMap(({ notForAirplanesOrHelicopters: _, ...one }) =>
    one.previousCode === null ? [] : [{ ...one, code: one.previousCode }],
  ),
  ...withdrawn,
].sort((a, b) => numberOf(a) - numberOf(b))

function numberOf({ code }: EndorsementTemplate): number {
  return Number(code.slice('A.'.length))
}

const catalogs: Readonly<Record<Edition, readonly EndorsementTemplate[]>> = {
  'AC 61-65K': current,
  'AC 61-65H': previous,
}

/**
 * Returns the templates of an edition, in the order of their numbers. Implements interface §Training: GET
 * /training/endorsements/templates.
 */
export function templatesOf(edition: Edition): readonly EndorsementTemplate[] {
  return catalogs[edition]
}

/** Returns the template of a code in upper or lower case, or null when the edition has none. */
export function findEndorsementTemplate(code: string, edition: Edition = CURRENT_EDITION): EndorsementTemplate | null {
  return catalogs[edition].find((one) => one.code === code.toUpperCase()) ?? null
}
