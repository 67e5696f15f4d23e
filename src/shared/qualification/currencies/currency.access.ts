import { LockMode } from '@mikro-orm/core'
import { sql } from 'kysely'
import { hasChangedInstructor, isOwnStudent } from '../../identity/profiles/profile.queries.ts'
import type { Actor } from '../../platform/authz/actor.ts'
import { staff } from '../../platform/authz/roles.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { platformErrors } from '../../platform/platform.errors.ts'
import { qualificationErrors } from '../qualification.errors.ts'
import { Currency } from '../qualification.tables.ts'

/** Returns the currency to record dates for. */
export async function loadCurrency(
  tx: Tx,
  { organizationId }: Actor,
  id: number,
  options: { lockMode?: LockMode } = {},
): Promise<Currency> {
  const rule = await tx.em.findOne(Currency, { organizationId, id }, options)
  if (!rule) throw platformErrors.noSuchRecord()
  return rule
}

/** Locks the currency to change or delete, so that the audit log has each change once, from what was there. */
export function lockCurrency(tx: Tx, actor: Actor, id: number): Promise<Currency> {
  return loadCurrency(tx, actor, id, { lockMode: LockMode.PESSIMISTIC_WRITE })
}

/** Checks that the organization has the resources that a request names. */
export async function assertHasResources(tx: Tx, { organizationId }: Actor, resourceIds: number[]): Promise<void> {
  if (resourceIds.length === 0) return
  const found = await tx.db
    .selectFrom('resource')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', resourceIds)
    .execute()
  const known = new Set(found.map(({ id }) => id))
  const missing = resourceIds.findIndex((id) => !known.has(id))
  if (missing >= 0) throw qualificationErrors.unknownResource({ index: missing })
}

/** The recorded dates of a member's currency for a change, locked; undefined when there are none. */
export function lockRecord(tx: Tx, { organizationId }: Actor, of: { orgUserId: number; currencyId: number }) {
  return tx.db
    .selectFrom('currency_record')
    .select(['id', 'completed_at as completedAt', 'expires_at as expiresAt', 'ended_by as endedBy'])
    .select(sql<string | null>`ended_on::text`.as('endedOn'))
    .where('organization_id', '=', organizationId)
    .where('membership_id', '=', of.orgUserId)
    .where('currency_id', '=', of.currencyId)
    .forUpdate()
    .executeTakeFirst()
}

/** Returns whether a member is one of the actor's own students. */
export async function isStudentOf(tx: Tx, actor: Actor, orgUserId: number): Promise<boolean> {
  const { rows } = await sql<{ own: boolean }>`
    select ${isOwnStudent(actor, tx.now)} as own from membership m
     where m.organization_id = ${actor.organizationId} and m.id = ${orgUserId}`.execute(tx.db)
  return rows[0]?.own ?? false
}

/**
 * Returns whether the actor is a member's own instructor now: one of the actor's students, except one who is enrolled with other
 * instructors alone. So an instructor whom a student has left for another is none, and does not become one by changing the
 * instructor of the enrollment.
 */
export async function isOwnInstructorOf(tx: Tx, actor: Actor, orgUserId: number): Promise<boolean> {
  if (!(await isStudentOf(tx, actor, orgUserId))) return false
  const { rows } = await sql<{ own: boolean }>`
    select coalesce(bool_or(not c.own and e.instructor_id = ${actor.orgUserId}), true) as own from enrollment e
    cross join lateral (select ${hasChangedInstructor(actor.orgUserId)} as own) c
    where e.organization_id = ${actor.organizationId} and e.membership_id = ${orgUserId} and e.ended_at is null
      and (e.instructor_id is not null or c.own)`.execute(tx.db)
  return rows[0]?.own ?? true
}

/**
 * Returns whether a document is verified and its file there; that of a medical is of the category `medical`. Only somebody other
 * than its owner can verify it.
 */
export async function isVerifiedDocument(
  tx: Tx,
  { organizationId }: Actor,
  { kind }: Pick<Currency, 'kind'>,
  id: number,
): Promise<boolean> {
  const row = await tx.db
    .selectFrom('document')
    .select(['status', 'upload', 'category'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst()
  if (row?.status !== 'verified' || row.upload !== 'stored') return false
  return kind !== 'medical' || row.category === 'medical'
}

/** Returns whether the organization has a staff member other than the actor. */
export async function hasOtherStaff(tx: Tx, { organizationId, orgUserId }: Actor): Promise<boolean> {
  const row = await tx.db
    .selectFrom('membership')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '<>', orgUserId)
    .where('removed_at', 'is', null)
    .where((eb) => eb.or(staff.map((role) => eb(role, '=', true))))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
