import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import type { Source } from '../../platform/db/read-rows.ts'
import { trainingErrors } from '../training.errors.ts'
import type { GrantKind } from './grants.rules.ts'

function selectGrants(db: Db, organizationId: number) {
  return db
    .selectFrom('training_grant as g')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.organization_id', '=', 'g.organization_id').onRef('m.id', '=', 'g.membership_id'),
    )
    .leftJoin('training_course as c', (join) =>
      join.onRef('c.organization_id', '=', 'g.organization_id').onRef('c.id', '=', 'g.course_id'),
    )
    .selectAll('g')
    .select(['m.search_name as member_name', 'c.name as course_name'])
    .where('g.organization_id', '=', organizationId)
    .orderBy('m.search_name')
    .orderBy('g.id')
}

export type GrantRow = Awaited<ReturnType<ReturnType<typeof selectGrants>['execute']>>[number]

/** Returns the grants of an organization, or of one member, as a list source, ordered by the holder's name. */
export function listGrants(db: Db, organizationId: number, orgUserId?: number) {
  const grants = selectGrants(db, organizationId)
  return pageable(db, orgUserId === undefined ? grants : grants.where('g.membership_id', '=', orgUserId))
}

/** Returns one grant. */
export async function findGrant(db: Db, organizationId: number, id: number): Promise<GrantRow> {
  const row = await selectGrants(db, organizationId).where('g.id', '=', id).executeTakeFirst()
  if (!row) throw trainingErrors.noSuchGrant()
  return row
}

/** Returns the stored grants of a member that are of one of these kinds, with their course ids. */
export function grantsGiven(
  source: Source,
  { organizationId, orgUserId }: { organizationId: number; orgUserId: number },
  wanted: readonly GrantKind[],
) {
  return ('selectFrom' in source ? source : source.db)
    .selectFrom('training_grant')
    .select(['kind', 'course_id'])
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', orgUserId)
    .where('kind', 'in', [...wanted])
    .execute()
}

/** Returns whether a member has a stored grant of this kind and course; a null course means all courses. */
export async function holdsGrant(
  db: Db,
  organizationId: number,
  { membershipId, kind, courseId }: { membershipId: number; kind: GrantKind; courseId: number | null },
): Promise<boolean> {
  const given = await grantsGiven(db, { organizationId, orgUserId: membershipId }, [kind])
  return given.some((grant) => grant.course_id === courseId)
}

/** Returns whether the organization has a course, archived or not. */
export async function hasCourse(db: Db, organizationId: number, id: number): Promise<boolean> {
  const course = await db
    .selectFrom('training_course')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  return course !== undefined
}
