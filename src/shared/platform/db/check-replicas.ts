import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { ConfigError } from '../config/config.ts'
import { whyUnusable } from './is-unusable.ts'
import { singleClient } from './single-client.ts'

const WITHIN_MS = 2_000
/** A standby may not have received yet what it needs for the sign-in, such as a role that the migrations made a moment ago. */
const TRIES = 4
const AGAIN_MS = 500

/** What a server is: a standby has the system identifier and the databases of its primary. */
const identity = `select current_database() as database, system_identifier::text as cluster, pg_is_in_recovery() as standby
  from pg_control_system()`

interface Identity {
  database: string
  cluster: string
  standby: boolean
}

/**
 * Returns whether the address of `DATABASE_READ_URL` leads to a standby of this database; false for a server that accepts writes, as after a failover.
 * @throws ConfigError when it leads to another database, or the sign-in is refused
 * @throws Error when it does not answer
 */
export async function checkReplica(url: string, primary: Pick<pg.ClientBase, 'query'>): Promise<boolean> {
  const { rows } = await primary.query<Identity>(identity)
  const wanted = rows[0]!
  const found = await ask(url).catch((error: unknown) => {
    const why = whyUnusable(error)
    throw why === null ? error : refusal(url, why)
  })
  if (found.cluster !== wanted.cluster) throw refusal(url, 'it is no standby of the server of DATABASE_URL')
  if (found.database !== wanted.database)
    throw refusal(url, `its database is ${found.database}, that of DATABASE_URL is ${wanted.database}`)
  return found.standby
}

/**
 * Ensures that no address of `DATABASE_READ_URL` is a mistake. One that does not answer is none: it is left out until it does.
 * @throws ConfigError naming the first mistake
 */
export async function checkReplicas(urls: readonly string[], primary: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const check = async (url: string) => {
    for (let tried = 1; ; tried++) {
      try {
        return await checkReplica(url, primary)
      } catch (error) {
        if (!(error instanceof ConfigError)) return
        if (tried === TRIES) throw error
        await pause(AGAIN_MS)
      }
    }
  }
  await Promise.all(urls.map(check))
}

async function ask(url: string): Promise<Identity> {
  const client = singleClient({
    connectionString: url,
    application_name: 'flightline',
    connectionTimeoutMillis: WITHIN_MS,
    query_timeout: WITHIN_MS,
  })
  try {
    await client.connect()
    const { rows } = await client.query<Identity>(identity)
    return rows[0]!
  } finally {
    await client.end().catch(() => undefined)
  }
}

function refusal(url: string, why: string): ConfigError {
  return new ConfigError(`DATABASE_READ_URL: ${new URL(url).host}: ${why}`)
}
