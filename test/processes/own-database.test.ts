import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { openDatabaseServer } from '../../local/start/own-database.ts'
import { ShutdownSequence } from '../../local/start/shutdown-sequence.ts'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { fastestFolder } from '../support/fastest-folder.ts'

test('the service signs in to the embedded database as a role that owns nothing, at every start', async () => {
  const DATA_DIR = await mkdtemp(join(await fastestFolder(), 'flightline-own-database-'))
  // When root runs the tests, PostgreSQL's own user must get in.
  await chmod(DATA_DIR, 0o755)
  const config = readConfig({ DATA_DIR }, { HOST: '127.0.0.1' })
  for (const start of ['first', 'second']) {
    const parts = new ShutdownSequence()
    const { url, ownerUrl } = await openDatabaseServer(config, { durable: false }, parts)
    expect(url).not.toContain(new URL(ownerUrl).password)
    await migrate({ ownerUrl, serviceUrl: url, print: () => undefined })
    const service = new pg.Client({ connectionString: url })
    await service.connect()
    const { rows } = await service.query('select current_user as name, count(*)::int as schools from organization')
    expect(rows, start).toEqual([{ name: 'flightline_service', schools: 0 }])
    await expect(service.query('drop table organization')).rejects.toMatchObject({ code: '42501' })
    await service.end()
    await parts.stop()
  }
  await rm(DATA_DIR, { recursive: true })
})
