import { required } from '../shared/config/config.ts'
import { migrate } from '../shared/migrate.ts'
import { configOrExit, exitWith } from '../shared/process.ts'

/** `npm run migrate`: brings the schema up to date, once per release, before its processes start. */
const config = configOrExit({ HOST: '0.0.0.0' })
try {
  const tell = (line: string) => process.stderr.write(`flightline: ${line}\n`)
  await migrate({ ownerUrl: required(config, 'DATABASE_URL'), tell })
} catch (error) {
  exitWith(error)
}
