import { type RawBuilder, sql } from 'kysely'
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
  logged: { resourceId: number; picTenths: number }[]
}

const endorsements = additionalTraining.flatMap(({ code: rating, codes }) =>
  Object.entries(codes).map(([edition, code]) => ({ rating, edition, code })),
)

/**
 * Returns SQL for the ratings of a member `m`: the verified parts of the profile, the proven endorsements of additional
 * training and, for an instructor, the logged time as pilot in command in the make and model of each of these resources that
 * is a multiengine airplane or a helicopter.
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
      'logged', coalesce((select json_agg(json_build_object('resourceId', w.id, 'picTenths', (
          select coalesce(sum(f.pic_tenths), 0) from flight_log f
          join reservation r on r.organization_id = f.organization_id and r.id = f.reservation_id and r.live
          join resource x on x.organization_id = r.organization_id and x.id = r.resource_id and x.kind = 'plane'
          where f.organization_id = m.organization_id and f.membership_id = m.id
            and lower(coalesce(x.make, '')) = lower(coalesce(w.make, '')) and lower(coalesce(x.model, '')) = lower(coalesce(w.model, '')))))
        from resource w where m.instructor and w.organization_id = m.organization_id and w.id = any(${resourceIds})
          and w.kind = 'plane' and (w.traits ->> 'category' = 'helicopter' or w.traits ->> 'class' ilike '%multi%')), '[]'))
    from (select) one
    left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id)`
}

/** Returns SQL for those of these lessons that belong to a course for an instrument rating. */
export function instrumentAmong(organizationId: number, lessonIds: readonly number[]): RawBuilder<number[]> {
  return sql<number[]>`array(select l.id from syllabus_lesson l
    join syllabus_version v on v.organization_id = l.organization_id and v.id = l.version_id
    join training_course c on c.organization_id = v.organization_id and c.id = v.course_id
    where l.organization_id = ${organizationId} and l.id = any(${lessonIds}::int[]) and c.certificate_sought = 'instrument')`
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
