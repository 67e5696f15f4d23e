import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'
import type { Tx } from '../../platform/db/transaction.ts'
import { BATCH_SIZE } from '../../platform/jobs/claim-batch.ts'
import { localDate, wallToInstant } from '../../platform/kernel/zones.ts'
import { schedulingErrors } from '../scheduling.errors.ts'
import type { GivenOverride, KeptOverride, Overrides, PaperFacts } from './override.types.ts'

/** Returns the overrides that apply to a booking, with the documents that the given ones name. */
export async function loadOverrides(
  db: Db,
  organizationId: number,
  given: readonly GivenOverride[],
  kept: readonly KeptOverride[] = [],
): Promise<Overrides> {
  const ids = given.flatMap(({ documentId }) => documentId ?? [])
  if (ids.length === 0) return { given, kept }
  const { rows } = await sql<PaperFacts & { id: number }>`
    select d.id, d.membership_id as "orgUserId", d.category, d.upload = 'stored' as stored, d.status = 'rejected' as rejected,
      d.expires_at as "expiresAt", d.uploaded_by as "uploadedBy", d.verified_by as "verifiedBy"
    from document d where d.organization_id = ${organizationId} and d.id = any(${ids}::int[])`.execute(db)
  return { given, kept, papers: new Map(rows.map(({ id, ...paper }) => [id, paper])) }
}

/** Checks that the organization has each currency whose rule is overridden. */
export async function assertHasCurrencies(
  db: Db,
  organizationId: number,
  given: readonly GivenOverride[],
): Promise<void> {
  const asked = given.map(({ rule }) => (rule.startsWith('currency:') ? Number(rule.slice('currency:'.length)) : null))
  const ids = asked.filter((id) => id !== null)
  if (ids.length === 0) return
  const known = await db
    .selectFrom('currency')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .execute()
  const unknown = asked.findIndex((id) => id !== null && !known.some((one) => one.id === id))
  if (unknown >= 0) throw schedulingErrors.unknownRule({ field: `overrides.${unknown}.rule` })
}

/** An override of a booking. */
export interface OfOverride {
  organizationId: number
  overrideId: number
}

/** Returns the keys of the files that documents have now: a document whose file is replaced later keeps its id. */
export async function findPaperFiles(
  tx: Tx,
  organizationId: number,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await tx.db
    .selectFrom('document')
    .select(['id', 'storage_key'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...ids])
    .execute()
  return new Map(rows.map(({ id, storage_key }) => [id, storage_key]))
}

/** The local hour of the digest. */
const NOTIFIED_AT_HOUR = 7

/** Ends the overrides of a booking, which count for nothing from then on. */
export async function endOverrides(tx: Tx, organizationId: number, reservationId: number): Promise<void> {
  await tx.db
    .updateTable('rule_override')
    .set({ ended_at: tx.now })
    .where('organization_id', '=', organizationId)
    .where('reservation_id', '=', reservationId)
    .where('ended_at', 'is', null)
    .execute()
}

/**
 * Marks at most `BATCH_SIZE` overrides as notified: those made before today's 07:00 in the zone of their organization, once
 * that time is past. Concurrent runs skip each other's rows. Returns the organization id of each override.
 */
export async function claimUnnotifiedOverrides(tx: Tx): Promise<number[]> {
  const { rows: untold } = await sql<{ zone: string }>`
    select distinct o.time_zone_name as zone from rule_override r join organization o on o.id = r.organization_id
    where r.notified_at is null`.execute(tx.db)
  const mornings = untold.map(({ zone }) => ({
    zone,
    at: wallToInstant(localDate(tx.now, zone), NOTIFIED_AT_HOUR * 60, zone),
  }))
  const past = mornings.filter(({ at }) => at <= tx.now)
  if (past.length === 0) return []
  const { rows } = await sql<{ organizationId: number }>`
    update rule_override as r set notified_at = ${tx.now}
    where r.id = any(array(
      select r.id from rule_override r join organization o on o.id = r.organization_id
      join unnest(${past.map(({ zone }) => zone)}::text[], ${past.map(({ at }) => at)}::timestamptz[]) m(zone, morning) on m.zone = o.time_zone_name
      where r.notified_at is null and r.created_at < m.morning
      order by r.created_at limit ${BATCH_SIZE} for update of r skip locked))
    returning r.organization_id as "organizationId"`.execute(tx.db)
  return rows.map(({ organizationId }) => organizationId)
}
