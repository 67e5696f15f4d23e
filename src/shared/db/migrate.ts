import { required } from '../config/config.ts'
import { configOrExit, exitWith } from '../process.ts'
import { migrate, openDatabase } from './database.ts'

/** `npm run migrate`: brings the schema up to date, once per release, before its processes start. */
const config = configOrExit({ HOST: '0.0.0.0' })
try {
  const database = await openDatabase({ url: required(config, 'DATABASE_URL'), poolSize: 2 })
  await migrate(database)
  await database.close()
} catch (error) {
  exitWith(error)
}
