import { type RawBuilder, sql } from 'kysely'
import { isMultiengine } from '../../fleet/resources/model-names.queries.ts'
import type { MakeAndModel } from '../../fleet/resources/model-names.rules.ts'
import type { Db } from '../../platform/db/database.ts'
import { isProven } from '../../qualification/endorsement-proof.queries.ts'
import { additionalTraining, type RatingFacts } from './rating-papers.rules.ts'

/** The ratings of a member as JSON: verified values of the profile as they were written, which may lack any key. */
export interface StoredRatings {
  pilot: { grade?: string | null; ratings?: string[] | null } | null
  instructor: { ratings?: string[] | null } | null
  prior: {
    loggedBefore?: string[] | null
    hours?: { makeAndModel: string; picDeciHours: number }[] | null
  } | null
  endorsed: { rating: string; expiresAt: string | null }[]
  logged: (MakeAndModel & { picTenths: number })[]
}

const endorsements = additionalTraining.flatMap(({ code: rating, codes }) =>
  Object.entries(codes).map(([edition, code]) => ({ rating, edition, code })),
)

/**
 * Returns SQL for the ratings of a member `m`: the verified parts of the profile, the proven endorsements of additional
 * training and, for an instructor, the logged time as pilot in command in multiengine airplanes and helicopters, where one of
 * these resources is one.
 */
export function ratingsOfMember(resourceIds: readonly number[]): RawBuilder<StoredRatings> {
  return sql<StoredRatings>`(select json_build_object(
      'pilot', p.verified #> '{pilotCertificate,value}', 'instructor', p.verified #> '{instructorCertificate,value}',
      'prior', p.verified #> '{priorExperience,value}',
      'endorsed', coalesce((select json_agg(json_build_object('rating', w.rating, 'expiresAt', e.expires_at))
        from endorsement e
        join unnest(${endorsements.map(({ rating }) => rating)}::text[], ${endorsements.map(({ edition }) => edition)}::text[],
            ${endorsements.map(({ code }) => code)}::text[]) as w (rating, edition, code)
          on w.edition = e.template_edition and w.code = e.template_code
        where e.organization_id = m.organization_id and e.membership_id = m.id and e.superseded_at is null
          and ${isProven('e')}), '[]'),
      'logged', coalesce((select json_agg(l) from (
          select x.make, x.model, x.endorsed_as as "endorsedAs", sum(f.pic_tenths) as "picTenths" from flight_log f
          join reservation r on r.organization_id = f.organization_id and r.id = f.reservation_id and r.live
          join resource x on x.organization_id = r.organization_id and x.id = r.resource_id and ${asksHours('x')}
          where m.instructor and f.organization_id = m.organization_id and f.membership_id = m.id
            and exists (select from resource w where w.organization_id = m.organization_id and w.id = any(${resourceIds}) and ${asksHours('w')})
          group by x.make, x.model, x.endorsed_as) l), '[]'))
    from (select) one
    left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id)`
}

/** Returns SQL for whether a resource asks an instructor for hours in its make and model: 14 CFR 61.195(f). */
function asksHours(alias: string): RawBuilder<boolean> {
  const category = sql`${sql.ref(`${alias}.traits`)} ->> 'category'`
  return sql`(${sql.ref(`${alias}.kind`)} = 'plane' and (${category} = 'helicopter' or ${isMultiengine(alias)}))`
}

/** Returns SQL for those of these lessons that belong to a course for an instrument rating. */
export function instrumentAmong(organizationId: number, lessonIds: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`array(select l.id from syllabus_lesson l
    join syllabus_version v on v.organization_id = l.organization_id and v.id = l.version_id
    join training_course c on c.organization_id = v.organization_id and c.id = v.course_id
    where l.organization_id = ${organizationId} and l.id = any(${lessonIds}::int[]) and c.certificate_sought = 'instrument')`
}

/** Returns SQL for those of these lessons that credit both solo and cross-country time. */
export function crossCountryAmong(organizationId: number, lessonIds: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`array(select c.lesson_id from syllabus_credit c
    where c.organization_id = ${organizationId} and c.lesson_id = any(${lessonIds}::int[]) and c.clock in ('solo', 'cross_country')
    group by c.lesson_id having count(distinct c.clock) = 2)`
}

/** Returns those of these lessons that credit both solo and cross-country time. */
export async function findCrossCountryLessons(
  db: Db,
  organizationId: number,
  lessonIds: readonly number[],
): Promise<number[]> {
  const { rows } = await sql<{ ids: number[] }>`select ${crossCountryAmong(organizationId, lessonIds)} as ids`.execute(
    db,
  )
  return rows[0]?.ids ?? []
}

/** Returns the ratings of a member as the rules read them. */
export function ratingFacts({ pilot, instructor, prior, endorsed, logged }: StoredRatings): RatingFacts {
  return {
    pilot: pilot && { grade: pilot.grade ?? null, ratings: pilot.ratings ?? [] },
    instructor: instructor && { ratings: instructor.ratings ?? [] },
    loggedBefore: prior?.loggedBefore ?? [],
    hours: prior?.hours ?? [],
    endorsed: endorsed.map(({ rating, expiresAt }) => ({
      rating,
      expiresAt: expiresAt === null ? null : new Date(expiresAt),
    })),
    logged,
  }
}
