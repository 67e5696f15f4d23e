import {
  type EntitySchema,
  type MetadataStorage,
  MikroORM,
  type Options,
  type SqlEntityManager,
} from '@mikro-orm/postgresql'
import type { Kysely } from 'kysely'
import pg from 'pg'
import type { EventKind } from '../contracts/event-kinds.ts'
import type { RecordKeys } from '../contracts/seal-kinds.ts'
import { parseTimestamp } from '../kernel/instants.ts'
import { autoPrepare, neverPrepare } from './auto-prepare.ts'
import { type Table, tableOf } from './declare-table.ts'
import { dropLostConnections } from './lost-connections.ts'
import { PrimaryClient } from './primary-client.ts'
import { stopStatements } from './stoppable.ts'

/** The tables and columns in PostgreSQL. `composition/tables.ts` declares them from the list of entities. */
// biome-ignore lint/suspicious/noEmptyInterface: it is merged with the declaration in composition/tables.ts.
export interface Tables {}

/** A Kysely instance, on the pool or inside a transaction. */
export type Db = Kysely<Tables>

export type EntityManager = SqlEntityManager

/** One connection pool that the ORM, Kysely and prepared statements share. */
export interface Database {
  orm: Pick<MikroORM, 'em'>
  db: Db
  pool: pg.Pool
  /** The declared tables with their facts. */
  tables: readonly Table[]
  /** The kinds of events that have a subscription. */
  subscribed: ReadonlySet<EventKind>
  /** The keys under which what is signed is sealed; null in a process in which nothing is signed. */
  recordKeys: RecordKeys | null
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Every declared table. */
  entities: readonly EntitySchema[]
  /** The kinds of events that have a subscription. */
  subscribed: ReadonlySet<EventKind>
  /** The keys under which what is signed is sealed. */
  recordKeys?: RecordKeys
  url: string
  poolSize: number
  /** False behind a pooler that gives a connection to another client after each transaction. */
  prepare?: boolean
  /** True for a replica: it is read-only, which on the primary would break its connections. */
  replica?: boolean
  /** Called when a connection breaks, in use or idle. */
  onConnectionError?: (error: Error) => void
}

/** The server cancels a statement after this time. The client gives up 2 s later, in case the server hangs. */
export const STATEMENT_TIMEOUT_MS = 15_000
const QUERY_TIMEOUT_MS = 17_000
/**
 * Parameters that a connection sets when it opens. A pooler would refuse them; behind one, the settings of the role
 * apply. `random_page_cost`: pages come from memory or an SSD, so random reads cost little more than sequential ones;
 * with the default cost the planner prefers to scan tables with rows of all organizations. `timezone`: a day of an
 * interval is always 24 hours in UTC, but not in every other zone.
 */
const settings = {
  statement_timeout: STATEMENT_TIMEOUT_MS,
  idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
  options: '-c random_page_cost=1.1 -c timezone=UTC',
}
/** The longest wait of a request for a free connection, or for the server to accept one. */
const CONNECTION_TIMEOUT_MS = 5_000

/** Opens the pool and the ORM. Connects with the first statement. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  const { prepare = true } = options
  let pool: pg.Pool | undefined
  const orm = await openOrm(options.entities, {
    clientUrl: options.url,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    logger: () => {},
    driverOptions: {
      ...(!options.replica && { Client: PrimaryClient }),
      max: options.poolSize,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      ...(prepare && settings),
      keepAlive: true,
      application_name: 'flightline',
      types: columnTypes(),
      onPoolCreated: (created: pg.Pool) => {
        pool = created
        if (prepare) autoPrepare(created)
        else neverPrepare(created)
        dropLostConnections(created, (error) => options.onConnectionError?.(error))
        // Behind a pooler the server process of a client changes, so its statements cannot be cancelled.
        if (prepare) stopStatements(created)
      },
    },
  })
  await orm.connect()
  if (!pool) throw new Error('the ORM made no connection pool')
  return {
    orm,
    pool,
    db: orm.em.fork().getKysely() as unknown as Db,
    tables: options.entities.flatMap((entity) => tableOf(entity) ?? []),
    subscribed: options.subscribed,
    recordKeys: options.recordKeys ?? null,
    close: () => orm.close(true),
  }
}

/** What the ORM knows of the entities, by their list. */
const discovered = new WeakMap<readonly EntitySchema[], MetadataStorage>()

/**
 * Opens the ORM. A process that opens several databases, such as a process of tests, discovers the entities once, since
 * that takes a tenth of a second of CPU.
 */
async function openOrm(entities: readonly EntitySchema[], options: Options): Promise<MikroORM> {
  const known = discovered.get(entities)
  if (!known) {
    const orm = await MikroORM.init({ ...options, entities: [...entities] })
    discovered.set(entities, orm.getMetadata())
    return orm
  }
  const orm = new MikroORM({ ...options, discovery: { ...options.discovery, skipSyncDiscovery: true } })
  orm.driver.setMetadata(known)
  return Object.assign(orm, { em: orm.driver.createEntityManager() })
}

/**
 * Returns the parsers of column types, for both Kysely and the ORM: `int8`, the type of sums and counts, becomes a
 * number. `parseTimestamp` parses instants in a third of the time that the driver takes; the driver parses instants in
 * other formats.
 */
function columnTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  const { TIMESTAMPTZ } = pg.types.builtins
  const parse: (text: string) => Date | number | null = pg.types.getTypeParser(TIMESTAMPTZ, 'text')
  types.setTypeParser(TIMESTAMPTZ, (text) => parseTimestamp(text) ?? parse(text))
  return types
}

/** The connections of one pool. */
export interface ConnectionCounts {
  open: number
  idle: number
  /** Requests that wait for a connection. */
  waiting: number
  /** The most connections that the pool opens. */
  limit: number
}

/** Returns the numbers of open, idle and awaited connections of a pool. */
export function countConnections({ totalCount, idleCount, waitingCount, options }: pg.Pool): ConnectionCounts {
  return { open: totalCount, idle: idleCount, waiting: waitingCount, limit: options.max ?? 0 }
}
