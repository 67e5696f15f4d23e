import type pg from 'pg'

export type BackupKind = 'backup' | 'journal'

/** Records that a backup or a journal was written now. Does nothing when the database is not migrated yet. */
export async function markBackup(client: pg.ClientBase, kind: BackupKind): Promise<void> {
  const { rows } = await client.query<{ there: boolean }>(`select to_regclass('backup_mark') is not null as there`)
  if (!rows[0]?.there) return
  await client.query(
    'insert into backup_mark (kind, at) values ($1, now()) on conflict (kind) do update set at = excluded.at',
    [kind],
  )
}

/**
 * Returns the seconds since the last backup, journal and archived write-ahead log (`wal`). A kind that was never made
 * is left out.
 */
export async function findBackupAges(pool: pg.Pool): Promise<{ kind: string; seconds: number }[]> {
  const { rows } = await pool.query<{ kind: string; seconds: number }>(
    `select kind, extract(epoch from now() - at)::float as seconds from backup_mark
      union all
     select 'wal', extract(epoch from now() - last_archived_time)::float from pg_stat_archiver
      where last_archived_time is not null`,
  )
  return rows
}
