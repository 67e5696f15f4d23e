import type { Db } from '../../platform/db/database.ts'
import { addDays } from '../../platform/kernel/zones.ts'
import { medicalEnd } from '../../qualification/currencies/medical.rules.ts'
import type { JudgedScope } from '../../training/readiness/judged-enrollment.types.ts'
import { findMedicals, findPersonFacts } from '../../training/readiness/person-facts.queries.ts'
import type { EndorsementFact, MedicalFact } from '../../training/readiness/readiness-facts.types.ts'
import { findEndorsementFacts } from '../../training/readiness/training-facts.queries.ts'
import type { StalledFacts } from './stalled.rules.ts'

type Papers = Pick<StalledFacts, 'medicalUntil' | 'soloUntil'>

/** The endorsements that a student's solo flights end with, by the codes of the current edition: 14 CFR 61.87(n), (p). */
const soloCodes: readonly string[] = ['A.6', 'A.7']

/** Returns until when the medicals and the endorsements for solo flight of students are good, by enrollment, in three queries. */
export async function findStalledPapers(
  db: Db,
  scope: JudgedScope,
  enrollments: readonly { id: number; versionId: number; membershipId: number }[],
): Promise<Map<number, Papers>> {
  const { now } = scope
  const judged = enrollments.map((one) => ({ ...one, resourceId: null, at: now, applicationAt: now }))
  const [medicals, people, endorsements] = await Promise.all([
    findMedicals(db, scope, judged),
    findPersonFacts(db, scope, judged),
    findEndorsementFacts(db, scope, judged),
  ])
  return new Map(
    enrollments.map(({ id }) => {
      const { value, weak } = people.get(id)?.birthDate ?? { value: null, weak: null }
      const medicalUntil = lastDayOf(medicals.get(id) ?? [], weak === null ? value : null)
      return [id, { medicalUntil, soloUntil: soloEnd(endorsements.get(id) ?? []) }]
    }),
  )
}

/** Returns the last day of the medical that is good longest for a private pilot's privileges; null without one. */
function lastDayOf(medicals: readonly MedicalFact[], birthDate: string | null): StalledFacts['medicalUntil'] {
  const days = medicals.map(({ class: held, examinedOn, courseOn, endedOn }) => {
    const ended = endedOn && addDays(endedOn, -1)
    if (held === null) return ended ?? 'unknown'
    const end = medicalEnd({ class: held, examinedOn, courseOn }, 'private', birthDate)
    return end && ended && ended < end ? ended : end
  })
  if (days.includes('unknown')) return 'unknown'
  return days.reduce<string | null>((latest, day) => (day !== null && (latest ?? '') < day ? day : latest), null)
}

/** Returns when the endorsements for solo flight that count end; null when there is none, or one has no end. */
function soloEnd(endorsements: readonly EndorsementFact[]): Date | null {
  const ends = endorsements.filter(({ code, weak }) => weak === null && soloCodes.includes(code))
  if (ends.length === 0 || ends.some(({ expiresAt }) => expiresAt === null)) return null
  return new Date(Math.max(...ends.map(({ expiresAt }) => expiresAt!.getTime())))
}
