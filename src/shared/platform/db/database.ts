import { type EntitySchema, MikroORM, type SqlEntityManager } from '@mikro-orm/postgresql'
import type { Kysely } from 'kysely'
import pg from 'pg'
import { autoPrepare } from './auto-prepare.ts'
import { dropLostConnections } from './lost-connections.ts'

/** The tables and columns as they are in PostgreSQL. The composition declares them, from the list of entities. */
// biome-ignore lint/suspicious/noEmptyInterface: it is merged with the declaration in composition/entities.ts.
export interface Tables {}

/** Queries in SQL's own words: on the pool, or inside the transaction it was taken from. */
export type Db = Kysely<Tables>

export type EntityManager = SqlEntityManager

/** One connection pool that the ORM, Kysely and prepared statements share. */
export interface Database {
  orm: MikroORM
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Every entity that the ORM writes. */
  entities: readonly EntitySchema[]
  url: string
  poolSize: number
  /** Told of a connection that broke, whether or not somebody was using it. */
  onConnectionError?: (error: Error) => void
}

/** A statement ends after this long on the server; the client gives up a little later, when the server is frozen. */
const STATEMENT_TIMEOUT_MS = 15_000
const QUERY_TIMEOUT_MS = 17_000
/** How long a request waits for a free connection, or for the server to accept one. */
const CONNECTION_TIMEOUT_MS = 5_000

/** Opens the pool and the ORM on it. Does not ask the server anything yet. */
export async function connectDatabase(options: DatabaseOptions): Promise<Database> {
  let pool: pg.Pool | undefined
  const orm = await MikroORM.init({
    entities: [...options.entities],
    clientUrl: options.url,
    ensureDatabase: false,
    discovery: { warnWhenNoEntities: false },
    logger: () => {},
    driverOptions: {
      max: options.poolSize,
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      query_timeout: QUERY_TIMEOUT_MS,
      idle_in_transaction_session_timeout: STATEMENT_TIMEOUT_MS,
      keepAlive: true,
      application_name: 'flightline',
      types: columnTypes(),
      onPoolCreated: (created: pg.Pool) => {
        pool = created
        autoPrepare(created)
        dropLostConnections(created, (error) => options.onConnectionError?.(error))
      },
    },
  })
  await orm.connect()
  if (!pool) throw new Error('the ORM made no connection pool')
  return {
    orm,
    pool,
    db: orm.em.fork().getKysely() as unknown as Db,
    close: () => orm.close(true),
  }
}

/** Instants come back as Dates, for Kysely and the ORM alike; sums and counts as whole numbers. */
function columnTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides()
  types.setTypeParser(pg.types.builtins.INT8, Number)
  return types
}
