import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Table } from './declare-table.ts'
import type { Print } from './migration-lock.ts'

const { escapeIdentifier, escapeLiteral } = pg

/**
 * Returns the SQL rights of the service's role by table, for tables on which it has fewer than select, insert, update
 * and delete. Includes the table of migrations, which is not declared.
 */
export function rightsOn(tables: readonly Table[]): Record<string, string> {
  const fewer = tables.flatMap(({ name, rights }) => (rights ? [[name, inSql(rights)]] : []))
  return { ...Object.fromEntries(fewer), migration: 'select' }
}

function inSql(rights: NonNullable<Table['rights']>): string {
  if (rights === 'no delete') return 'select, insert, update'
  if (rights === 'insert only' || rights === 'append only') return 'select, insert'
  return `select, insert, update (${rights.update.join(', ')})`
}

const ALL = 'select, insert, update, delete'

/**
 * Grants the service's database role exactly its rights: it owns nothing, reads and writes rows, cannot change or
 * delete append-only rows, and calls the functions that run as the owner. It gets all rights on the rows of undeclared
 * tables. Creates the role when it is missing. Does nothing when the owner is that role.
 * Implements docs/decisions/0016.
 * @throws Error when the role is missing and the owner may not create it
 */
export async function grantService(
  client: pg.Client,
  serviceUrl: string,
  { schemas, tables }: { schemas: string[]; tables: readonly Table[] },
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
    await grantAll(client, escapeIdentifier(name), schemas, rightsOn(tables))
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

async function grantAll(
  client: pg.Client,
  role: string,
  schemas: string[],
  rights: Record<string, string>,
): Promise<void> {
  for (const name of schemas) {
    const schema = escapeIdentifier(name)
    await client.query(`revoke create on schema ${schema} from public, ${role}`)
    await client.query(`grant usage on schema ${schema} to ${role}`)
    await client.query(`alter default privileges in schema ${schema} grant ${ALL} on tables to ${role}`)
    await client.query(`alter default privileges in schema ${schema} grant usage, select on sequences to ${role}`)
  }
  const all = await ownRelations(client, schemas, 'r')
  await client.query(`revoke all on ${all} from public, ${role}`)
  await client.query(`grant ${ALL} on ${all} to ${role}`)
  await client.query(`grant usage, select on sequence ${await ownRelations(client, schemas, 'S')} to ${role}`)
  for (const [table, given] of Object.entries(rights)) {
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

/** Returns the functions that run with the owner's rights. */
async function ownersFunctions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select oid::regprocedure::text as name from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
  )
  return rows.map(({ name }) => name)
}

/**
 * SQLSTATEs of a role that already exists. Roles belong to the server, so a migration of another database can create
 * the role at the same time.
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

/**
 * Returns the SCRAM verifier of a password (RFC 5803), so that the password is sent neither to the server nor to its
 * log.
 */
function verifier(password: string): string {
  const salt = randomBytes(16)
  const salted = pbkdf2Sync(password.normalize('NFKC'), salt, ITERATIONS, 32, 'sha256')
  const hmac = (message: string) => createHmac('sha256', salted).update(message).digest()
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64')
  return `SCRAM-SHA-256$${ITERATIONS}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`
}
