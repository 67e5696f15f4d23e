import { type RawBuilder, sql } from 'kysely'
import { type ResourceRow, selectResources } from '../../fleet/resources/resource.queries.ts'
import { type PersonRow, personJson } from '../../identity/members/named.queries.ts'
import { orgUserSortKeys, selectOrgUsers } from '../../identity/members/org-user.queries.ts'
import { type Actor, is } from '../../platform/authz/actor.ts'
import { type Role, staff } from '../../platform/authz/roles.ts'
import type { Db } from '../../platform/db/database.ts'
import { pageable } from '../../platform/db/pageable.ts'
import { oneOf } from '../../platform/db/read-rows.ts'
import { platformErrors } from '../../platform/platform.errors.ts'

/** Returns the SQL condition that an approval `p` covers a resource `x`, like `isApproved` but without the expiry. */
const covers = (x: string) => sql<boolean>`(p.resource_id = ${sql.ref(`${x}.id`)} or (p.resource_id is null
  and lower(btrim(p.make)) = lower(btrim(${sql.ref(`${x}.make`)}))
  and lower(btrim(p.model)) = lower(btrim(${sql.ref(`${x}.model`)}))))`

const holds = (now: Date) => sql<boolean>`(p.expires_at is null or p.expires_at > ${now})`

/**
 * Returns the members who are approved on a resource, or on its make and model, ordered by name. When roles are given, only
 * members with one of them. Implements interface §Resources (approvedUsers).
 */
export function listApprovedMembers(
  db: Db,
  reader: Actor,
  now: Date,
  { resourceId, roles }: { resourceId: number; roles: Role[] },
) {
  const approved = selectOrgUsers(db, reader.organizationId).where(
    sql<boolean>`membership.id = any(array(select p.membership_id from resource_approval p
      join resource x on x.organization_id = p.organization_id and x.id = ${resourceId}
      where p.organization_id = ${reader.organizationId} and ${covers('x')} and ${holds(now)}))`,
  )
  const keys = () => orgUserSortKeys(reader)
  if (roles.length === 0) return pageable(db, approved, keys)
  return pageable(
    db,
    approved.where((eb) => eb.or(roles.map((role) => eb(`membership.${role}`, '=', true)))),
    keys,
  )
}

/** Lists the resources on which a member is approved, by name. Implements interface §Resources (approvedResources). */
export function listApprovedResources(db: Db, organizationId: number, membershipId: number, now: Date) {
  const approved = selectResources(db, organizationId).where(
    sql<boolean>`exists (select from resource_approval p where p.organization_id = resource.organization_id
      and p.membership_id = ${membershipId} and ${covers('resource')} and ${holds(now)})`,
  )
  return pageable<ResourceRow>(db, approved.orderBy('resource.name').orderBy('resource.id'))
}

/** Returns whether a member is approved on a resource by its make and model. */
export async function isApprovedByModel(
  db: Db,
  { organizationId, membershipId, resourceId }: { organizationId: number; membershipId: number; resourceId: number },
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('resource_approval as p')
    .innerJoin('resource as x', (join) =>
      join.onRef('x.organization_id', '=', 'p.organization_id').on('x.id', '=', resourceId),
    )
    .select('p.id')
    .where('p.organization_id', '=', organizationId)
    .where('p.membership_id', '=', membershipId)
    .where('p.resource_id', 'is', null)
    .where(covers('x'))
    .where(holds(now))
    .executeTakeFirst()
  return row !== undefined
}

/** An approval as it is listed. */
export interface ApprovalRow {
  id: number
  orgUserId: number
  member: PersonRow
  resource: { id: number; name: string } | null
  make: string | null
  model: string | null
  expiresAt: Date | null
  approvedBy: PersonRow
  createdAt: Date
  updatedAt: Date
}

/** Selects approvals by id, by members, and by resources one of which they cover. */
export interface ApprovalFilter {
  id?: number | undefined
  orgUserIds?: readonly number[] | undefined
  resourceIds?: readonly number[] | undefined
}

/**
 * Lists approvals, oldest first, expired ones included. Staff see everybody's approvals, others only their own. Implements
 * interface §Approvals.
 */
export function listApprovals(db: Db, reader: Actor, { id, orgUserIds, resourceIds }: ApprovalFilter) {
  const { organizationId } = reader
  const conditions: RawBuilder<unknown>[] = [sql`p.organization_id = ${organizationId} and o.removed_at is null`]
  if (id !== undefined) conditions.push(sql`p.id = ${id}`)
  if (!is(reader, staff)) conditions.push(sql`p.membership_id = ${reader.orgUserId}`)
  if (orgUserIds) conditions.push(oneOf(sql`p.membership_id`, orgUserIds))
  if (resourceIds) {
    conditions.push(sql`exists (select from resource x where x.organization_id = p.organization_id
      and ${oneOf(sql`x.id`, resourceIds)} and ${covers('x')})`)
  }
  const rows = sql<ApprovalRow>`(select p.id, p.membership_id as "orgUserId", ${personJson('p.membership_id')} as member,
      (select json_build_object('id', x.id, 'name', x.name) from resource x
        where x.organization_id = p.organization_id and x.id = p.resource_id) as resource,
      p.make, p.model, p.expires_at as "expiresAt", ${personJson('p.approved_by')} as "approvedBy",
      p.created_at as "createdAt", p.updated_at as "updatedAt"
    from resource_approval p
    join membership o on o.organization_id = p.organization_id and o.id = p.membership_id
    where ${sql.join(conditions, sql` and `)})`
  return pageable(db, db.selectFrom(rows.as('t')).selectAll('t').orderBy('t.id'))
}

/** Returns one approval that the reader may read. */
export async function findApproval(db: Db, reader: Actor, id: number): Promise<ApprovalRow> {
  const [row] = await listApprovals(db, reader, { id }).slice(0, 1)
  if (!row) throw platformErrors.noSuchRecord()
  return row
}
