import { type RawBuilder, sql } from 'kysely'
import type { Actor } from '../../platform/authz/actor.ts'
import { type Role, type RoleFlags, roleFlags, roles } from '../../platform/authz/roles.ts'
import { readRows, type Source } from '../../platform/db/read-rows.ts'
import { localDate } from '../../platform/kernel/zones.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import type { PersonRow } from '../members/named.queries.ts'
import { actsAsRegistrar, isForRegistrar } from '../members/registrar.access.ts'
import { type ProfileFacts, type ProfileReader, readableFields, type VerifiedFacts } from './profile.rules.ts'

/** A booking up to this many days back or ahead makes a member an instructor's own student. */
const OWN_STUDENT_DAYS = 60

/** A member's profile; empty for a member who has none. */
export interface ProfileRow {
  orgUserId: number
  facts: ProfileFacts
  verified: VerifiedFacts
  citizenshipVerifiedBy: PersonRow | null
  createdAt: Date | null
  updatedAt: Date | null
}

/** Returns a member's profile, and the reader's relation to the member. */
export async function findProfile(
  source: Source,
  actor: Actor,
  orgUserId: number,
  now: Date,
): Promise<{ profile: ProfileRow; reader: ProfileReader }> {
  const flags = sql.join(roles.map((role: Role) => sql`m.${sql.ref(role)}`))
  const [row] = await readRows(
    source,
    sql<ProfileRow & RoleFlags & { ownStudent: boolean }>`
    select m.id as "orgUserId", ${flags}, coalesce(p.facts, '{}') as facts, coalesce(p.verified, '{}') as verified,
      p.created_at as "createdAt", p.updated_at as "updatedAt",
      (select json_build_object('orgUserId', v.id, 'name', v.search_name) from membership v
        where v.organization_id = m.organization_id
          and v.id = (p.facts #>> '{citizenshipVerification,by}')::int) as "citizenshipVerifiedBy",
      ${isOwnStudent(actor, now)} as "ownStudent"
    from membership m
    left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id
    where m.organization_id = ${actor.organizationId} and m.id = ${orgUserId} and m.removed_at is null`,
  )
  if (!row) throw platformErrors.noSuchRecord()
  const { facts, verified, citizenshipVerifiedBy, createdAt, updatedAt, ownStudent } = row
  const ofRoles = roleFlags(row)
  const registrar = actsAsRegistrar(actor) && isForRegistrar(ofRoles)
  const reader = { self: orgUserId === actor.orgUserId, roles: actor.roles, ofRoles, ownStudent, registrar }
  return { profile: { orgUserId, facts, verified, citizenshipVerifiedBy, createdAt, updatedAt }, reader }
}

/** Returns a member's profile and the fields that the actor may read. */
export async function findReadableProfile(source: Source, actor: Actor, orgUserId: number, now: Date) {
  const { profile, reader } = await findProfile(source, actor, orgUserId, now)
  const fields = readableFields(reader)
  if (fields.length === 0) throw platformErrors.notAllowed()
  return { profile, fields }
}

/**
 * Returns the SQL condition that the actor instructs the member `m`: there is an open enrollment, or a booking that
 * starts within 60 days before or after now. A booking that the actor made, or whose people the actor changed, counts
 * only after it was flown, and an enrollment whose instructor the actor changed does not. Otherwise an instructor could get
 * access by making a booking or taking over an enrollment.
 */
export function isOwnStudent({ organizationId, orgUserId, roles }: Actor, now: Date): RawBuilder<boolean> {
  if (!roles.instructor) return sql`false`
  const span = sql`make_interval(days => ${OWN_STUDENT_DAYS})`
  return sql`(exists (select from enrollment e where e.organization_id = ${organizationId} and e.membership_id = m.id
      and e.instructor_id = ${orgUserId} and e.ended_at is null and not ${hasChangedInstructor(orgUserId)})
    or exists (select from seat s
      join seat i on i.organization_id = s.organization_id and i.reservation_id = s.reservation_id
        and i.membership_id = ${orgUserId} and i.side = 'instructors'
      join reservation r on r.organization_id = s.organization_id and r.id = s.reservation_id
      where s.organization_id = ${organizationId} and s.membership_id = m.id and s.side <> 'instructors' and s.live
        and s.starts_at > ${now}::timestamptz - ${span} and s.starts_at < ${now}::timestamptz + ${span}
        and (r.ramped_in_at is not null or not exists (select from event v
          where v.organization_id = s.organization_id and v.subject_kind = 'reservation' and v.subject_id = r.id
            and v.membership_id = ${orgUserId}
            and (v.kind = 'reservation.created' or v.kind = 'reservation.changed' and v.after ? 'personnel')))))`
}

/** Returns the SQL condition that a member was the last to change the instructor of the enrollment `e`. */
export function hasChangedInstructor(orgUserId: number): RawBuilder<boolean> {
  return sql`coalesce((select v.membership_id = ${orgUserId} from event v
    where v.organization_id = e.organization_id and v.subject_kind = 'enrollment' and v.subject_id = e.id
      and v.kind = 'enrollment.instructor_changed' order by v.sequence desc limit 1), false)`
}

type Certificate = NonNullable<ProfileFacts['instructorCertificate']>

/**
 * Returns the instructor certificate in a member's profile: as the member states it, and as it was verified last. Both are
 * null without one, and for the id null. `endedOn` is the local day on which somebody ended it before its end, unless a
 * record of a later day, of any currency of the kind, has renewed it since.
 */
export async function findInstructorCertificate(
  source: Source,
  organizationId: number,
  orgUserId: number | null,
): Promise<{ stated: Certificate | null; verified: Certificate | null; endedOn: string | null }> {
  const none = { stated: null, verified: null, endedOn: null }
  if (orgUserId === null) return none
  const [row] = await readRows(
    source,
    sql<{ stated: Certificate | null; verified: Certificate | null; zone: string; records: CertificateRecord[] }>`
    select p.facts -> 'instructorCertificate' as stated, p.verified #> '{instructorCertificate,value}' as verified,
      o.time_zone_name as zone,
      coalesce((select json_agg(json_build_object('endedOn', k.ended_on,
          'renewedAt', case when k.expires_at is not null then k.completed_at end)) from currency_record k
        join currency c on c.organization_id = k.organization_id and c.id = k.currency_id
        where k.organization_id = m.organization_id and k.membership_id = m.id
          and c.kind = 'instructor_certificate'), '[]') as records
    from membership m join organization o on o.id = m.organization_id
    left join member_profile p on p.organization_id = m.organization_id and p.membership_id = m.id
    where m.organization_id = ${organizationId} and m.id = ${orgUserId}`,
  )
  if (!row) return none
  const { stated, verified, zone, records } = row
  const renewed = records.flatMap(({ renewedAt }) => (renewedAt === null ? [] : [localDate(new Date(renewedAt), zone)]))
  const ends = records.flatMap(({ endedOn }) => (endedOn === null ? [] : [endedOn]))
  const [endedOn = null] = ends.filter((end) => !renewed.some((day) => day > end)).sort()
  return { stated, verified, endedOn }
}

/** A record of an instructor certificate: when it was renewed, and the local day on which somebody ended it. */
interface CertificateRecord {
  renewedAt: string | null
  endedOn: string | null
}
