import { migrate } from '../shared/composition/migrate.ts'
import { configOrExit, exitWith } from '../shared/composition/process.ts'
import { required } from '../shared/platform/config/config.ts'

/** `npm run migrate`: brings the schema up to date, once per release, before its processes start. */
const config = configOrExit({ HOST: '0.0.0.0' })
try {
  const tell = (line: string) => process.stderr.write(`flightline: ${line}\n`)
  const serviceUrl = required(config, 'DATABASE_URL')
  await migrate({ ownerUrl: config.MIGRATION_DATABASE_URL ?? serviceUrl, serviceUrl, tell })
} catch (error) {
  exitWith(error)
}
