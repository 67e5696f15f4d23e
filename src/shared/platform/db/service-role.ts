import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Print } from './migration-lock.ts'

const { escapeIdentifier, escapeLiteral } = pg

/** A trigger of this name marks a table as append-only: its rows are neither changed nor deleted. */
const APPEND_ONLY_TRIGGER = 'append_only'

/** Tables whose rows are not deleted while their organization exists. */
const kept = [
  'account',
  'booking_request',
  'credit_note',
  'payment',
  'enrollment',
  'flight_log',
  'guest',
  'invoice',
  'maintenance_completion',
  'membership',
  'reservation',
  'squawk',
  'syllabus_version',
  'training_course',
  'training_record',
  'training_test',
]

/** Tables on which the service has fewer rights than select, insert, update and delete, beside the append-only ones. */
export const rights: Record<string, string> = {
  ...Object.fromEntries(kept.map((table) => [table, 'select, insert, update'])),
  // The text is immutable; only supersession, the signer's confirmation or denial, and the expiry notification are
  // recorded.
  endorsement:
    'select, insert, update (updated_at, expiry_told_days, superseded_at, superseded_by_id, confirmed_at, disowned_at)',
  meter_change: 'select, insert',
  // A merge of members moves it.
  pay_line: 'select, insert, update (membership_id)',
  rule_override: 'select, insert, update (told_at)',
  processor_event: 'select, insert',
  deleted_organization: 'select, insert',
  migration: 'select',
}

const ALL = 'select, insert, update, delete'

/**
 * Grants the service's database role exactly its rights: it owns nothing, reads and writes rows, cannot change or
 * delete append-only rows, and calls the functions that run as the owner. Tables of later migrations get the default
 * rights. Creates the role when it is missing. Does nothing when the owner is that role.
 * Implements docs/decisions/0016.
 * @throws Error when the role is missing and the owner may not create it
 */
export async function grantService(
  client: pg.Client,
  serviceUrl: string,
  schemas: string[],
  print: Print,
): Promise<void> {
  const { username, password } = new URL(serviceUrl)
  const name = decodeURIComponent(username)
  const { rows } = await client.query<{ owner: string; may_make_roles: boolean; exists: boolean; mighty: boolean }>(
    `select current_user as owner, (select rolsuper or rolcreaterole from pg_roles where rolname = current_user) as may_make_roles,
            r.rolname is not null as exists, coalesce(r.rolsuper or pg_has_role(r.oid, current_user, 'usage'), false) as mighty
       from (select) one left join pg_roles r on r.rolname = $1`,
    [name],
  )
  const { owner, may_make_roles, exists, mighty } = rows[0]!
  if (name === owner || name === '')
    return print('the service signs in as the owner of its tables: see MIGRATION_DATABASE_URL')
  if (mighty) print(`the role ${name} of DATABASE_URL has the rights of the owner all the same`)
  if (!exists && !may_make_roles) {
    throw new Error(`the role ${name} of DATABASE_URL does not exist, and the owner may not create it`)
  }
  await client.query('begin')
  try {
    if (!exists) await createRole(client, name, decodeURIComponent(password))
    await grantAll(client, escapeIdentifier(name), schemas)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function grantAll(client: pg.Client, role: string, schemas: string[]): Promise<void> {
  for (const name of schemas) {
    const schema = escapeIdentifier(name)
    await client.query(`revoke create on schema ${schema} from public, ${role}`)
    await client.query(`grant usage on schema ${schema} to ${role}`)
    await client.query(`alter default privileges in schema ${schema} grant ${ALL} on tables to ${role}`)
    await client.query(`alter default privileges in schema ${schema} grant usage, select on sequences to ${role}`)
  }
  const tables = await ownRelations(client, schemas, 'r')
  await client.query(`revoke all on ${tables} from public, ${role}`)
  await client.query(`grant ${ALL} on ${tables} to ${role}`)
  await client.query(`grant usage, select on sequence ${await ownRelations(client, schemas, 'S')} to ${role}`)
  for (const [table, given] of [...Object.entries(rights), ...(await appendOnlyTables(client))]) {
    await client.query(`revoke all on ${table} from ${role}`)
    await client.query(`grant ${given} on ${table} to ${role}`)
  }
  for (const routine of await ownersFunctions(client)) {
    await client.query(`revoke all on function ${routine} from public`)
    await client.query(`grant execute on function ${routine} to ${role}`)
  }
}

/** Returns the owner's tables (`r`) or sequences (`S`) as an SQL list, without those of extensions. */
async function ownRelations(client: pg.Client, schemas: string[], kind: 'r' | 'S'): Promise<string> {
  const { rows } = await client.query<{ name: string }>(
    `select format('%I.%I', nspname, relname) as name from pg_class c join pg_namespace n on n.oid = relnamespace
      where nspname = any($1) and relkind = $2 and pg_get_userbyid(relowner) = current_user`,
    [schemas, kind],
  )
  return rows.map(({ name }) => name).join(', ')
}

async function appendOnlyTables(client: pg.Client): Promise<[string, string][]> {
  const { rows } = await client.query<{ name: string }>(
    `select tgrelid::regclass::text as name from pg_trigger where tgname = $1`,
    [APPEND_ONLY_TRIGGER],
  )
  return rows.map(({ name }) => [name, 'select, insert'])
}

/** Returns the functions that run with the owner's rights. */
async function ownersFunctions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
  )
  return rows.map(({ name }) => name)
}

/**
 * SQLSTATEs of a role that exists: roles belong to the server, so a migration of another database can create it at the
 * same time.
 */
const existsByNow = new Set(['42710', '23505'])

async function createRole(client: pg.Client, name: string, password: string): Promise<void> {
  await client.query('savepoint role')
  const secret = password === '' ? '' : ` password ${escapeLiteral(verifier(password))}`
  await client
    .query(`create role ${escapeIdentifier(name)} login nosuperuser nocreatedb nocreaterole${secret}`)
    .catch(async (error: Error & { code?: string }) => {
      if (!existsByNow.has(error.code ?? '')) throw error
      await client.query('rollback to savepoint role')
    })
}

const ITERATIONS = 4096

/** Returns the SCRAM verifier of a password (RFC 5803), so that neither the server nor its log sees the password. */
function verifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256')
  const hmac = (message: string) => createHmac('sha256', salted).update(message).digest()
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`
}
