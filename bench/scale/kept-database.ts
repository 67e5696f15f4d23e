import { createHash } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbeddedPostgres } from '../../local/postgres/embedded-postgres.ts'
import { serviceUrl } from '../../local/start/own-database.ts'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { continueIds, copySchool } from './copy-school.ts'
import { findSeededSchool, type SchoolSize, seedSchool } from './seed-school.ts'
import { type Built, largeTables, loadWithoutIndexes, writeWhatTriggersDo } from './without-indexes.ts'

/** A database whose data folder is kept for the next run. */
export interface KeptDatabase {
  ownerUrl: string
  databaseUrl: string
  /** The build time of each index, measured after the rows were loaded. */
  built: Built[]
  stop(): Promise<void>
}

/** Settings for a fast load. A crash of the machine may corrupt the folder; delete it to seed again. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  shared_buffers: '512MB',
  maintenance_work_mem: '512MB',
  max_wal_size: '8GB',
  autovacuum: 'off',
}

/** The schools of a database, and for each how many copies of it there are besides. */
export type SeededSize = SchoolSize & { copies?: number }

/**
 * Opens the kept database for these sizes, or seeds a new one, which takes minutes. A kept database is migrated to the
 * schema of this checkout. The folder's name is a hash of the sizes and of the files that seed; when either changes, a
 * new database is seeded.
 */
export async function openKeptDatabase(
  sizes: readonly SeededSize[],
  print: (line: string) => void,
): Promise<KeptDatabase> {
  const read = (name: string) => readFile(join(import.meta.dirname, name), 'utf8')
  const sources = [await read('seed-school.ts')]
  if (sizes.some(({ copies }) => copies)) sources.push(await read('copy-school.ts'))
  const key = createHash('sha256')
    .update(JSON.stringify([...sources, sizes]))
    .digest('hex')
    .slice(0, 12)
  const dataDir = join(process.env.SCALE_DIR ?? tmpdir(), `flightline-scale-${key}`)
  await mkdir(dataDir, { recursive: true, mode: 0o755 })
  const server = await startEmbeddedPostgres({ dataDir, durable: true, settings })
  const ownerUrl = server.url('postgres')
  const databaseUrl = serviceUrl(ownerUrl)
  try {
    await migrate({ ownerUrl, serviceUrl: databaseUrl, print })
    const built = await seedOnce(ownerUrl, sizes, (line) => print(`${line} (${dataDir})`))
    return { ownerUrl, databaseUrl, built, stop: () => server.stop() }
  } catch (error) {
    await server.stop()
    throw error
  }
}

/**
 * Seeds the database in one transaction, so that an interrupted run leaves nothing; does nothing when it is seeded.
 * Returns the build times of the indexes.
 */
async function seedOnce(
  ownerUrl: string,
  sizes: readonly SeededSize[],
  print: (line: string) => void,
): Promise<Built[]> {
  const client = new pg.Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query('create table if not exists scale_seed (built jsonb)')
    const { rows } = await client.query<{ built: Built[] }>('select built from scale_seed')
    if (rows[0]) return rows[0].built
    print('seeding')
    const began = performance.now()
    await client.query('begin')
    const built = await loadWithoutIndexes(client, largeTables, async () => {
      for (const size of sizes) {
        await seedSchool(client, size)
        if (!size.copies) continue
        const { organizationId } = await findSeededSchool(client, size.name)
        await copySchool(client, organizationId, size.copies)
      }
      await continueIds(client)
      await writeWhatTriggersDo(client)
    })
    await client.query('insert into scale_seed values ($1)', [JSON.stringify(built)])
    await client.query('commit')
    await client.query('vacuum analyze')
    print(`seeded in ${Math.round((performance.now() - began) / 1000)} s`)
    return built
  } finally {
    await client.end()
  }
}
