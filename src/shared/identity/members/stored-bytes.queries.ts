import { sql } from 'kysely'
import type { Db } from '../../platform/db/database.ts'

/**
 * `inAll`: the bytes of all stored files. `sinceThen`: the bytes of files uploaded after an instant, deleted files of
 * resources included. `oldestSinceThen`: when the oldest of these was uploaded; null when there is none.
 */
export interface StoredBytes {
  inAll: number
  sinceThen: number
  oldestSinceThen: Date | null
}

/**
 * Returns the bytes that count for the limits of an organization. For each of its owners, the files of all
 * organizations that this person owns are added up. The largest sum counts.
 */
export async function findStoredBytes(db: Db, organizationId: number, since: Date): Promise<StoredBytes> {
  const {
    rows: [row],
  } = await sql<StoredBytes>`
    with file as (
      select organization_id, created_at as uploaded_at, size_bytes, deleted_at is null as present from resource_file
       where size_bytes is not null
      union all
      select organization_id, form_opened_at, size_bytes, true from document where size_bytes is not null)
    select coalesce(max(in_all), 0)::float8 as "inAll", coalesce(max(since_then), 0)::float8 as "sinceThen",
           min(oldest_since_then) as "oldestSinceThen"
      from (
      select sum(f.size_bytes) filter (where f.present) as in_all,
             sum(f.size_bytes) filter (where f.uploaded_at > ${since}) as since_then,
             min(f.uploaded_at) filter (where f.uploaded_at > ${since}) as oldest_since_then
        from membership mine
        join membership every_own on every_own.account_id = mine.account_id and every_own.owner
                                 and every_own.removed_at is null
        join file f on f.organization_id = every_own.organization_id
       where mine.organization_id = ${organizationId} and mine.owner and mine.removed_at is null
       group by mine.account_id) as of_owner`.execute(db)
  return row ?? { inAll: 0, sinceThen: 0, oldestSinceThen: null }
}
