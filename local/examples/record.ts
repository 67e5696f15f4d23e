import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/shared/composition/migrate.ts'
import { readConfig } from '../../src/shared/platform/config/config.ts'
import { openDatabaseServer } from '../start/own-database.ts'
import { ShutdownSequence } from '../start/shutdown-sequence.ts'
import { takeExamples } from './take-examples.ts'

/**
 * `npm run examples`: runs the examples and writes them to `interface/examples.json`. Exits with 1 when a request is
 * refused or an example is missing.
 */
const dataDir = await mkdtemp(join(tmpdir(), 'flightline-examples-'))
const parts = new ShutdownSequence()
try {
  const config = readConfig({ DATA_DIR: dataDir }, { HOST: '127.0.0.1' })
  const { url, ownerUrl } = await openDatabaseServer(config, { durable: false }, parts)
  await migrate({ ownerUrl, serviceUrl: url, print: () => undefined })
  const { examples, refused, missing } = await takeExamples(url, dataDir)
  for (const line of refused) process.stderr.write(`refused: ${line}\n`)
  for (const line of missing) process.stderr.write(`missing: ${line}\n`)
  process.exitCode = refused.length + missing.length > 0 ? 1 : 0
  const file = join(import.meta.dirname, '../../interface/examples.json')
  await writeFile(file, `${JSON.stringify(examples, null, 1)}\n`)
} finally {
  await parts.stop()
  await rm(dataDir, { recursive: true, force: true })
}
