import type pg from 'pg'
import type { TokenClaims } from '../adapters/tokens/access-tokens.ts'
import type { Account, Actor } from './actor.ts'
import { type OrganizationSettings, readSettings } from './organization-settings.ts'
import { type Role, type RoleFlags, roleFlags } from './roles.ts'

/**
 * Reads the account of a token from the database. Returns null when the account is deleted, when a password reset ended the
 * sign-in of the token, or when the account does not have the membership of the token any more.
 * Implements interface §Authentication rule 5.
 */
export type ReadAccount = (claims: TokenClaims) => Promise<Account | null>

interface AccountRow extends Record<Role, boolean | null> {
  account_id: number | null
  name: string
  email: string
  email_verified: boolean
  /** Milliseconds since 1970. */
  tokens_valid_from: number
  membership_id: number | null
  organization_id: number | null
  organization_name: string
  demo: boolean
  time_zone_name: string
  settings: Record<string, unknown>
}

/** `(select $1)` hides the length of the array from the planner, so that PostgreSQL reuses one plan instead of planning every run. */
const statement = `
  select a.id as account_id, a.name, a.email,
         case when a.email_verified_at is not null then true else exists (
           select from membership f join organization d on d.id = f.organization_id and d.demo
            where f.account_id = a.id and f.owner and f.removed_at is null
              and not exists (select from membership e where e.organization_id = d.id and e.owner and e.id < f.id))
         end as email_verified,
         (extract(epoch from a.tokens_valid_from) * 1000)::float8 as tokens_valid_from,
         m.id as membership_id, m.organization_id,
         m.owner, m.admin, m.dispatcher, m.instructor, m.student, m.renter, m.technician,
         o.name as organization_name, o.demo, o.time_zone_name, o.settings
    from unnest((select $1::int[]), (select $2::int[]), (select $3::int[]))
         with ordinality as asked (account_id, membership_id, organization_id, n)
    left join account a on a.id = asked.account_id and a.deleted_at is null
    left join membership m on m.id = asked.membership_id and m.account_id = a.id
      and m.organization_id = asked.organization_id and m.removed_at is null
    left join organization o on o.id = m.organization_id
   order by asked.n`

interface Asked {
  claims: TokenClaims
  resolve(account: Account | null): void
  reject(error: unknown): void
}

/** The most queries that run at the same time. Requests that arrive while they run share the next query. */
const READS_AT_ONCE = 2

/**
 * Creates the reader of accounts. Every request reads its account, so that a removed role has effect at once. Requests that
 * arrive in one turn of the event loop, or while `READS_AT_ONCE` queries run, share one query. A request never gets the result
 * of a query that started before it arrived.
 * Implements docs/decisions/0010.
 */
export function createAccountReader(pool: pg.Pool): ReadAccount {
  let waiting: Asked[] = []
  let underWay = 0

  async function readAll(): Promise<void> {
    if (waiting.length === 0) return
    const asked = waiting
    waiting = []
    underWay += 1
    await read(pool, asked)
    underWay -= 1
    void readAll()
  }

  return (claims) =>
    new Promise((resolve, reject) => {
      waiting.push({ claims, resolve, reject })
      if (waiting.length === 1 && underWay < READS_AT_ONCE) setImmediate(readAll)
    })
}

async function read(pool: pg.Pool, asked: Asked[]): Promise<void> {
  try {
    const { rows } = await pool.query<AccountRow>({
      name: 'read-accounts',
      text: statement,
      values: [
        asked.map(({ claims }) => claims.accountId),
        asked.map(({ claims }) => claims.membershipId),
        asked.map(({ claims }) => claims.organizationId),
      ],
    })
    for (const [index, one] of asked.entries()) one.resolve(toAccount(one.claims, rows[index]))
  } catch (error) {
    for (const one of asked) one.reject(error)
  }
}

function toAccount(claims: TokenClaims, row: AccountRow | undefined): Account | null {
  if (!row?.account_id || claims.authTime.getTime() < row.tokens_valid_from) return null
  if (claims.membershipId !== null && row.membership_id === null) return null
  const account = { accountId: row.account_id, name: row.name, emailVerified: row.email_verified }
  return { ...account, email: row.email, authTime: claims.authTime, member: toActor(account, row) }
}

function toActor(account: Pick<Actor, 'accountId' | 'name' | 'emailVerified'>, row: AccountRow): Actor | null {
  if (row.membership_id === null || row.organization_id === null) return null
  let read: OrganizationSettings | undefined
  return {
    ...account,
    orgUserId: row.membership_id,
    organizationId: row.organization_id,
    roles: roleFlags(row as RoleFlags),
    organization: {
      name: row.organization_name,
      demo: row.demo,
      timeZoneName: row.time_zone_name,
      // Parsed lazily: most requests never use the settings.
      get settings() {
        read ??= readSettings(row.settings)
        return read
      },
    },
  }
}
