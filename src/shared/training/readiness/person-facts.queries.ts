import { sql } from 'kysely'
import type { ProfileFacts, VerifiedFacts } from '../../identity/profiles/profile.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { readRows } from '../../platform/db/read-rows.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import type { MedicalClass } from '../../qualification/currencies/medical.rules.ts'
import type { FactsById, JudgedRow, JudgedScope } from './judged-enrollment.types.ts'
import type { MedicalFact, PersonFacts, StatedFact } from './readiness-facts.types.ts'

interface PersonRow {
  orgUserId: number
  facts: ProfileFacts
  verified: VerifiedFacts
  identifications: { id: number; verified: boolean; expiresAt: string | null }[]
}

/** Returns what the profiles and the identification documents of the students say, by enrollment. */
export async function findPersonFacts(
  db: Db,
  { organizationId }: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<FactsById<PersonFacts>> {
  const rows = await readRows(
    db,
    sql<PersonRow>`
    select m.id as "orgUserId", coalesce(p.facts, '{}') as facts, coalesce(p.verified, '{}') as verified,
      coalesce((select json_agg(json_build_object('id', d.id, 'verified', d.status = 'verified' and d.upload = 'stored', 'expiresAt', d.expires_at)
          order by d.id desc)
        from document d
        where d.organization_id = m.organization_id and d.membership_id = m.id and d.category = 'identification'
          and d.status <> 'rejected'), '[]') as identifications
    from membership m
    left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id
    where m.organization_id = ${organizationId} and m.id = any(${enrollments.map(({ membershipId }) => membershipId)}::int[])`,
  )
  const byMember = new Map(rows.map((row) => [row.orgUserId, personOf(row)]))
  return byEnrollment(enrollments, ({ membershipId }) => byMember.get(membershipId))
}

function personOf({ orgUserId, facts, verified, identifications }: PersonRow): PersonFacts {
  const { birthDate, pilotCertificate, instructorCertificate } = verified
  return {
    orgUserId,
    birthDate: stated(birthDate, facts.birthDate, (value) => value),
    pilotCertificate: stated(pilotCertificate, facts.pilotCertificate, ({ grade = null, ratings }) => ({
      grade,
      ratings: ratings ?? [],
    })),
    instructorCertificate: stated(instructorCertificate, facts.instructorCertificate, () => true as const),
    identifications: identifications.map((one) => ({ ...one, expiresAt: dateOf(one.expiresAt) })),
  }
}

/** Returns the verified value of a field; one that the member verified, or only stated, is weak. */
function stated<Value, Fact>(
  verified: { value: Value; self: boolean } | undefined,
  said: unknown,
  read: (value: Value) => Fact,
): StatedFact<Fact> {
  if (verified) return { value: read(verified.value), weak: verified.self ? 'self_recorded' : null }
  return { value: null, weak: said == null ? null : 'unverified' }
}

interface MedicalRow {
  membershipId: number
  id: number
  class: MedicalClass | null
  completedAt: Date
  courseAt: Date | null
  endedOn: string | null
  selfRecorded: boolean
}

/** Returns the medicals on record of the students, the latest first, by enrollment. One that the student recorded needs a verified document. */
export async function findMedicals(
  db: Db,
  { organizationId, zone, now }: JudgedScope,
  enrollments: readonly JudgedRow[],
): Promise<FactsById<MedicalFact[]>> {
  const rows = await readRows(
    db,
    sql<MedicalRow>`
    select k.membership_id as "membershipId", k.id, k.medical_class as class, k.completed_at as "completedAt",
      k.course_at as "courseAt", k.ended_on::text as "endedOn",
      k.recorded_by = k.membership_id and not exists (select from document d
        where d.organization_id = k.organization_id and d.id = k.document_id and d.status = 'verified') as "selfRecorded"
    from currency_record k
    join currency c on c.organization_id = k.organization_id and c.id = k.currency_id and c.kind = 'medical'
    where k.organization_id = ${organizationId} and k.completed_at <= ${now}
      and k.membership_id = any(${enrollments.map(({ membershipId }) => membershipId)}::int[])
    order by k.completed_at desc, k.id desc`,
  )
  const byMember = Map.groupBy(rows, ({ membershipId }) => membershipId)
  return byEnrollment(enrollments, ({ membershipId }) =>
    (byMember.get(membershipId) ?? []).map(({ id, class: held, completedAt, courseAt, endedOn, selfRecorded }) => ({
      id,
      class: held,
      examinedOn: localDate(completedAt, zone),
      courseOn: courseAt && localDate(courseAt, zone),
      endedOn,
      selfRecorded,
    })),
  )
}

/** Returns the facts of each enrollment, without those that have none. */
export function byEnrollment<Facts>(
  enrollments: readonly JudgedRow[],
  factsOf: (enrollment: JudgedRow) => Facts | undefined,
): FactsById<Facts> {
  return new Map(
    enrollments.flatMap((one) => {
      const facts = factsOf(one)
      return facts === undefined ? [] : [[one.id, facts] as const]
    }),
  )
}

/** Returns an instant of JSON. */
export function dateOf(text: string | null): Date | null {
  return text === null ? null : new Date(text)
}
