import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../../src/shared/composition/tables.ts'
import { checkReplica, checkReplicas } from '../../../src/shared/platform/db/check-replicas.ts'
import { parseLogPosition } from '../../../src/shared/platform/db/replica-lag.ts'
import { openReplicas, type Replica, type Replicas } from '../../../src/shared/platform/db/replicas.ts'
import { cloneDatabase, emptyDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { asRole } from '../../support/global-setup.ts'

/**
 * A database whose functions say what a standby says: those of the schema `standby` are found before those of
 * PostgreSQL. It is frozen while somebody has locked the table.
 */
const standIn = `
  create schema standby;
  create table standby.state (recovering boolean not null, replayed pg_lsn, cluster bigint not null);
  insert into standby.state select true, null, system_identifier from pg_control_system();
  create function standby.pg_is_in_recovery() returns boolean language sql as 'select recovering from standby.state';
  create function standby.pg_last_wal_replay_lsn() returns pg_lsn language sql as 'select replayed from standby.state';
  create table standby.log (inserted pg_lsn);
  create function standby.pg_current_wal_insert_lsn() returns pg_lsn language sql as 'select inserted from standby.log';
  create function standby.pg_control_system(out system_identifier bigint) language sql as 'select cluster from standby.state';
  grant usage on schema standby to public;
  grant select on all tables in schema standby to public;`

const MOST_LAG_MS = 2_000

let primary: pg.Pool
let standby: pg.Client
let urls: string[]
let replicas: Replicas

beforeAll(async () => {
  primary = new pg.Pool({ connectionString: await cloneDatabase(), max: 2 })
  const url = await emptyDatabase()
  standby = new pg.Client({ connectionString: url })
  await standby.connect()
  await standby.query(standIn)
  urls = [`${asRole(url, 'service')}?options=-c%20search_path%3Dstandby%2Cpg_catalog`]
  replicas = await open()
})
afterAll(async () => {
  await replicas?.close()
  await standby?.end()
  await primary?.end()
})

const open = () =>
  openReplicas(primary, {
    urls,
    mostLagMs: MOST_LAG_MS,
    open: (url) => openDatabase({ url, poolSize: 2, replica: true }),
    onError: () => undefined,
  })

/** Replays the log up to a position, or to its end. */
const replay = async (position?: string) =>
  standby.query('update standby.state set replayed = $1', [position ?? (await replicas.position())])

const chosen = (): Promise<Replica> =>
  eventually(
    async () => {
      await replay()
      return replicas.choose(null)
    },
    (replica) => replica !== null,
  ) as Promise<Replica>

describe('a replica', () => {
  test('keeps no answer of the reads that it had', async () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const replica = await chosen()
    const answers: WeakRef<object>[] = []
    for (let n = 0; n < 20; n++) {
      const answer = await replicas.read(replica, async () => ({ rows: [n] }))
      answers.push(new WeakRef(answer))
    }
    await eventually(
      async () => {
        await pause(10)
        collect()
        return answers.filter((answer) => answer.deref()).length
      },
      (left) => left <= 1,
    )
  })

  test('that is left out ends the reads that it has, and is read again by itself', async () => {
    const replica = await chosen()
    const read = replicas.read(replica, () => new Promise(() => undefined))
    const refused = expect(read).rejects.toThrow('is left out')
    await standby.query('update standby.state set recovering = false')
    await refused
    expect(await replicas.choose(null)).toBeNull()
    await standby.query('update standby.state set recovering = true')
    expect(await chosen()).toBe(replica)
  })

  test('is not read while it is a standby of another server', async () => {
    await chosen()
    await standby.query('update standby.state set cluster = cluster + 1')
    await eventually(
      () => replicas.choose(null),
      (replica) => replica === null,
    )
    await standby.query('update standby.state set cluster = cluster - 1')
    await chosen()
  })

  test('is not read while it has more than the primary wrote', async () => {
    const position = parseLogPosition(await replicas.position())!
    await replay(`0/${(position + 100_000_000n).toString(16)}`)
    await eventually(
      () => replicas.choose(null),
      (replica) => replica === null,
    )
    await chosen()
  })

  test('is waited for at most 200 ms, also when it hangs, and by many at the same time', async () => {
    const replica = await chosen()
    const position = parseLogPosition(await replicas.position())!
    const waits = async (after: bigint) => {
      const began = performance.now()
      const found = await replicas.choose(after)
      return { found, ms: performance.now() - began }
    }
    const behind = await Promise.all(Array.from({ length: 50 }, () => waits(position + 1_000_000n)))
    expect(behind.map(({ found }) => found)).toEqual(behind.map(() => null))
    expect(Math.min(...behind.map(({ ms }) => ms))).toBeGreaterThan(190)
    const waiting = waits(position)
    await replay()
    expect((await waiting).found).toBe(replica)
    await chosen()
    await standby.query('begin')
    await standby.query('lock table standby.state in access exclusive mode')
    const frozen = await Promise.all(Array.from({ length: 50 }, () => waits(position + 1_000_000n)))
    await standby.query('rollback')
    // A busy machine delays some, but not all.
    expect(Math.min(...frozen.map(({ ms }) => ms))).toBeLessThan(400)
  })
})

