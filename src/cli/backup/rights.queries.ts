import type pg from 'pg'
import { type Role, roles } from '../../shared/platform/authz/roles.ts'

/** Tables whose rows give rights or hold personal data. A row is deleted when the right ends or the data is erased. */
export const rightsTables = [
  'calendar_feed',
  'connected_account',
  'desk_grant',
  'document',
  'push_device',
  'resource_approval',
  'training_grant',
  'webhook_endpoint',
] as const
export type RightsTable = (typeof rightsTables)[number]

/** A set of rows that a journal lists. The set of a role is the memberships with that role. */
export type RightsSet = 'organization' | 'account' | 'access' | 'membership' | 'person' | Role | RightsTable

/** The table of each set, and the condition (`stands`) of a row that is in force. `$1` is the instant of the backup. */
const sets: Record<RightsSet, { table: string; stands: string }> = {
  organization: { table: 'organization', stands: 'true' },
  account: { table: 'account', stands: 'deleted_at is null' },
  // A password reset by mail, or a command of an operator, ends the access of an account: it sets `tokens_valid_from`.
  access: { table: 'account', stands: 'deleted_at is null and tokens_valid_from < $1' },
  membership: { table: 'membership', stands: 'removed_at is null' },
  person: { table: 'membership', stands: 'erased_at is null' },
  ...eachOf(roles, (role) => ({ table: 'membership', stands: `removed_at is null and ${role}` })),
  ...eachOf(rightsTables, (table) => ({ table, stands: 'true' })),
  // A new calendar address keeps the row and replaces its secret.
  calendar_feed: { table: 'calendar_feed', stands: 'updated_at < $1' },
}

export const setNames = Object.keys(sets) as RightsSet[]

/** Returns the ids of the rows of a set that are in force, ascending. `backup` is the instant of the backup. */
export async function findInForce(client: pg.ClientBase, name: RightsSet, backup: Date): Promise<number[]> {
  const { table, stands } = sets[name]
  const { rows } = await client.query<{ id: number }>(
    `select id from ${table} where $1::timestamptz is not null and ${stands} order by id`,
    [backup],
  )
  return rows.map(({ id }) => id)
}

/** Returns the storage keys of all uploads. */
export async function findStorageKeys(client: pg.ClientBase): Promise<Set<string>> {
  const { rows } = await client.query<{ key: string }>(
    'select storage_key as key from document union select storage_key from resource_file',
  )
  return new Set(rows.map(({ key }) => key))
}

/** Deletes the rows with these ids from one of the tables. */
export async function deleteRights(client: pg.ClientBase, table: RightsTable, ids: readonly number[]): Promise<void> {
  await client.query(`delete from ${table} where id = any($1)`, [ids])
}

function eachOf<Name extends string, Value>(names: readonly Name[], value: (name: Name) => Value): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>
}
