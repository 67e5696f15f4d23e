import type pg from 'pg'
import type { TestApp } from './app.ts'

/** A locked row: whoever changes it waits. */
export interface HeldRow {
  /** Returns whether somebody waits for the row. */
  waitedFor(): Promise<boolean>
  release(): Promise<void>
}

/** Locks a row in a transaction of its own, which stays open for as long as the test needs it. */
export async function holdRow(
  { core }: TestApp,
  table: 'invoice' | 'membership' | 'reservation' | 'waitlist_entry',
  id: number,
): Promise<HeldRow> {
  return hold(core, `select 1 from ${table} where id = $1 for update`, id)
}

/** Takes an advisory lock in a transaction of its own, as `holdRow` does. */
export async function holdLock({ core }: TestApp, name: string): Promise<HeldRow> {
  return hold(core, 'select pg_advisory_xact_lock(hashtextextended($1, 0))', name)
}

async function hold({ database }: TestApp['core'], statement: string, which: number | string): Promise<HeldRow> {
  const client = await database.pool.connect()
  await client.query('begin; set local idle_in_transaction_session_timeout = 0')
  await client.query(statement, [which])
  return {
    async waitedFor() {
      return (await waitingFor(client)).length > 0
    },
    async release() {
      await client.query('rollback')
      client.release()
    },
  }
}

/**
 * Returns the ids of the backends that wait for what this connection's open transaction has locked. `pg_stat_activity` would not do: it
 * stays as the transaction read it first, without the backends that connect later.
 */
export async function waitingFor(client: pg.ClientBase): Promise<number[]> {
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_locks where not granted and pg_backend_pid() = any(pg_blocking_pids(pid))',
  )
  return rows.map(({ pid }) => pid)
}