describe('the end of the log of the primary', () => {
  test.for([
    ['0/4000028', '0/4000000', 'after the header of a segment, which is all that it holds'],
    ['0/4002018', '0/4002000', 'after the header of a page'],
    ['0/4002028', '0/4002028', 'after a record'],
    ['0/4100028', '0/4100028', 'after a record in a page that begins no segment'],
    ['1A/4000160', '1A/4000160', 'after a record in the first page of a segment'],
  ] as const)('at %s is %s: %s', async ([inserted, end]) => {
    await standby.query('truncate standby.log')
    await standby.query('insert into standby.log values ($1)', [inserted])
    const log = new pg.Pool({ connectionString: urls[0]!, max: 1 })
    // A first connection may take longer than an answer may.
    await log.query('select')
    const of = await openReplicas(log, { urls: [], mostLagMs: MOST_LAG_MS, open: fail, onError: () => undefined })
    try {
      expect(await of.position()).toBe(end)
    } finally {
      await of.close()
      await log.end()
    }
  })
})

describe('an address of DATABASE_READ_URL', () => {
  const withPart = (part: Partial<Pick<URL, 'pathname' | 'username'>>) => Object.assign(new URL(ofPrimary()), part).href
  const ofPrimary = () => String(primary.options.connectionString)

  test('may lead to the server that accepts writes', async () => {
    expect(await checkReplica(ofPrimary(), primary)).toBe(false)
  })

  test.for<[string, () => string, RegExp]>([
    ['another database', () => urls[0]!, /^DATABASE_READ_URL: \S+: its database is \w+, that of DATABASE_URL is \w+$/],
    ['no database', () => withPart({ pathname: '/nowhere' }), /^DATABASE_READ_URL: \S+: there is no such database/],
    ['no role', () => withPart({ username: 'nobody' }), /^DATABASE_READ_URL: \S+: the /],
  ])('that leads to %s stops a start', async ([, url, line]) => {
    await expect(checkReplicas([ofPrimary(), url()], primary)).rejects.toThrow(line)
  })

  test('that leads to another server stops a start', async () => {
    await standby.query('update standby.state set cluster = cluster + 1')
    await expect(checkReplicas(urls, primary)).rejects.toThrow(/: it is no standby of the server of DATABASE_URL$/)
    await standby.query('update standby.state set cluster = cluster - 1')
  })

  test('that does not answer stops no start', async () => {
    await checkReplicas(['postgresql://127.0.0.1:9/flightline'], primary)
    await expect(checkReplica('postgresql://127.0.0.1:9/flightline', primary)).rejects.toThrow('ECONNREFUSED')
  })
})

const fail = () => Promise.reject(new Error('there is no replica'))
